package templates

import (
	"time"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// The views are what the pages are made of. Every text in them is raw, of a source or
// of a note's facts; its type escapes it where a template prints it. Times are already
// in the vault's time zone. Slices are in the order of the page.

// Link points to another note. An empty Path means that there is no such note:
// only the text is shown.
type Link struct {
	Path Path // from the vault's root, slashes, without ".md"
	Text Text
}

// String writes the link for a line.
func (l Link) String() string { return escape.Link(string(l.Path), string(l.Text)) }

// Span is a stretch of work without a long pause.
type Span struct{ Start, End time.Time }

// Box is a task. Why says where it comes from ("plan", "checkpoint 3", "todo").
type Box struct {
	Text  Text
	State Text // open, in_progress, blocked, done
	Why   Text
	After []Text // titles of the todos it waits for
}

// Ref is a commit, pull request or issue. URL is empty where the forge is unknown.
type Ref struct {
	Type  Text // commit, pr, issue
	Value Text
	Text  Text
	URL   Address
}

// Session is the body of a session note, or of its part Part of Parts.
type Session struct {
	Title       Text
	Summary     Text
	SummaryFrom Link // who said so
	Project     Link
	Folders     []Link // projects of the folders it worked in, where these are several
	Parent      Link   // session it was forked from; Text empty: none
	Agent       Text
	Branch      Code
	BaseBranch  Code
	Models      []Code
	Spans       []Span
	Prompts     int
	Damage      []Text // what could not be read, in plain words
	Open, Done  []Box
	Commits     []Ref
	Others      []Ref // pull requests and issues
	Knowledge   []Excerpt
	Checkpoints []CheckpointLine
	Files       []FileLine
	MoreFiles   int    // files beyond those listed
	LeftOut     []Text // artifacts that were not taken over, with the reason
	Transcript  Text   // full, digest, none
	Turns       []Turn
	Part, Parts int // 1 of 1 for a note in one piece; part 1 holds all but the later turns
	PartLinks   []Link
}

// Excerpt is a part of a checkpoint worth knowing on its own (markdown).
type Excerpt struct {
	From Link
	Text Text
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
	Prompts []Link // to the turns, with their numbers
}

// Turn is one prompt with its answer.
type Turn struct {
	Number      int    // from 1
	Block       Path   // the id of its block
	Open        bool   // it is shown unfolded
	Joined      []Turn // short prompts that followed, shown in its block
	At          time.Time
	NewDay      bool // first turn of another day than the turn before
	Prompt      Text
	Answer      Text // markdown
	Status      Text // complete, cancelled, failed, pending
	Inherited   bool // said in the session this one was forked from, which no longer tells it
	Error       Text
	Model       Code // only where it differs from the turn before
	Mode        Text // only where it is not the usual one
	Attachments []Code
	Images      []Path // paths of pictures of ours, from the vault's root
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
	Name    Code // file name as the agent called it
	Title   Text
	At      time.Time
	Session Link // Text empty: it belongs to a repository or user
	Project Link
	Scope   Text // session, repo, user
	Text    Text
	Left    Text // why the text is cut or absent
}

// Nav is the navigation region of any note.
type Nav struct {
	Prev, Next Link
	Up         Link
	Days       []Link
	Files      []Link // notes of hot files this session edited
	Memory     []Link // plans, research, … of this session
	Forks      []Link // sessions forked from this one
}

// Thread is one open end.
type Thread struct {
	Text    Text
	Session Link
	Project Link // empty on the project's own page
	At      time.Time
}

// SessionRow lists one session on another page.
type SessionRow struct {
	At      time.Time
	Link    Link
	Project Link // empty on the project's own page
	What    Text // what came of it: refs or the start of the summary
	Prompts int
	Open    int
	// Continued says, on the page of a day, that it had begun before.
	Continued bool
}

// FileRow lists one hot file.
type FileRow struct {
	Link     Link
	Sessions int
	Last     time.Time
}

// MemoryRow lists one plan, memory, research or saved file.
type MemoryRow struct {
	Kind Text
	Link Link
	At   time.Time
}

// Week counts sessions of an ISO week.
type Week struct {
	Label Text // "W45"
	Count int
}

// HotBar is a bar of the chart of hot files.
type HotBar struct {
	Label    Text // the path, short enough for a chart, other than those of the other bars
	Sessions int
}

// Project is the overview page of a project.
type Project struct {
	Name         Text
	Repository   Text // owner/name, empty for a folder
	URL          Address
	First, Last  time.Time
	Latest       Link
	Folders      []Link // projects of the folders of a workspace
	Count        int
	Canvas       Path // path of its canvas from the vault's root, empty: there is none
	SessionsBase Path // paths of the bases, empty: there are none
	FilesBase    Path
	Weeks        []Week // at most 26, oldest first
	Hot          []HotBar
	Open         []Thread
	MoreOpen     int
	Sessions     []SessionRow
	MoreSessions int // older ones not listed
	Files        []FileRow
	Memory       []MemoryRow
	Refs         []Ref
}

// File is the page of a hot file.
type File struct {
	Path        Code
	Project     Link
	URL         Address
	First, Last time.Time
	Count       int
	Sessions    []SessionRow
	More        int
	Together    []FileRow // files often edited in the same sessions; Sessions counts them
}

// Day is a page of the journal.
type Day struct {
	Date     time.Time
	Count    int // sessions
	Projects []DayProject
	Open     []Thread // of the sessions that ended on this day
	MoreOpen int
}

// DayProject is what happened in one project on a day.
type DayProject struct {
	Project  Link
	Sessions []SessionRow
}

// WeekSummary is the page of an ISO week.
type WeekSummary struct {
	Year, Number int
	First, Last  time.Time // Monday and Sunday
	Count        int       // sessions
	Projects     []WeekProject
	Open         []Thread // of the sessions that ended in this week
	MoreOpen     int
}

// WeekProject is what happened in one project in a week.
type WeekProject struct {
	Project  Link
	Count    int   // sessions
	Refs     []Ref // pull requests and issues
	MoreRefs int
	Commits  int
	Days     []WeekDay
}

// WeekDay is a day of a week in one project.
type WeekDay struct {
	Day      Link
	Sessions []SessionRow
}

// Home is the entry page.
type Home struct {
	Threads      Link
	Weeks        []Link // latest first
	SessionsBase Path   // paths of the bases from the vault's root, empty: there are none
	FilesBase    Path
	Projects     []ProjectRow
	Sessions     []SessionRow // latest
	Open         []Thread
	MoreOpen     int
	Memory       []MemoryRow // what agents keep of the person, whatever the project
	Count        int
	First, Last  time.Time
}

// ProjectRow lists one project.
type ProjectRow struct {
	Link     Link
	Sessions int
	Open     int
	Last     time.Time
}

// Threads is the page of everything left open.
type Threads struct {
	Projects []ThreadGroup
	Count    int
	More     int
}

// ThreadGroup is what is open in one project, newest first.
type ThreadGroup struct {
	Project Link
	Threads []Thread
}

// Index is the catalogue of a vault in the layout of a wiki: every page that
// matters with a line about it, by category.
type Index struct {
	Count       int // sessions
	First, Last time.Time
	Projects    []Entry
	Journal     []IndexGroup
	More        int // sessions beyond those listed
	References  []Entry
}

// IndexGroup are the sessions of a project, newest first.
type IndexGroup struct {
	Project  Link
	Sessions []Entry
}

// Entry is one line of a catalogue. A zero At is not shown.
type Entry struct {
	Link Link
	What Text
	At   time.Time
}

// Hot is what was worked on last in a vault in the layout of a wiki.
type Hot struct {
	Sessions []Entry
	Files    []HotFile
	Open     Threads
}

// HotFile is a file that is edited often.
type HotFile struct {
	Link, Project Link
	Sessions      int
	Last          time.Time
}
