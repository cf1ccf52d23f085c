package publish

import (
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// draft is a note that is due: what it will say, and how to say it.
type draft struct {
	facts   facts.Facts                              // with masks
	shown   facts.Facts                              // as our frontmatter shows them
	planned facts.Facts                              // as the note will show them, with what the user changed
	props   []vault.Property                         // of shown, once rendered
	row     ledger.NoteRow                           // what the ledger knew of the note when it was planned
	session string                                   // id of the session it belongs to, empty for a page
	body    func(*pages.OpenSession) (string, error) // nil: only the navigation is due
	place   place
	fate    fate
	due     due
}

// place is where a note is to lie.
type place struct {
	path   string    // where to create it
	long   string    // where to create it when path is taken
	plain  [2]string // path and long as agents' layout has them
	moveTo string    // the note is to get this name first
}

// due is what is done when a note is written: owner in the list kind of the ledger.
type due struct{ kind, owner string }

// fate is what becomes of a note.
type fate int

const (
	stays  fate = iota
	goes        // it is no longer wanted
	purged      // it goes, and what it tells of is forgotten
)

// draftOf is what a page is to become.
func draftOf(page *pages.Page, owned due) *draft {
	d := &draft{facts: page.Facts, place: place{path: page.Path, long: page.Long}, body: page.Body, due: owned}
	if page.Gone {
		d.fate = goes
	}
	return d
}

// draftKnown is a draft of a note as it is known, of which nothing but the navigation
// is due.
func draftKnown(row ledger.NoteRow, owned due) (*draft, error) {
	f, err := facts.Decode(row.Facts)
	return &draft{facts: f, shown: f, planned: f, row: row, place: place{path: row.Path}, session: row.Session, due: owned}, err
}

// at is where the note lies now, empty where it is to be created.
func (d *draft) at() string {
	if d.row.State.Stands() {
		return d.row.Path
	}
	return ""
}

// leaves says that a note is about to go from where it lies.
func (d *draft) leaves() bool { return d.fate != stays || d.place.moveTo != "" }
