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
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/written"
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
