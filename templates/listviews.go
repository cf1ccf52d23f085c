package templates

import "time"

// The views of pages that list notes.

// Thread is one thing that is open.
type Thread struct {
	Text    Text
	Block   Path // id of its block
	Session Link
	Project Link
	From    Link // the turn it stands in, with the act that it rests on
	Since   time.Time
	Refused bool // its box is ticked on the page, and a session note could not be ticked
}

// SessionRow lists one session on another page.
type SessionRow struct {
	At      time.Time
	Link    Link
	Project Link // empty on the project's own page
	Agent   Text // on the page of a project in which several work
	What    Text // what came of it
	Prompts int
}

// PeriodRow lists what a session did on a day or in a week.
type PeriodRow struct {
	At        time.Time // when it began, or went on
	Link      Link
	Continued bool // it had begun before
	What      Text // what came of it
	Refs      []PeriodRef
	Files     []Code
	MoreFiles int
}

// PeriodRef is a commit, pull request or issue of a day.
type PeriodRef struct {
	Link Link // to the turn, with its name
	Text Text // its subject or title
}

// OpenLine is something left open at the end of a week.
type OpenLine struct {
	Text Text
	From Link
}

// FileRow lists one hot file.
type FileRow struct {
	Link     Link
	Sessions int
	Last     time.Time
	Why      Link // what it was changed for last
}

// MemoryRow lists one plan, memory, research or saved file.
type MemoryRow struct {
	Kind Text
	Link Link
	At   time.Time
}

// Project is the page of a project: a briefing for whoever continues with it.
type Project struct {
	Name         Text
	Repository   Text // owner/name, empty for a folder
	URL          Address
	First, Last  time.Time
	Count        int
	Agents       []Text // that work in it
	Usage        Usage
	Folders      []Link // projects of the folders of a workspace
	Now          Now
	Open         []Thread
	MoreOpen     int
	Threads      Link
	Ended        []SessionEnded
	Details      []Fact // technical details of the newest checkpoint
	GoOn         []Text // see Session.GoOn
	Words        []Said // what agents said of its newest sessions
	Decided      []Decided
	Memory       []Fact // what agents keep of the repository
	Commands     []Worked
	Fixes        []Fixed
	Files        []FileRow
	Sessions     []SessionRow // that left something behind
	MoreSessions int          // older ones not listed
	Others       []Link       // those that left nothing behind
	MoreOthers   int
	Refs         []RefRow
	Saved        []Link // plans, research and saved files
	Canvas       Path   // path of its canvas from the vault's root, empty: there is none
	SessionsBase Path   // paths of the bases, empty: there are none
	FilesBase    Path
}

// Now is the state of a project: the outcome of its latest session.
type Now struct {
	What   Text
	Link   Link // to the session, by its day
	Branch Code
}

// Decided is something that was decided.
type Decided struct {
	At   time.Time
	Text Text
	Kind Text // answered, plan accepted, refused, taken back
	From Link // the turn in which it was
}

// Said is a line of what an agent said of a session, see [Words].
type Said struct {
	At   time.Time
	Text Text
	By   Text
	Link Link // to the turn of its quotation
}

// SessionEnded quotes on the page of a project how a session ended.
type SessionEnded struct {
	At         time.Time
	Session    Link
	Prompt     Text // the last one
	Words      Text // the closing words
	Steps      []Text
	Checkpoint Link // that names the steps
	Check      LastCheck
}

// Fact is a line that an agent keeps of a repository.
type Fact struct {
	Text Text
	Link Link
}

// Worked is a command that worked.
type Worked struct {
	Kind Text // test, build, run, lint, deploy
	Line Code
	Link Link // to the turn, by its day
}

// Fixed is an error and what fixed it.
type Fixed struct {
	At   time.Time
	Text Text
	By   Text // a commit with its subject, or a command
	Link Link // to the session
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
	Why  Text // the subject of the commit that the turn made, else what was asked, or came of it
	Link Link // to the turn, by its session
}

// Issue is the page of an issue or pull request that several sessions name.
type Issue struct {
	Name         Text // "Issue 42", and its title where that is known
	Where        Text // owner/name#42, else its number
	URL          Address
	Project      Link
	First, Last  time.Time
	Count        int // sessions
	Sessions     []IssueSession
	MoreSessions int // older ones
	Days         []Link
	MoreDays     int
	Commits      []Entry // of these sessions; What is the subject
	MoreCommits  int
	Files        []FileRow // that these sessions changed
	MoreFiles    int
}

// IssueSession is a session that names an issue.
type IssueSession struct {
	At      time.Time // when it did so first
	Link    Link      // to that turn
	Project Link      // empty for a session of the issue's own
	What    Text      // what came of the session
	Asked   []Entry   // prompts that name it, with links to their turns
}

// Day is a page of the journal.
type Day struct {
	Date     time.Time
	Count    int // sessions
	Projects []DayProject
}

// DayProject is what happened in one project on a day.
type DayProject struct {
	Project  Link
	Sessions []PeriodRow // that left something behind
	Others   []PeriodRow // those that did not
}

// Usage says by which models sessions were, and how many tokens they used.
type Usage struct {
	Models []ModelUse
	Tokens int // in and out; 0: nobody tells
}

// ModelUse is a model and in how many sessions it was at work.
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
	Sessions  []Entry // that left something behind
	Others    int     // those that did not
	OtherDays []Link  // on which they were at work
	Decided   []Entry
	Open      []OpenLine // as at the end of the week
	MoreOpen  int
	Memory    []Link // written in the week
}

// Home is the entry page.
type Home struct {
	Threads      Link
	Weeks        []Link // latest first
	SessionsBase Path   // paths of the bases from the vault's root, empty: there are none
	FilesBase    Path
	Projects     []ProjectRow
	Sessions     []SessionRow // latest that left something behind
	Others       []Link       // those between them that left nothing behind
	MoreOthers   int
	Open         []HomeThread
	OpenCount    int         // threads
	OldCount     int         // of them
	Memory       []MemoryRow // what agents keep of the person, whatever the project
	Count        int
	First, Last  time.Time
	Zone         Text // name of the zone of all times
}

// ProjectRow lists one project.
type ProjectRow struct {
	Link     Link
	Sessions int
	Open     int
	Last     time.Time
}

// HomeThread is an open thread on Home: a link to it on the page of all.
type HomeThread struct {
	Link    Link
	Project Link
	At      time.Time
}

// Threads is the page of everything left open.
type Threads struct {
	Groups    []ThreadGroup
	Open, Old int // how many are open, and how many of them are old
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

// ThreadSession are the threads that one session named last.
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
