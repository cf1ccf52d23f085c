package sources

import (
	"strings"
	"time"
)

// Session is one conversation of a person with an agent, or the part of it that one layer of a source
// knows. Times are UTC; the zero time means unknown. Text is as in the source: not redacted, not
// escaped.
type Session struct {
	ID    string `json:"id"`              // UUID in lower case; "<source>:<project>:<id>" if the source has no UUID
	Agent string `json:"agent,omitempty"` // a name from the table in sources/agents: copilot-cli, claude-code, …

	// Class is set for a session that is not a person's.
	Class Class `json:"class,omitempty"`
	// Headless says that a command began it with its prompt (claude -p, codex exec), with nobody beside
	// it.
	Headless bool `json:"headless,omitempty"`

	// IsMemory says that this is not a conversation but the memory of a repository or user: it has only
	// artifacts, and an ID made by the source.
	IsMemory bool `json:"shelf,omitempty"`
	// Scope of a memory.
	Scope Scope `json:"scope,omitempty"`
	// Aliases are other ids under which parts of this conversation may be found.
	Aliases []string `json:"aka,omitempty"`

	Title       string `json:"title,omitempty" text:"line"`
	TitleFrom   Trust  `json:"title_from,omitempty"` // compared with other layers' trust
	Summary     string `json:"summary,omitempty" text:"said"`
	SummaryFrom Trust  `json:"summary_from,omitempty"`
	// SummaryAt is when the summary was made. It does not cover later turns.
	SummaryAt time.Time `json:"summary_at,omitzero"`

	Place  Place    `json:"place"`
	Models []string `json:"models,omitempty" text:"name"` // in order of first use, without vendor prefix

	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"` // newest turn, checkpoint or todo; never an mtime

	Archived bool `json:"archived,omitempty"` // archived by the user in the agent's list
	Pinned   bool `json:"pinned,omitempty"`   // pinned to the top of that list

	Parent string `json:"parent,omitempty"` // session this one was forked from

	// Complete says that this layer holds the session from its start, so that what it lacks did not
	// happen. Lower layers fill gaps only if no layer is complete.
	Complete bool `json:"whole,omitempty"`
	// Supersedes names layers that add nothing to this one: a note built from them loses nothing without
	// them.
	Supersedes []string `json:"covers,omitempty"`
	// Rewound says that the user took back part of the session. Derived layers may still hold that part
	// and are ignored.
	Rewound bool `json:"rewound,omitempty"`
	// Damage says in plain words what could not be read, or is empty.
	Damage []string `json:"damage,omitempty" text:"line"`

	Turns       []Turn       `json:"turns,omitempty"`
	Checkpoints []Checkpoint `json:"checkpoints,omitempty"`
	Artifacts   []Artifact   `json:"artifacts,omitempty"`
	Todos       []Todo       `json:"todos,omitempty"`
	Files       []FileTouch  `json:"files,omitempty"`
	Refs        []Ref        `json:"refs,omitempty"`
	Delegated   []Delegation `json:"delegated,omitempty"` // in order of their start
	Actions     []Action     `json:"actions,omitempty"`   // in order of the session
	Acts        []Act        `json:"acts,omitempty"`      // in order of the session

	// TakenBack are turns that the user took back, if the source still has them: only prompts and
	// answers, which are shown but not counted.
	TakenBack []Turn `json:"taken_back,omitempty"`

	// Distilled are the answers of agents about the session, oldest first.
	Distilled []Distillate `json:"distilled,omitempty"`
}

// Class says who began a session.
type Class string

// The classes. The zero value is a person's session, also one that a command began with a person's
// prompt.
const (
	// Automatic is a session in which nobody typed a prompt: an observer, a probe, a warm-up, a run
	// that another program began. A sub-agent's work is a [Delegation] instead.
	Automatic Class = "automatic"
)

// Delegation is work that a sub-agent did for a session, in a conversation of its own. Its edits are in
// the Files of the session, with Turn -1.
type Delegation struct {
	ID     string    `json:"id" text:"name"`               // id of its conversation: unique in the session
	Name   string    `json:"name,omitempty" text:"line"`   // its name or kind
	Task   string    `json:"task,omitempty" text:"said"`   // its prompt
	Answer string    `json:"answer,omitempty" text:"said"` // its last words
	At     time.Time `json:"at,omitzero"`                  // when it began
	End    time.Time `json:"end,omitzero"`
	Calls  int       `json:"calls,omitempty"` // number of tool calls
	Tokens *Tokens   `json:"tokens,omitempty"`
}

// Action is something that the user did in the agent besides prompts: a shell command, a slash command,
// a goal that was set.
type Action struct {
	Kind string    `json:"kind"`             // one of the ActionKinds
	Text string    `json:"text" text:"said"` // typed text: "!git log", "/context", "/goal Ship it"
	Turn int       `json:"turn"`             // index of the turn it followed, -1: before the first
	At   time.Time `json:"at,omitzero"`
}

// The ActionKinds.
const (
	ActionShell   = "shell"   // a shell command that the user ran
	ActionCommand = "command" // a command of the agent
	ActionGoal    = "goal"
	ActionReview  = "review" // a review that the user asked for
)

// OnCalendar returns a time in UTC, or the zero time if its day in some zone, or the week of that day,
// cannot be written in notes.
func OnCalendar(t time.Time) time.Time {
	const last = 9998 // the last week of 9999 ends in a year that no format writes
	if t = t.UTC(); t.Year() < 1 || t.Year() > last {
		return time.Time{}
	}
	return t
}

// Scope says whom a memory serves.
type Scope string

// The scopes of a memory. The zero value is a repository's.
const (
	ScopeRepo Scope = "repo" // for the repository or folder in Place
	ScopeUser Scope = "user" // for the person, whatever they work on
)

// Trust ranks the values that layers give for one field. The greater wins; among equals, the more
// authoritative layer.
type Trust int

// The ranks of a title or summary.
const (
	TrustNone    Trust = iota
	TrustPrompt        // cut from the first prompt
	TrustDerived       // cut by a tool, or a row of a store
	TrustNamed         // named by a model
	TrustCustom        // given in an editor (customTitle)
	TrustUser          // given by the user
)

// Place is where a session worked, as raw facts, from which package extract finds the project. Paths
// are as recorded, of any operating system.
type Place struct {
	Cwd        string `json:"cwd,omitempty" text:"name"`
	GitRoot    string `json:"git_root,omitempty" text:"name"`
	Repository string `json:"repository,omitempty" text:"name"` // owner/name, host/owner/name or a remote's URL
	Host       string `json:"host,omitempty" text:"name"`       // github.com, where recorded
	HostType   string `json:"host_type,omitempty" text:"line"`  // github, ado, …
	Branch     string `json:"branch,omitempty" text:"line"`     // newest known
	BaseBranch string `json:"base_branch,omitempty" text:"line"`

	// Workspace is the .code-workspace file that joins Folders. For a single folder neither is set: it
	// is in Cwd.
	Workspace string   `json:"workspace,omitempty" text:"name"`
	Folders   []string `json:"folders,omitempty" text:"name"`

	// Guessed says that the folder was derived from what was said or edited, as its record is missing.
	// A stored folder that was recorded stays.
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
	User      string    `json:"user" text:"said"`        // typed text, without injected context
	Assistant string    `json:"assistant" text:"answer"` // visible text in order, paragraphs apart, no reasoning
	Last      int       `json:"last,omitempty"`          // byte offset in Assistant where the last message begins
	Model     string    `json:"model,omitempty" text:"line"`
	Mode      string    `json:"mode,omitempty" text:"line"` // interactive, plan, autopilot, …
	Agent     string    `json:"agent,omitempty" text:"line"`
	Status    Status    `json:"status,omitempty"`
	Inherited bool      `json:"inherited,omitempty"`         // said before the fork, in the session this one was forked from
	Error     string    `json:"error,omitempty" text:"said"` // message of a failed turn, never a stack
	Tokens    *Tokens   `json:"tokens,omitempty"`

	Attachments []Attachment `json:"attachments,omitempty"`
	Citations   []Citation   `json:"citations,omitempty"`
	Tools       []Tool       `json:"tools,omitempty"`
}

// Tokens used by a turn, if the source stores them.
type Tokens struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// Attachment is something the person added to a prompt.
type Attachment struct {
	Kind string `json:"kind" text:"line"` // file, directory, selection, image, commit, issue, …
	Name string `json:"name" text:"name"` // path or title
	// Content are the bytes of an image, if the source was asked to keep them.
	Content []byte `json:"content,omitempty"`
}

// Citation is public code an answer matched.
type Citation struct {
	License string `json:"license" text:"line"`
	Value   string `json:"value" text:"line"`
}

// Tool is one call of a tool: one line about it, and the command that it ran.
type Tool struct {
	Name   string `json:"name" text:"line"`             // raw name of the source
	Kind   string `json:"kind"`                         // one of the ToolKinds
	Detail string `json:"detail,omitempty" text:"line"` // description, else command or path; one line
	OK     *bool  `json:"ok,omitempty"`                 // nil: unknown
	// Command is the whole command of a call of [ToolRun], with its line breaks; empty if it ran none
	// or was refused.
	Command string `json:"command,omitempty" text:"said"`
	Exit    *int   `json:"exit,omitempty"` // exit code of Command; nil: unknown
	After   int    `json:"after"`          // byte offset in Turn.Assistant of the call
	// Errors are lines of its result that report an error: both ends of a failed call's output, else
	// the lines of a command's output that say so.
	Errors string `json:"errors,omitempty" text:"ends"`
	// Within is the number, from 1, of the call in Turn.Tools whose sub-agent made this one; 0: the
	// agent itself.
	Within int `json:"within,omitempty"`
}

// Checkpoint is the agent's summary of the session so far.
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
	Raw       string    `json:"raw,omitempty" text:"said"` // whole text if it has no sections
	Inherited bool      `json:"inherited,omitempty"`       // made before the fork, see Turn.Inherited
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
	Left string    `json:"left,omitempty" text:"line"` // why Text is absent or cut: binary, too large, …; empty: it is complete
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

// Kinds of file touches, strongest first.
const (
	Created   = "created"
	Edited    = "edited"
	Deleted   = "deleted"
	Renamed   = "renamed"
	Viewed    = "viewed"
	Mentioned = "mentioned"
)

// FileTouch is something that the session did with a file.
type FileTouch struct {
	Path string `json:"path" text:"name"` // recorded path, absolute or not, either slash
	Kind string `json:"kind"`
	Tool string `json:"tool,omitempty" text:"line"`
	Turn int    `json:"turn"` // index, -1 unknown
	// TurnID is the id of the turn, set by layers without turns.
	TurnID string    `json:"turn_id,omitempty"`
	At     time.Time `json:"at,omitzero"`
	// Verdict is the person's decision on the change, or "".
	Verdict Verdict `json:"verdict,omitempty"`
}

// Verdict is a person's decision on a change that the agent made to a file.
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
	Repo  string `json:"repo,omitempty" text:"name"` // host/owner/name, if known to differ from the session's
	Turn  int    `json:"turn"`                       // index, -1 unknown
	// At is when its turn began; zero if the turn is unknown.
	At time.Time `json:"at,omitzero"`
}

// Line returns a commit in one line: its hash, if known, and its subject.
func (r Ref) Line() string {
	if r.Value == "" {
		return r.Text
	}
	return strings.TrimSpace("`" + r.Value + "` " + r.Text)
}
