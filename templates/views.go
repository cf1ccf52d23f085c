package templates

import "time"

// The views are what the pages are made of. Every string in them is raw text
// of a source or of a note's facts unless its type is [Safe]; the templates put
// each through the escaper of the place where it stands. Times are already in
// the vault's time zone. Slices are in the order of the page.

// Safe is inline markdown that was read back from a note of the vault, where it
// had passed an escaper or was written by the user. It is still passed through
// the inline escaper, which is idempotent.
type Safe string

// Link points to another note. An empty Path means that there is no such note:
// only the text is shown.
type Link struct {
	Path string // from the vault's root, slashes, without ".md"
	Text string
}

// Span is a stretch of work without a long pause.
type Span struct{ Start, End time.Time }

// Box is a task. Why says where it comes from ("plan", "checkpoint 3", "todo").
type Box struct {
	Text  string
	State string // open, in_progress, blocked, done
	Why   string
	After []string // titles of the todos it waits for
}

// Ref is a commit, pull request or issue. URL is empty where the forge is unknown.
type Ref struct {
	Type  string // commit, pr, issue
	Value string
	Text  string
	URL   string
}

// Session is the body of a session note, or of its part Part of Parts.
type Session struct {
	Title       string
	Summary     string
	Project     Link
	Folders     []Link // projects of the folders it worked in, where these are several
	Parent      Link   // session it was forked from; Text empty: none
	Agent       string
	Branch      string
	BaseBranch  string
	Models      []string
	Spans       []Span
	Prompts     int
	Damage      []string // what could not be read, in plain words
	Open, Done  []Box
	Commits     []Ref
	Others      []Ref // pull requests and issues
	Knowledge   []Excerpt
	Checkpoints []CheckpointLine
	Files       []FileLine
	MoreFiles   int      // files beyond those listed
	LeftOut     []string // artifacts that were not taken over, with the reason
	Transcript  string   // full, digest, none
	Turns       []Turn
	Part, Parts int // 1 of 1 for a note in one piece; part 1 holds all but the later turns
	PartLinks   []Link
}

// Excerpt is a part of a checkpoint worth knowing on its own (markdown).
type Excerpt struct {
	From Link
	Text string
}

// CheckpointLine lists one checkpoint.
type CheckpointLine struct {
	Number   int
	Link     Link
	At       time.Time
	Overview string
}

// FileLine is one row of the files table of a session.
type FileLine struct {
	Path    string
	What    []string // created, edited, deleted, renamed; nothing weaker
	Prompts []int    // numbers of the prompts, from 1
}

// Turn is one prompt with its answer.
type Turn struct {
	Number      int // from 1
	At          time.Time
	NewDay      bool // first turn of another day than the turn before
	Prompt      string
	Answer      string // markdown
	Status      string // complete, cancelled, failed, pending
	Inherited   bool   // said in the session this one was forked from, which no longer tells it
	Error       string
	Model       string // only where it differs from the turn before
	Mode        string // only where it is not the usual one
	Attachments []string
	Images      []string // paths of pictures of ours, from the vault's root
	Citations   []string
	Tools       []ToolLine
	Digest      bool // shorten the answer
}

// ToolLine groups calls of a turn: "edited `jwt.go` ×2", "ran 3 commands".
type ToolLine struct {
	Kind    string // one of the tool kinds of package sources
	Name    string // raw name
	Details []ToolDetail
}

// ToolDetail is one call.
type ToolDetail struct {
	Text   string
	Failed bool
	Times  int
	Within []ToolLine // calls that a sub-agent made in it
}

// Checkpoint is the body of a checkpoint note.
type Checkpoint struct {
	Number                                                            int
	Title                                                             string
	At                                                                time.Time
	Session                                                           Link
	Project                                                           Link
	Overview, NextSteps, WorkDone, Technical, Important, History, Raw string
}

// Memory is the body of a note that holds a plan, memory, research or saved file.
type Memory struct {
	Kind    string // plan, memory, research, file, summary
	Name    string // file name as the agent called it
	Title   string
	At      time.Time
	Session Link // Text empty: it belongs to a repository or user
	Project Link
	Scope   string // session, repo, user
	Branch  string
	Text    string
	Left    string // why the text is cut or absent
}

// Nav is the navigation region of any note.
type Nav struct {
	Prev, Next  Link
	Up          Link
	Days        []Link
	Files       []Link // notes of hot files this session edited
	Memory      []Link // plans, research, … of this session
	Checkpoints []Link // for a session that lists none in its body
	Forks       []Link // sessions forked from this one
}

// Thread is one open end.
type Thread struct {
	Text    Safe
	Session Link
	Project Link // empty on the project's own page
	At      time.Time
}

// SessionRow lists one session on another page.
type SessionRow struct {
	At      time.Time
	Link    Link
	Project Link   // empty on the project's own page
	What    string // what came of it: refs or the start of the summary
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
	Kind string
	Link Link
	At   time.Time
}

// Week counts sessions of an ISO week.
type Week struct {
	Label string // "W45"
	Count int
}

// HotBar is a bar of the chart of hot files.
type HotBar struct {
	Label    string // the path, short enough for a chart, other than those of the other bars
	Sessions int
}

// Project is the overview page of a project.
type Project struct {
	Name         string
	Repository   string // owner/name, empty for a folder
	URL          string
	First, Last  time.Time
	Latest       Link
	Folders      []Link // projects of the folders of a workspace
	Count        int
	Canvas       string // path of its canvas from the vault's root, empty: there is none
	SessionsBase string // paths of the bases, empty: there are none
	FilesBase    string
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
	Path        string
	Project     Link
	URL         string
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
	SessionsBase string // paths of the bases from the vault's root, empty: there are none
	FilesBase    string
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
