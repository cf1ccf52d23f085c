// Package publish plans the notes that are due and writes them.
//
// The facts of a planned note are stored before anything is written, so that links and pages
// of one round agree. Where the vault then shows other facts than planned (a title that the
// user gave, a box that they ticked), what shows them is due again. Pages wait for the next
// round where the note of a session could not be written, so that they are not written twice.
// The open ends that a session note counts are those of its boxes as its user ticked them.
package publish

import (
	"context"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Publisher plans and writes what is due. It is used by one goroutine; the writers it
// starts are its own.
type Publisher struct {
	Vault    *vault.Vault
	Notes    *index.Notes
	Loader   *loader.Loader
	Builder  *pages.Builder
	Recorder *report.Recorder
	Written  *written.Files
	Owned    *owned.Files
	Scope    *scope.Selection
	Options  Options

	paths     paths
	recording sync.Mutex // one result at a time goes into the ledger
}

// Options say how notes are written.
type Options struct {
	Edited   bool // what is forgotten goes also where a human wrote in it, and is quarantined
	Jobs     int  // writers; at least one
	Held     int  // most drafts of sessions kept at a time; 0: as many as is good
	Progress Progress
}

// Progress is told how far a run is; may be nil in [Options].
type Progress interface {
	Step(stage string, total int)
	Advance(n int)
}

// paths are those that notes have or are to have.
type paths struct {
	seen  map[string]vault.Stamp // the managed folder as it stands
	given map[string]string      // id of the new note that gets a path, in lower case
}

// Looked tells how the managed folder stands.
func (p *Publisher) Looked(at map[string]vault.Stamp) {
	p.paths = paths{seen: at, given: map[string]string{}}
}

// alone plans or writes one note, or those of one owner, so that what goes wrong is told
// and does not stop the others: see [contain.Failure]. It tells whether all went well. at
// is the path of the note, empty where it has none yet.
func (p *Publisher) alone(ctx context.Context, owner due, note, at string, work func() error) (ok bool, err error) {
	ok = true
	err = contain.Failure(ctx, p.Notes.Ledger, work, func(err error) {
		p.Recorder.Fail(owner.kind, owner.owner, note, at, err)
		ok = false
	})
	return ok, err
}

func (p *Publisher) step(stage string, total int) {
	if p.Options.Progress != nil {
		p.Options.Progress.Step(stage, total)
	}
}

func (p *Publisher) advance(n int) {
	if p.Options.Progress != nil {
		p.recording.Lock()
		defer p.recording.Unlock()
		p.Options.Progress.Advance(n)
	}
}

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
