package statedb

import (
	"fmt"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Entry is one session as the lists of VS Code show it. One that a list of marks
// alone knows has neither title nor times.
type Entry struct {
	ID       string // UUID in lower case, or the raw id
	Scheme   string // who provides the session: "local", "copilotcli", "claude-code", …; empty unknown
	Title    string
	Created  time.Time
	Updated  time.Time // last request, as far as the lists know
	Archived bool
	Pinned   bool
	Empty    bool   // it holds no request
	Status   string // complete, cancelled, failed or pending; empty unknown
	Changes  string // "3 files, +10 -2"; empty unknown or none
	// WorkingDirectory is a path of the machine the session ran on.
	WorkingDirectory string
}

// Session is what the entry says of its session, without agent. The title of a
// session of VS Code's own is often a cut of the first prompt, that of others is
// the name their provider gave them.
func (e Entry) Session() *sources.Session {
	s := &sources.Session{
		ID: e.ID, Created: e.Created, Updated: e.Updated, Archived: e.Archived, Pinned: e.Pinned,
		Place: sources.Place{Cwd: e.WorkingDirectory},
	}
	if e.Title != "" && !e.Empty { // an empty one is called "New Chat"
		s.Title, s.TitleFrom = e.Title, sources.TrustDerived
		if e.Scheme != SchemeLocal {
			s.TitleFrom = sources.TrustNamed
		}
	}
	return s
}

// responseStatus is what lastResponseState of the index counts.
func responseStatus(state *int64) string {
	return wordOf(state, sources.Pending, sources.Complete, sources.Cancelled, sources.Failed, sources.Pending)
}

// providerStatus is what status of the cache of agent sessions counts, another
// enumeration: failed, completed, in progress, needs input.
func providerStatus(state *int64) string {
	return wordOf(state, sources.Failed, sources.Complete, sources.Pending, sources.Pending)
}

func wordOf(n *int64, words ...sources.Status) string {
	if n != nil && *n >= 0 && *n < int64(len(words)) {
		return string(words[*n])
	}
	return ""
}

// moment reads milliseconds since 1970; the zero time stands for what is none.
func moment(ms int64) time.Time {
	const year9999 = 253370764800000 // beyond some bound a count of milliseconds turns round
	if ms <= 0 || ms >= year9999 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// timing are the times of a session, of any version.
type timing struct {
	Created            int64 `json:"created"`
	StartTime          int64 `json:"startTime"`
	LastRequestStarted int64 `json:"lastRequestStarted"`
	LastRequestEnded   int64 `json:"lastRequestEnded"`
	EndTime            int64 `json:"endTime"`
}

// span reads `timing` of any version, and where that is missing the one date the
// index always had.
func (e *Entry) span(at timing, last int64) {
	if e.Created = moment(at.Created); e.Created.IsZero() {
		e.Created = moment(at.StartTime)
	}
	e.Updated = e.Created
	for _, ms := range []int64{at.LastRequestStarted, at.LastRequestEnded, at.EndTime, last} {
		if t := moment(ms); t.After(e.Updated) {
			e.Updated = t
		}
	}
}

// changes are numbers of files and lines, or a list of files with theirs.
type changes struct {
	FileCount  int64     `json:"fileCount"` // the first three in the index, the others in the cache
	Added      int64     `json:"added"`
	Removed    int64     `json:"removed"`
	Files      int64     `json:"files"`
	Insertions int64     `json:"insertions"`
	Deletions  int64     `json:"deletions"`
	List       []changes `as:"list"` // nil: there is none
}

// String says in words how many files and lines changed.
func (c changes) String() string {
	files, added, removed := count(c.FileCount+c.Files), count(c.Added+c.Insertions), count(c.Removed+c.Deletions)
	for _, f := range c.List {
		files, added, removed = files+1, added+count(f.Added+f.Insertions), removed+count(f.Removed+f.Deletions)
	}
	switch {
	case files == 0 && added == 0 && removed == 0:
		return ""
	case files == 1:
		return fmt.Sprintf("1 file, +%d -%d", added, removed)
	}
	return fmt.Sprintf("%d files, +%d -%d", files, added, removed)
}

// count is a number of files or lines; what cannot be one counts nothing.
func count(n int64) int64 {
	if n > 0 && n < 1e9 {
		return n
	}
	return 0
}
