package templates

import (
	"time"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// Views are the data of pages. Every text in them is raw, from a source or a note's facts; its type escapes
// it when a template prints it. Times are in the vault's time zone. Slices are in the order of the page.

// Link links to another note. An empty Path means that there is no such note: only the text is shown.
type Link struct {
	Path Path // relative to the vault's root, slashes, without ".md"
	Text Text
}

// String writes the link for a line.
func (l Link) String() string { return escape.Link(string(l.Path), string(l.Text)) }

// Span is a period of work without a long pause.
type Span struct{ Start, End time.Time }

// Box is a checkbox: an item that a session left open or closed.
type Box struct {
	Text  Text
	Block Path   // id of its block, empty for a done item
	From  Link   // its turn or plan
	After []Text // titles of the todos it waits for
}

// Ref is a commit, pull request or issue. URL is empty if the forge is unknown.
type Ref struct {
	Type  Text // commit, pr, issue
	Value Text
	Text  Text
	URL   Address
	Turn  Link // the turn that made it, in its session's note
	Note  Path // note of the issue or pull request, or empty
}

// Session is the body of a session note, or of its part Part of Parts.
type Session struct {
	Title       Text
	Summary     Text
	SummaryFrom Link // its origin
	Project     Link
	Folders     []Link // projects of its folders, if there are several
	Parent      Link   // session it was forked from; Text empty: none
	Agent       Text
	Headless    bool // a command began it with its prompt
	Branch      Code
	BaseBranch  Code
	Models      []Code
	Spans       []Span
	Prompts     int
	Damage      []Text // unreadable parts, in plain words
	Open, Done  []Box
	Commits     []Ref
	Others      []Ref    // pull requests and issues
	Words       []Worded // agents' answers about it
	Decided     []Decided
	Remembered  []Remembered
	Ended       Ended
	Saved       []Link // plans, research and files that it wrote
	Commands    []Command
	Failed      int // number of failed ones
	SubAgents   []SubAgent
	Actions     []Action // the user's actions besides prompts
	TakenBack   []Turn   // turns that the user took back
	GoOn        []Text   // lines to continue from: a command, then a quotation
	Checkpoints []CheckpointLine
	Files       []FileLine
	MoreFiles   int    // files beyond those listed
	LeftOut     []Text // omitted artifacts, with the reason
	Transcript  Text   // full, digest, none
	Turns       []Turn
	Part, Parts int // 1 of 1 for an undivided note; part 1 holds everything but the later turns
	PartLinks   []Link
}

// Worded is a line of an agent's answer about a session. In a session By and Kind are empty if they are as in
// the line before.
type Worded struct {
	By    Text
	At    time.Time
	Old   bool // the session continued since
	Kind  Text // Outcome, Left, Decision, Learned
	Text  Text
	Quote Text // its quotation
	From  Link // the turn of the quotation
}

// Remembered is a memory that the session stored.
type Remembered struct {
	Subject, Fact Text
	From          Link
}

// Ended quotes how a session ended.
type Ended struct {
	Prompt     Text // the last one, in a line
	Turn       Link
	Broke      Text   // why it ended without an answer, or empty
	Words      []Text // closing words: a paragraph, or the entries of a list
	Steps      []Text // next steps of the newest checkpoint
	Checkpoint Link
	At         time.Time // when the checkpoint was made
	Followed   int       // prompts after it
	Check      LastCheck
}

// LastCheck is the last test, build or lint. An empty Line means that there is none.
type LastCheck struct {
	Line Code
	Exit Text
	Turn Link
}

// Command is a command that an agent ran.
type Command struct {
	Turn   Link
	What   Text // the agent's description
	Line   Code
	Failed Text // "exit code 1", empty for a success or an unknown end
}

// SubAgent is work that a sub-agent did for a session.
type SubAgent struct {
	Name   Text
	Calls  int  // number of its tool calls
	Turn   Link // where it began
	Task   Text // its task
	Answer Text // markdown
}

// Action is a user's action besides prompts.
type Action struct {
	Turn Link // the turn before it
	Line Code // typed line
}

// CheckpointLine lists one checkpoint.
type CheckpointLine struct {
	Number   int
	Link     Link
	At       time.Time
	Overview Text
}

// FileLine is one row of the files table of a session.
type FileLine struct {
	Path    Code
	What    []Text // created, edited, deleted, renamed; nothing weaker
	Prompts []Link // links to the turns, with their numbers
}

// Turn is one prompt with its answer.
type Turn struct {
	Number      int    // from 1
	Block       Path   // the id of its block
	Open        bool   // shown unfolded
	Joined      []Turn // short prompts that followed, shown in its block
	At          time.Time
	NewDay      bool // first turn of another day than the turn before
	Prompt      Text
	Answer      Text // markdown
	Status      Text // complete, cancelled, failed, pending
	Inherited   bool // said in the parent of a fork, which no longer has it
	Error       Text
	Model       Code // only if it differs from the turn before
	Mode        Text // only if it is not the default
	Attachments []Code
	Images      []Path // paths of generated pictures, from the vault's root
	Citations   []Text
	Tools       []ToolLine
	Digest      bool // shorten the answer
}

// ToolLine groups calls of a turn: "edited `jwt.go` ×2", "ran 3 commands".
type ToolLine struct {
	Kind    Text // one of the tool kinds of package sources
	Name    Code // raw name
	Details []ToolDetail
}

// ToolDetail is one call.
type ToolDetail struct {
	Text   Text
	Failed bool
	Times  int
	Within []ToolLine // calls that a sub-agent made in it
}

// Checkpoint is the body of a checkpoint note.
type Checkpoint struct {
	Number                                                            int
	Title                                                             Text
	At                                                                time.Time
	Session                                                           Link
	Project                                                           Link
	Overview, NextSteps, WorkDone, Technical, Important, History, Raw Text
}

// Memory is the body of a note that holds a plan, memory, research or saved file.
type Memory struct {
	Kind    Text // plan, memory, research, file, summary
	Name    Code // the agent's file name
	Title   Text
	At      time.Time
	Session Link // Text empty: it belongs to a repository or user
	Project Link
	Scope   Text // session, repo, user
	Text    Text
	Left    Text // why the text is cut or absent
}

// Nav has the links at the end of any note.
type Nav struct {
	Prev, Next Link
	Up         Link
	Days       []Link
	Files      []Link // notes of hot files this session edited
	Issues     []Link // notes of issues and pull requests this session names
	Memory     []Link // plans, research, … of this session
	Forks      []Link // sessions forked from this one
}
