package templates

import "time"

// The views of pages that list notes.

// Thread is an open item.
type Thread struct {
	Text    Text
	Block   Path // id of its block
	Session Link
	Project Link
	From    Link // its turn, with its act
	Since   time.Time
	Refused bool // its box is ticked here, but could not be in the session's note
}

// SessionRow lists one session on another page.
type SessionRow struct {
	At      time.Time
	Link    Link
	Project Link // empty on the project's own page
	Agent   Text // agent, on the page of a project with several
	What    Text // its outcome
	Prompts int
}

// PeriodRow lists a session's work on a day or in a week.
type PeriodRow struct {
	At        time.Time // when it began or continued
	Link      Link
	Continued bool // it had begun before
	What      Text // its outcome
	Refs      []PeriodRef
	Files     []Code
	MoreFiles int
}

// PeriodRef is a commit, pull request or issue of a day.
type PeriodRef struct {
	Link Link // link to the turn, with its name
	Text Text // its subject or title
}

// OpenLine is an item that a session of a week left open.
type OpenLine struct {
	Text Text
	From Link
}

// FileRow lists one hot file.
type FileRow struct {
	Link     Link
	Sessions int
	Last     time.Time
	Why      Link // reason of the last change
}

// MemoryRow lists one plan, memory, research or saved file.
type MemoryRow struct {
	Kind Text
	Link Link
	At   time.Time
}

// Project is the page of a project: a briefing for whoever continues it.
type Project struct {
	Name         Text
	Repository   Text // owner/name, empty for a folder
	URL          Address
	First, Last  time.Time
	Count        int
	Agents       []Text // agents that work in it
	Usage        Usage
	Folders      []Link // projects of the folders of a workspace
	Now          Now
	Open         []Thread
	MoreOpen     int
	Threads      Link
	Ended        []SessionEnded
	Details      []Fact   // technical details of the newest checkpoint
	GoOn         []Text   // see Session.GoOn
	Words        []Worded // agents' answers about its newest sessions
	Decided      []Decided
	Memory       []Fact // agents' memory about the repository
	Commands     []Worked
	Fixes        []Fixed
	Files        []FileRow
	Sessions     []SessionRow // sessions that left something
	MoreSessions int          // older ones not listed
	Others       []Link       // sessions that left nothing
	MoreOthers   int
	Refs         []RefRow
	Saved        []Link // plans, research and saved files
	Canvas       Path   // path of its canvas from the vault's root, or empty
	SessionsBase Path   // paths of the bases, or empty
	FilesBase    Path
}

// Now is the state of a project: the outcome of its latest session.
type Now struct {
	What   Text
	Link   Link // link to the session, by day
	Branch Code
}

// Decided is a decision.
type Decided struct {
	At   time.Time
	Text Text
	Kind Text // answered, plan accepted, refused, taken back
	From Link // its turn
}

// SessionEnded quotes on the page of a project how a session ended.
type SessionEnded struct {
	At         time.Time
	Session    Link
	Prompt     Text // the last one
	Words      Text // the closing words
	Steps      []Text
	Checkpoint Link // checkpoint with the steps
	Check      LastCheck
}

// Fact is a line of an agent's memory about a repository.
type Fact struct {
	Text Text
	Link Link
}

// Worked is a command that worked.
type Worked struct {
	Kind Text // test, build, run, lint, deploy
	Line Code
	Link Link // link to the turn, by day
}

// Fixed is an error and what fixed it.
type Fixed struct {
	At   time.Time
	Text Text
	By   Text // a commit with its subject, or a command
	Link Link // link to the session
}

// RefRow lists a pull request or an issue with the sessions that name it.
type RefRow struct {
	Ref      Ref
	Sessions []Link
}

// File is the page of a hot file.
type File struct {
	Path        Code
	Project     Link
	URL         Address
	First, Last time.Time
	Count       int
	Changes     []FileChange // newest first
	More        int
	Together    []FileRow // files often edited in the same sessions; Sessions counts them
}

// FileChange is a turn that changed a file.
type FileChange struct {
	At   time.Time
	Why  Text // the subject of the turn's commit, else its prompt or outcome
	Link Link // link to the turn, by its session
}

// Issue is the page of an issue or pull request that several sessions name.
type Issue struct {
	Name         Text // "Issue 42", and its title if known
	Where        Text // owner/name#42, else its number
	URL          Address
	Project      Link
	First, Last  time.Time
	Count        int // sessions
	Sessions     []IssueSession
	MoreSessions int // older ones
	Days         []Link
	MoreDays     int
	Commits      []Entry // commits of these sessions, with subjects
	MoreCommits  int
	Files        []FileRow // changed by these sessions
	MoreFiles    int
}

// IssueSession is a session that names an issue.
type IssueSession struct {
	At      time.Time // when it first did
	Link    Link      // link to that turn
	Project Link      // empty for a session of the issue's project
	What    Text      // its outcome
	Asked   []Entry   // prompts that name it, with links to their turns
}

// Day is a page of the journal.
type Day struct {
	Date     time.Time
	Count    int // number of sessions
	Projects []DayProject
}

// DayProject is what happened in one project on a day.
type DayProject struct {
	Project  Link
	Sessions []PeriodRow // work that left something
	Others   []PeriodRow // work that left nothing
}

// Usage has the models of sessions, and their tokens.
type Usage struct {
	Models []ModelUse
	Tokens int // in and out; 0: unknown
}

// ModelUse is a model with the number of its sessions.
type ModelUse struct {
	Model    Code
	Sessions int
}

// WeekSummary is the page of an ISO week.
type WeekSummary struct {
	Year, Number int
	First, Last  time.Time // Monday and Sunday
	Days         []Link
	Usage        Usage
	Projects     []WeekProject
}

// WeekProject is what happened in one project in a week.
type WeekProject struct {
	Project   Link
	Refs      []Ref // pull requests and issues
	MoreRefs  int
	Sessions  []Entry // sessions that left something
	Others    int     // number that left nothing
	OtherDays []Link  // days of those
	Decided   []Entry
	Open      []OpenLine // at the end of the week
	MoreOpen  int
	Memory    []Link // written in the week
}

// Home is the entry page.
type Home struct {
	Threads      Link
	Weeks        []Link // latest first
	SessionsBase Path   // paths of the bases from the vault's root, or empty
	FilesBase    Path
	Projects     []ProjectRow
	Sessions     []SessionRow // latest that left something
	Others       []Link       // sessions between them that left nothing
	MoreOthers   int
	Open         []HomeThread
	OpenCount    int         // number of threads
	OldCount     int         // number of old ones
	Memory       []MemoryRow // agents' memory about the person
	Count        int
	First, Last  time.Time
	Zone         Text // zone of all times
}

// ProjectRow lists one project.
type ProjectRow struct {
	Link     Link
	Sessions int
	Open     int
	Last     time.Time
}

// HomeThread is an open thread on Home, with a link to Open threads.
type HomeThread struct {
	Link    Link
	Project Link
	At      time.Time
}

// Threads is the page of everything left open.
type Threads struct {
	Groups    []ThreadGroup
	Open, Old int // number of open ones, and of old ones among them
	More      int
}

// ThreadGroup are threads of one age, by project and session.
type ThreadGroup struct {
	Name     Text // Open, Old
	Projects []ThreadProject
}

// ThreadProject are the threads of one project.
type ThreadProject struct {
	Project  Link
	Sessions []ThreadSession
}

// ThreadSession has the threads that one session mentioned last.
type ThreadSession struct {
	Session Link
	Threads []Thread
}

// Entry is one line of a list. A zero At is not shown.
type Entry struct {
	Link Link
	What Text
	At   time.Time
}
