package sources

import "time"

// Act is something that a log records as done, asked or decided, by a call of a tool, its
// result or a button. What a note claims of a session rests on acts, never on the words of an
// answer.
type Act struct {
	Kind ActKind   `json:"kind"`
	Turn int       `json:"turn"` // index of the turn, -1: before the first
	At   time.Time `json:"at,omitzero"`
	// Text is what it is about: the question, the title of the plan, what was refused, the
	// subject of the memory, what was taken back, the name of the artifact.
	Text string `json:"text,omitempty" text:"said"`
	// Answer is what the person answered in words; of a memory the fact.
	Answer string `json:"answer,omitempty" text:"said"`
	// Verdict is what became of a plan, or of a question that was declined; empty: it is not known.
	Verdict Verdict `json:"verdict,omitempty"`
	// Unasked says that a plan was accepted without a person: the agent ran on its own.
	Unasked bool `json:"unasked,omitempty"`
	// Pending says that nothing at all follows it in the log.
	Pending bool `json:"pending,omitempty"`
}

// ActKind says what an act is.
type ActKind string

// The kinds of acts.
const (
	ActAsked      ActKind = "asked"      // the agent asked by a tool, and was answered or not
	ActPlanned    ActKind = "planned"    // the agent showed a plan
	ActRefused    ActKind = "refused"    // a person refused a call with words
	ActListed     ActKind = "listed"     // a call gave or changed the list of tasks
	ActRemembered ActKind = "remembered" // a memory was stored
	ActUndone     ActKind = "undone"     // a commit or edits were taken back
	ActWrote      ActKind = "wrote"      // a call wrote an artifact of the session
)
