// Package retire takes out of the state, and out of the vault, what its user had
// forgotten.
package retire

import (
	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Forgetter has a run keep to what was forgotten.
type Forgetter struct {
	vault    *vault.Vault // nil: there is none
	notes    *index.Notes
	rec      *report.Recorder
	loader   *loader.Loader
	assign   *assign.Assigner
	owned    *owned.Files
	written  *written.Files
	notesOff bool // no note is going to be written

	heed     bool                // there are other tombstones than in the last run
	purged   bool                // something was taken out of the ledger that must leave no trace
	parting  []ledger.SessionRow // goes once the notes of its forks are written
	canvases []ledger.SessionRow // went: a canvas may show it
}

// New makes a forgetter for one run. in is nil where there is no vault.
func New(in *vault.Vault, notes *index.Notes, rec *report.Recorder, from *loader.Loader, whose *assign.Assigner, files *owned.Files, out *written.Files, notesOff bool) *Forgetter {
	return &Forgetter{vault: in, notes: notes, rec: rec, loader: from, assign: whose, owned: files, written: out, notesOff: notesOff}
}

// Heeds tells whether there are other tombstones than in the last run.
func (f *Forgetter) Heeds() bool { return f.heed }

// Purged tells whether something was taken out of the ledger that must leave no trace.
func (f *Forgetter) Purged() bool { return f.purged }
