package sources

import "time"

// Act is something that a log records as done, asked or decided: by a call of a tool, its result or a
// button. Claims about a session rest on acts, never on the words of an answer.
type Act struct {
	Kind ActKind   `json:"kind"`
	Turn int       `json:"turn"` // index of the turn, -1: before the first
	At   time.Time `json:"at,omitzero"`
	// Text is the subject of the act: the question, the title of the plan, the refused call, the
	// subject of the memory, the commit or files taken back, the name of the artifact.
	Text string `json:"text,omitempty" text:"said"`
	// Answer is the person's answer in words; for a memory, the fact.
	Answer string `json:"answer,omitempty" text:"said"`
	// Verdict is a person's decision on a plan or a declined question; empty: unknown.
	Verdict Verdict `json:"verdict,omitempty"`
	// Unasked says that a plan was accepted without a person, as the agent ran on its own.
	Unasked bool `json:"unasked,omitempty"`
	// Pending says that nothing follows it in the log.
	Pending bool `json:"pending,omitempty"`
}

// ActKind is a kind of act.
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
