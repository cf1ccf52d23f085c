// Package retire takes out of the state, and out of the vault, what its user had
// forgotten.
//
// A note that stays because its user wrote in it keeps its pictures and gets its links renewed;
// the text that merges start from is forgotten. The ledger overwrites what leaves it.
package retire

import (
	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Forgetter has a run keep to what was forgotten.
type Forgetter struct {
	Vault    *vault.Vault // nil: there is none
	Notes    *index.Notes
	Recorder *report.Recorder
	Loader   *loader.Loader
	Assigner *assign.Assigner
	Owned    *owned.Files
	NotesOff bool // no note is going to be written: what is forgotten waits

	heed   bool                   // there are other tombstones than in the last run
	going  []ledger.SessionRecord // goes once the notes of its forks are written
	purged bool                   // something is taken out of the ledger that must leave no trace
}

// Heeds tells whether there are other tombstones than in the last run.
func (f *Forgetter) Heeds() bool { return f.heed }

// Purged tells whether something is taken out of the ledger that must leave no trace.
func (f *Forgetter) Purged() bool { return f.purged }
