package sources

import (
	"strings"
	"time"
)

// Session is one conversation of a person with an agent, or as much of it as
// one layer of a source knows. Times are UTC; the zero time means unknown.
// Text is as the source holds it: not redacted, not escaped.
type Session struct {
	ID    string `json:"id"`              // UUID in lower case; "<source>:<project>:<id>" where the source gives no UUID
	Agent string `json:"agent,omitempty"` // copilot-cli, claude-code and so on: a name of the table in sources/agents

	// Label is what the user calls the home that it lies in; empty: nothing. Nobody but the
	// engine sets it.
	Label string `json:"label,omitempty" text:"line"`

	// Class is whose session it is.
	Class Class `json:"class,omitempty"`
	// Headless says that a command began it with its prompt (claude -p, codex exec): nobody
	// sat beside it.
	Headless bool `json:"headless,omitempty"`

	// IsMemory says that this is no conversation but the memory of a repository or
	// user: it has artifacts only, and an ID of the source's own making.
	IsMemory bool `json:"shelf,omitempty"`
	// Scope of a memory: whose it is.
	Scope Scope `json:"scope,omitempty"`
	// Aliases are other ids under which parts of this very conversation may be found:
	// what carries one of them belongs to this session.
	Aliases []string `json:"aka,omitempty"`

	Title       string `json:"title,omitempty" text:"line"`
	TitleFrom   Trust  `json:"title_from,omitempty"` // how far Title may be trusted against other layers
	Summary     string `json:"summary,omitempty" text:"said"`
	SummaryFrom Trust  `json:"summary_from,omitempty"`
	// SummaryAt is when the summary was made: later turns are not in it.
	SummaryAt time.Time `json:"summary_at,omitzero"`

	Place  Place    `json:"place"`
	Models []string `json:"models,omitempty" text:"name"` // in order of first use, without vendor prefix

	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"` // newest turn, checkpoint or todo; never an mtime

	Archived bool `json:"archived,omitempty"` // put aside by the user in the agent's list
	Pinned   bool `json:"pinned,omitempty"`   // put on top of it

	Parent string `json:"parent,omitempty"` // session this one was forked from

	// Complete says that this layer holds the session from its start, so that what
	// it does not know did not happen. Gaps are filled from lower layers only
	// where no layer is whole.
	Complete bool `json:"whole,omitempty"`
	// Supersedes names layers that say nothing which this one does not: a note made of
	// them is not made poorer without them.
	Supersedes []string `json:"covers,omitempty"`
	// Rewound says that part of the session was taken back by its user: derived
	// layers may still hold what was taken back and are not believed.
	Rewound bool `json:"rewound,omitempty"`
	// Damage says in plain words what could not be read. Empty: nothing.
	Damage []string `json:"damage,omitempty" text:"line"`

	Turns       []Turn       `json:"turns,omitempty"`
	Checkpoints []Checkpoint `json:"checkpoints,omitempty"`
	Artifacts   []Artifact   `json:"artifacts,omitempty"`
	Todos       []Todo       `json:"todos,omitempty"`
	Files       []FileTouch  `json:"files,omitempty"`
	Refs        []Ref        `json:"refs,omitempty"`
	Delegated   []Delegation `json:"delegated,omitempty"` // in order of their begin
	Actions     []Action     `json:"actions,omitempty"`   // in order of the session
	Acts        []Act        `json:"acts,omitempty"`      // in order of the session

	// TakenBack are turns that the user took back, where the source still has them: prompts
	// and answers alone, which are shown and count nowhere.
	TakenBack []Turn `json:"taken_back,omitempty"`

	// Distilled is what agents said of the session when they were asked, the oldest first.
	Distilled []Distillate `json:"distilled,omitempty"`
}

// Class says whose session it is.
type Class string

// The classes. The zero value is that of a person's session, one that a command began with
// a person's prompt among them.
const (
	// Automatic is a session in which nobody typed a prompt: an observer, a probe, a
	// warm-up, a run that another program began. A sub-agent is no session of its own,
	// see [Delegation].
	Automatic Class = "automatic"
)

// Delegation is work that a sub-agent did for a session, in a conversation of its own.
// What it edited is told by the Files of the session, with Turn -1.
type Delegation struct {
	ID     string    `json:"id" text:"name"`               // of its conversation: unique in the session
	Name   string    `json:"name,omitempty" text:"line"`   // what it is called, or its kind
	Task   string    `json:"task,omitempty" text:"said"`   // what it was asked to do
	Answer string    `json:"answer,omitempty" text:"said"` // what it said last
	At     time.Time `json:"at,omitzero"`                  // when it began
	End    time.Time `json:"end,omitzero"`
	Calls  int       `json:"calls,omitempty"` // how many tools it called
	Tokens *Tokens   `json:"tokens,omitempty"`
}

// Action is something that the user did in the agent beside their prompts: a command
// of the shell, a slash command, a goal that was set.
type Action struct {
	Kind string    `json:"kind"`             // one of the ActionKinds
	Text string    `json:"text" text:"said"` // as typed: "!git log", "/context", "/goal Ship it"
	Turn int       `json:"turn"`             // index of the turn it followed, -1: before the first
	At   time.Time `json:"at,omitzero"`
}

// The ActionKinds.
const (
	ActionShell   = "shell"   // a command of the shell, which the user ran
	ActionCommand = "command" // a command of the agent's own
	ActionGoal    = "goal"
	ActionReview  = "review" // a review that the user asked for
)

// OnCalendar returns a time as it is kept: in UTC, and the zero time for one that
// no calendar of notes holds, neither its day in any zone nor the week of that day.
func OnCalendar(t time.Time) time.Time {
	const last = 9998 // the last week of 9999 ends in a year that no format writes
	if t = t.UTC(); t.Year() < 1 || t.Year() > last {
		return time.Time{}
	}
	return t
}

// Scope says whose memory it is.
type Scope string

// The scopes of a memory. The zero value is that of a repository.
const (
	ScopeRepo Scope = "repo" // of the repository or folder in Place
	ScopeUser Scope = "user" // of the person, whatever they work on
)

// Trust orders what several layers say of one field; the greater wins, among
// equals the more authoritative layer.
type Trust int

// The ranks of a title or summary.
const (
	TrustNone    Trust = iota
	TrustPrompt        // cut from the first prompt
	TrustDerived       // a tool's own cut or store row
	TrustNamed         // named by a model
	TrustCustom        // given in an editor (customTitle)
	TrustUser          // given by the user
)

// Place is where a session worked, as raw facts: the project is made of them in
// package extract. Paths are as recorded, of any operating system.
type Place struct {
	Cwd        string `json:"cwd,omitempty" text:"name"`
	GitRoot    string `json:"git_root,omitempty" text:"name"`
	Repository string `json:"repository,omitempty" text:"name"` // owner/name, host/owner/name or a remote's URL
	Host       string `json:"host,omitempty" text:"name"`       // github.com, where recorded
	HostType   string `json:"host_type,omitempty" text:"line"`  // github, ado, …
	Branch     string `json:"branch,omitempty" text:"line"`     // newest known
	BaseBranch string `json:"base_branch,omitempty" text:"line"`

	// Workspace is the file that joins several folders to what was worked in (a
	// .code-workspace), Folders are those folders. One with a single folder is
	// that folder: it stands in Cwd and neither is set.
	Workspace string   `json:"workspace,omitempty" text:"name"`
	Folders   []string `json:"folders,omitempty" text:"name"`

	// Guessed says that the folder is made out of what was said or edited, because
	// what tells it is not there: a stored one that was told stays.
	Guessed bool `json:"guessed,omitempty"`
}

// Status of a turn.
type Status string

// The states a turn ends in.
const (
	Complete  Status = "complete"
	Cancelled Status = "cancelled"
	Failed    Status = "failed"
	Pending   Status = "pending"
)

// Turn is one prompt of the person and all that answered it.
type Turn struct {
	Index     int       `json:"index"` // from 0, in order of the session
	ID        string    `json:"id,omitempty"`
	At        time.Time `json:"at,omitzero"`
	End       time.Time `json:"end,omitzero"`            // last answer or tool call
	User      string    `json:"user" text:"said"`        // as typed, injected context stripped
	Assistant string    `json:"assistant" text:"answer"` // visible text in order, paragraphs apart, no reasoning
	Last      int       `json:"last,omitempty"`          // byte offset in Assistant where the last message begins
	Model     string    `json:"model,omitempty" text:"line"`
	Mode      string    `json:"mode,omitempty" text:"line"` // interactive, plan, autopilot, …
	Agent     string    `json:"agent,omitempty" text:"line"`
	Status    Status    `json:"status,omitempty"`
	Inherited bool      `json:"inherited,omitempty"`         // said in the session this one was forked from, before the fork
	Error     string    `json:"error,omitempty" text:"said"` // message of a failed turn, never a stack
	Tokens    *Tokens   `json:"tokens,omitempty"`

	Attachments []Attachment `json:"attachments,omitempty"`
	Citations   []Citation   `json:"citations,omitempty"`
	Tools       []Tool       `json:"tools,omitempty"`
}

// Tokens used by a turn, where the source stores them.
type Tokens struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// Attachment is something the person added to a prompt.
type Attachment struct {
	Kind string `json:"kind" text:"line"` // file, directory, selection, image, commit, issue, …
	Name string `json:"name" text:"name"` // path or title
	// Content are the bytes of an image, where the source was asked to keep them.
	Content []byte `json:"content,omitempty"`
}

// Citation is public code an answer matched.
type Citation struct {
	License string `json:"license" text:"line"`
	Value   string `json:"value" text:"line"`
}

// Tool is one call of a tool: one line of it, and the command where it ran one.
type Tool struct {
	Name   string `json:"name" text:"line"`             // raw name of the source
	Kind   string `json:"kind"`                         // one of the ToolKinds
	Detail string `json:"detail,omitempty" text:"line"` // description, else command or path; one line
	OK     *bool  `json:"ok,omitempty"`                 // nil: unknown
	// Command is what a call of [ToolRun] ran, whole and with its line breaks; empty where
	// it ran none, or is known to have been refused.
	Command string `json:"command,omitempty" text:"said"`
	Exit    *int   `json:"exit,omitempty"` // exit code of Command; nil: unknown
	After   int    `json:"after"`          // byte offset in Turn.Assistant where the call stood
	// Errors are lines of what came of it that tell of an error: those at both ends of what a
	// failed call printed, and in other outputs of commands the lines that say so.
	Errors string `json:"errors,omitempty" text:"ends"`
	// Within is the number, from 1, of the call in Turn.Tools whose sub-agent made
	// this one; 0: the agent itself did.
	Within int `json:"within,omitempty"`
}

// Checkpoint is a summary the agent made of the session so far.
type Checkpoint struct {
	Number    int       `json:"number"` // from 1
	Title     string    `json:"title,omitempty" text:"line"`
	At        time.Time `json:"at,omitzero"`
	Overview  string    `json:"overview,omitempty" text:"said"`
	History   string    `json:"history,omitempty" text:"said"`
	WorkDone  string    `json:"work_done,omitempty" text:"said"`
	Technical string    `json:"technical_details,omitempty" text:"said"`
	Important string    `json:"important_files,omitempty" text:"said"`
	NextSteps string    `json:"next_steps,omitempty" text:"said"`
	Raw       string    `json:"raw,omitempty" text:"said"` // whole text where it has no sections
	Inherited bool      `json:"inherited,omitempty"`       // made before the fork, as of Turn.Inherited
}

// Artifact kinds.
const (
	Plan     = "plan"
	Memory   = "memory"
	Research = "research"
	File     = "file"
	Summary  = "summary"
)

// Artifact is a text the agent or the person kept beside the conversation.
type Artifact struct {
	Kind string    `json:"kind"`
	Name string    `json:"name" text:"name"` // file name, slashes between folders
	At   time.Time `json:"at,omitzero"`
	Text string    `json:"text,omitempty" text:"said"`
	Size int64     `json:"size,omitempty"`             // bytes on disk
	Left string    `json:"left,omitempty" text:"line"` // why Text is absent or cut: binary, too large, …; empty: it is all there
}

// Todo states.
const (
	TodoOpen       = "open"
	TodoInProgress = "in_progress"
	TodoDone       = "done"
	TodoBlocked    = "blocked"
)

// Todo is one entry of the agent's own list.
type Todo struct {
	ID          string    `json:"id" text:"name"`
	Title       string    `json:"title" text:"line"`
	Status      string    `json:"status"`
	Raw         string    `json:"raw,omitempty" text:"line"`    // status as the source spells it
	Origin      string    `json:"origin,omitempty" text:"line"` // session.db, …
	Description string    `json:"description,omitempty" text:"said"`
	After       []string  `json:"after,omitempty" text:"name"` // ids it depends on
	At          time.Time `json:"at,omitzero"`
}

// Kinds of file touches. Weaker ones come last.
const (
	Created   = "created"
	Edited    = "edited"
	Deleted   = "deleted"
	Renamed   = "renamed"
	Viewed    = "viewed"
	Mentioned = "mentioned"
)

// FileTouch says that the session did something with a file.
type FileTouch struct {
	Path string `json:"path" text:"name"` // as recorded, absolute or not, either slash
	Kind string `json:"kind"`
	Tool string `json:"tool,omitempty" text:"line"`
	Turn int    `json:"turn"` // index, -1 unknown
	// TurnID is the id of the turn, given by layers that have no turns of their own.
	TurnID string    `json:"turn_id,omitempty"`
	At     time.Time `json:"at,omitzero"`
	// Verdict is what the person made of the change, empty where it is unknown.
	Verdict Verdict `json:"verdict,omitempty"`
}

// Verdict is the answer of a person to a change the agent made to a file.
type Verdict string

// The verdicts.
const (
	Accepted Verdict = "accepted"
	Rejected Verdict = "rejected"
)

// Ref types.
const (
	Commit = "commit"
	PR     = "pr"
	Issue  = "issue"
)

// Ref names something on the forge or in the repository.
type Ref struct {
	Type  string `json:"type" text:"line"`
	Value string `json:"value" text:"name"`          // short hash or number; empty: a commit whose hash was not printed
	Text  string `json:"text,omitempty" text:"line"` // commit subject, title
	Repo  string `json:"repo,omitempty" text:"name"` // host/owner/name where it is known to be another than the session's
	Turn  int    `json:"turn"`                       // index, -1 unknown
	// At is when its turn began. Where the turn is not known nothing dates it.
	At time.Time `json:"at,omitzero"`
}

// Line writes a commit in one line: its hash, where that is known, and its subject.
func (r Ref) Line() string {
	if r.Value == "" {
		return r.Text
	}
	return strings.TrimSpace("`" + r.Value + "` " + r.Text)
}
