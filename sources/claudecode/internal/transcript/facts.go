package transcript

import (
	"cmp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/places"
)

// facts are what each line of the tree tells of the session.
type facts struct {
	id      string // of the session, empty for a sub-agent
	place   places.Place
	first   time.Time // of a line that is not a copy
	version string    // of the first line
	parent  string
	foreign string // the first other session that a line names
	agent   string // the sub-agent whose lines they are
	slugs   []string

	begun bool // a line of the tree was seen
	whole bool // the first one began the session
	own   bool // a line names this session
	alone bool // all lines so far are those of a sub-agent
	head  bool // a program began it with its prompt
}

// begin takes in the first line of the tree.
func (f *facts) begin(isRoot bool) {
	if !f.begun {
		f.begun, f.whole = true, isRoot
	}
}

// describe takes in a line, and reports whether it is a copy of another session's.
func (f *facts) describe(r *lines.Record) (copied bool) {
	from := r.ForkedFrom.SessionID
	if from == "" && r.RequestSession != f.id {
		from = r.RequestSession
	}
	switch {
	case r.SessionID == f.id:
		f.own = true
	case r.SessionID != "" && f.foreign == "":
		f.foreign = r.SessionID
	}
	if from == "" && f.first.IsZero() {
		f.first = r.Timestamp.Time
	}
	f.parent, f.version, f.agent = cmp.Or(f.parent, from), cmp.Or(f.version, r.Version), cmp.Or(r.AgentID, f.agent)
	if r.Slug != "" && (len(f.slugs) == 0 || f.slugs[len(f.slugs)-1] != r.Slug) {
		f.slugs = append(f.slugs, r.Slug)
	}
	f.head = f.head || strings.HasPrefix(r.Entrypoint, "sdk-") || r.PromptSource == "sdk"
	f.place.At(r.Cwd, r.GitBranch)
	return from != ""
}

// inherit marks what was said in the session that this one was forked from. All in front
// of a copied turn is copied too: a prompt does not always say so itself.
func (f *facts) inherit(turns []*turn) {
	newest := -1
	for i, t := range turns {
		if t.foreign && f.own { // else it is the whole session under another name
			t.copied = true
			f.parent = cmp.Or(f.parent, f.foreign)
		}
		if t.copied {
			newest = i
		}
	}
	for _, t := range turns[:newest+1] {
		t.Inherited = true
	}
	if f.parent = sources.FoldUUID(f.parent); f.parent == f.id {
		f.parent = ""
	}
}

// created returns when the session itself began: a fork begins with its own first prompt.
func (f *facts) created(turns []*turn) time.Time {
	for _, t := range turns {
		if f.parent != "" && !t.Inherited && !t.At.IsZero() {
			return t.At
		}
	}
	return f.first
}

// titles are what a transcript calls the session, and others.
type titles struct {
	custom, model string
	leaves        []string          // lines of other transcripts, in order
	of            map[string]string // titles of the sessions that hold them
}

// leaf takes in the title of the session that holds a line, almost never this one.
func (t *titles) leaf(uuid, title string) {
	if title = strings.TrimSpace(title); uuid == "" || title == "" {
		return
	}
	if t.of == nil {
		t.of = map[string]string{}
	}
	if t.of[uuid] == "" {
		t.leaves = append(t.leaves, uuid)
	}
	t.of[uuid] = title
}

// name gives the title of the session.
func (t *titles) name(s *sources.Session) {
	if s.Title, s.TitleFrom = strings.TrimSpace(t.custom), sources.TrustUser; s.Title != "" {
		return
	}
	if s.Title, s.TitleFrom = strings.TrimSpace(t.model), sources.TrustNamed; s.Title == "" {
		s.TitleFrom = sources.TrustNone
	}
}
