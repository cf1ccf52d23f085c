package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Missing is a session that is known and has no note.
type Missing struct {
	Session string `json:"session"`
	Why     Why    `json:"why"`
	By      string `json:"by,omitempty"` // of a copy: the session that tells all of it; of an ignored one: the folder
}

// Why says why a session has no note.
type Why string

// The reasons.
const (
	Forgotten Why = "forgotten" // by its user, for good
	Deleted   Why = "deleted"   // its note, by its user
	Ignored   Why = "ignored"   // a folder says so
	Copied    Why = "copied"    // another session tells all of it
	Empty     Why = "empty"     // nothing was said or done in it
	RowsOnly  Why = "rows_only" // a database entry or typed prompts are all that is left
	Automatic Why = "automatic" // nobody typed a prompt in it
	Excluded  Why = "excluded"  // by the filters of the run, or it could not be written
)

// Missing lists the sessions that have no note, by reason and id. copies are those that another
// session tells whole, as the last run found them; nil: that is not known.
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
