package catalog

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Filter limits a list.
type Filter struct {
	Sources  []string  // names; empty: all
	Projects []string  // globs over project key and name; empty: all
	Excluded []string  // globs over project key and name
	Since    time.Time // changed since then; zero: all
	Before   time.Time // changed before then; zero: all
}

// Of returns the entries that pass a filter.
func (f Filter) Of(c *Catalog, all []Entry) []Entry {
	out := []Entry{}
	for _, e := range all {
		if f.holds(e.Project, e.Updated) && f.holdsSource(c, e.Session) {
			out = append(out, e)
		}
	}
	return out
}

// Holds reports whether a session of a project passes a filter, whenever it changed; without a session,
// whether the project does.
func (f Filter) Holds(c *Catalog, project, session string) bool {
	return f.holds(project, f.Since) && f.holdsSource(c, session)
}

func (f Filter) holds(project string, at time.Time) bool {
	pr := identity.ProjectFromKey(project)
	return !slices.ContainsFunc(f.Excluded, pr.Matches) &&
		(len(f.Projects) == 0 || slices.ContainsFunc(f.Projects, pr.Matches)) &&
		!at.Before(f.Since) && (f.Before.IsZero() || at.Before(f.Before))
}

func (f Filter) holdsSource(c *Catalog, session string) bool {
	if len(f.Sources) == 0 || session == "" {
		return true
	}
	return slices.ContainsFunc(c.ledger.LayerNames(session), func(layer string) bool {
		source, _, _ := strings.Cut(layer, "/")
		return slices.Contains(f.Sources, source)
	})
}

// Strangers returns the globs that match no known project.
func (c *Catalog) Strangers(globs []string) []string {
	return slices.DeleteFunc(slices.Clone(globs), func(glob string) bool { return len(Filter{}.ProjectsLike(c, glob)) > 0 })
}

// Projects returns the names of the known projects, sorted.
func (c *Catalog) Projects() []string { return Filter{}.ProjectNames(c) }

// ProjectNames returns the names of the projects that pass a filter, sorted.
func (f Filter) ProjectNames(c *Catalog) (out []string) {
	for _, key := range c.ledger.Projects() {
		if f.holds(key, f.Since) {
			out = append(out, redact.Number(identity.ProjectFromKey(key).Name)[0])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ProjectsLike returns the keys of the projects that pass a filter and match a pattern.
func (f Filter) ProjectsLike(c *Catalog, pattern string) []string {
	return slices.DeleteFunc(c.ledger.Projects(), func(key string) bool {
		return !f.holds(key, f.Since) || !identity.ProjectFromKey(key).Matches(pattern)
	})
}

// Thread is an open item.
type Thread struct {
	ID      string    `json:"id"` // id of its block on "Open threads"
	Text    string    `json:"text"`
	Kind    ends.Kind `json:"kind"`    // list, box, question, plan or prompt: its act
	Project string    `json:"project"` // key
	Name    string    `json:"project_name"`
	Session string    `json:"session"` // id of the last one that mentioned it
	Since   time.Time `json:"since,omitzero"`
	Told    time.Time `json:"updated,omitzero"` // when it was last mentioned
	Short   string    `json:"-"`                // short id of Session, see [Catalog.Short]
}

// Threads lists the open items, latest first.
func (c *Catalog) Threads(f Filter) []Thread {
	out := []Thread{}
	for _, t := range index.Threads(c.ledger, c.ledger.OpenThreads(-1)) {
		m := t.Newest()
		session := strings.TrimPrefix(m.Session, "session:")
		if !f.holds(t.Project, m.At) || !f.holdsSource(c, session) {
			continue
		}
		shown := redact.Number(m.Shown(), t.Project)
		out = append(out, Thread{ID: t.ID(), Text: shown[0], Kind: m.Kind, Project: shown[1], Name: nameOf(shown[1]), Session: session, Since: t.Since(), Told: m.At, Short: c.Short(session)})
	}
	return out
}

// Missing is a known session without a note.
type Missing struct {
	Session string `json:"session"`
	Why     Why    `json:"why"`
	By      string `json:"by,omitempty"` // for a copy the session with all of it, for an ignored one the folder
}

// Why is the reason why a session has no note.
type Why string

// The reasons.
const (
	Forgotten Why = "forgotten" // its user forgot it
	Deleted   Why = "deleted"   // its note, by its user
	Ignored   Why = "ignored"   // a file in a folder excludes it
	Copied    Why = "copied"    // another session contains it
	Empty     Why = "empty"     // it has no words or work
	RowsOnly  Why = "rows_only" // only a database entry or typed prompts are left
	Automatic Why = "automatic" // nobody typed a prompt
	Excluded  Why = "excluded"  // filters of the run exclude it, or writing failed
)

// Missing lists the sessions without a note, by reason and id. copies, from the last run, are sessions that
// another one contains; nil: unknown.
func (c *Catalog) Missing(copies map[string]string) []Missing {
	noted, gone, ignored := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, row := range c.ledger.NotesOfType(names.TypeSession) {
		noted[row.Session] = row.State != ledger.Planned
	}
	for _, g := range c.ledger.Tombstones() {
		gone[g.ID] = true
	}
	for _, i := range c.ledger.IgnoredSessions() {
		ignored[i.Session] = i.Folder
	}
	out := []Missing{}
	seen := map[string]bool{}
	for _, s := range c.ledger.Sessions() {
		m := Missing{Session: s.ID, Why: Excluded}
		switch isKind := s.Kind == string(sources.KindSession); {
		case noted[s.ID], !isKind && s.Kind != ledger.KindForgotten:
			continue
		case s.Kind == ledger.KindForgotten, slices.ContainsFunc(index.IDsOf(s), func(id string) bool { return gone[index.ForgottenID(id)] }):
			m.Why = Forgotten
		case gone[names.SessionID(s.ID)]:
			m.Why = Deleted
		case ignored[s.ID] != "":
			m.Why, m.By = Ignored, ignored[s.ID]
		case s.Class == string(sources.Automatic):
			m.Why = Automatic
		case copies[s.ID] != "", copies == nil && s.Empty && s.FirstTurn != "":
			m.Why, m.By = Copied, copies[s.ID]
		case s.Empty:
			m.Why = Empty
		}
		seen[s.ID] = true
		out = append(out, m)
	}
	for _, id := range c.ledger.RowsOnlySessions() {
		if home := c.ledger.CanonicalID(id); !noted[home] && !seen[home] {
			out = append(out, Missing{Session: id, Why: RowsOnly})
		}
	}
	slices.SortFunc(out, func(a, b Missing) int {
		return cmp.Or(strings.Compare(string(a.Why), string(b.Why)), strings.Compare(a.Session, b.Session))
	})
	return out
}
