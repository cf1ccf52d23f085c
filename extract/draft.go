package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// draft is a note that is due: what it will say, and how to say it.
type draft struct {
	facts     facts.Facts                              // with masks
	shown     facts.Facts                              // as our frontmatter shows them
	planned   facts.Facts                              // as the note will show them, with what the user changed
	moveTo    string                                   // the note is to get this name first
	plain     [2]string                                // path and long as LayoutAgents has them
	props     []vault.Property                         // of shown, once rendered
	row       ledger.NoteRow                           // what the ledger knew of the note when it was planned
	session   string                                   // id of the session it belongs to, empty for a page
	path      string                                   // where to create it
	long      string                                   // where to create it when path is taken
	body      func(*pages.OpenSession) (string, error) // nil: only the navigation is due
	remove    bool                                     // the note is no longer wanted
	forgotten bool                                     // and what it tells of is to be forgotten
	kind      string                                   // what is done when the note is written: owner in this list of the ledger
	owner     string
}

// draftOf is what a page is to become.
func draftOf(page *pages.Page) *draft {
	return &draft{facts: page.Facts, path: page.Path, long: page.Long, remove: page.Gone, body: page.Body}
}

// at is where the note lies now, empty where it is to be created.
func (d *draft) at() string {
	if d.row.State.Stands() {
		return d.row.Path
	}
	return ""
}
