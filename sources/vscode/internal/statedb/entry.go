package statedb

import (
	"fmt"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
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
func responseStatus(n *tree.Node) string {
	return wordOf(n, sources.Pending, sources.Complete, sources.Cancelled, sources.Failed, sources.Pending)
}

// providerStatus is what status of the cache of agent sessions counts, another
// enumeration: failed, completed, in progress, needs input.
func providerStatus(n *tree.Node) string {
	return wordOf(n, sources.Failed, sources.Complete, sources.Pending, sources.Pending)
}

func wordOf(n *tree.Node, words ...sources.Status) string {
	if v, ok := n.Int(); ok && v >= 0 && v < int64(len(words)) {
		return string(words[v])
	}
	return ""
}

// moment reads milliseconds since 1970; the zero time stands for what is none.
func moment(n *tree.Node) time.Time {
	const year9999 = 253370764800000 // beyond some bound a count of milliseconds turns round
	v, ok := n.Int()
	if !ok || v <= 0 || v >= year9999 {
		return time.Time{}
	}
	return time.UnixMilli(v).UTC()
}

// span reads `timing` of any version, and where that is missing the one date the
// index always had.
func (e *Entry) span(timing, last *tree.Node) {
	for _, name := range []string{"created", "startTime"} {
		if e.Created.IsZero() {
			e.Created = moment(timing.Get(name))
		}
	}
	e.Updated = e.Created
	for _, n := range []*tree.Node{timing.Get("lastRequestStarted"), timing.Get("lastRequestEnded"), timing.Get("endTime"), last} {
		if t := moment(n); t.After(e.Updated) {
			e.Updated = t
		}
	}
}

// change says in words how many files and lines changed. n is a count of them, or
// a list of files.
func change(n *tree.Node, files, added, removed string) string {
	var f, a, r int64
	if n.Kind() == tree.Array {
		f = int64(n.Len())
		for _, file := range n.Items() {
			a, r = a+count(file.Get(added)), r+count(file.Get(removed))
		}
	} else {
		f, a, r = count(n.Get(files)), count(n.Get(added)), count(n.Get(removed))
	}
	switch {
	case f == 0 && a == 0 && r == 0:
		return ""
	case f == 1:
		return fmt.Sprintf("1 file, +%d -%d", a, r)
	}
	return fmt.Sprintf("%d files, +%d -%d", f, a, r)
}

// count is a number of files or lines; what cannot be one counts nothing.
func count(n *tree.Node) int64 {
	if v, ok := n.Int(); ok && v > 0 && v < 1e9 {
		return v
	}
	return 0
}
