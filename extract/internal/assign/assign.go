// Package assign decides whose what was read is: which ids are one session, and which
// project it belongs to.
package assign

import (
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Assigner keeps the records of sessions.
type Assigner struct {
	ledger *ledger.Ledger
	queue  *index.Queue
	vault  *vault.Vault // nil: there is none
	loader *loader.Loader
	merges map[string]report.Merge // of the sessions whose record was made, by id
}

// New makes an assigner for one run. in is nil where there is no vault.
func New(notes *index.Notes, in *vault.Vault, from *loader.Loader) *Assigner {
	return &Assigner{ledger: notes.Ledger, queue: notes.Queue, vault: in, loader: from, merges: map[string]report.Merge{}}
}

// Assign finds out, once all is read, which ids and which project each session belongs
// to. reread tells that what is kept of some changed. It returns all records, none
// where nothing changed.
func (a *Assigner) Assign(reread bool) ([]ledger.SessionRecord, error) {
	looked, err := a.findAliases(reread)
	if err != nil {
		return nil, err
	}
	return a.findProjects(looked)
}

// Merges are what merging told of the sessions whose record was made, by id.
func (a *Assigner) Merges() map[string]report.Merge { return a.merges }

// Forget drops what is known of merging a session.
func (a *Assigner) Forget(id string) { delete(a.merges, id) }

// LayersChanged implements [ingest.Sessions]: it works out the record of a session
// while its layers are at hand.
func (a *Assigner) LayersChanged(id string, layers []sources.Layer, size int) error {
	if layers == nil {
		return a.Redo(id)
	}
	return a.put(id, a.loader.Fresh(id, layers, size))
}

// LayersMoved implements [ingest.Sessions].
func (a *Assigner) LayersMoved(was string) error { return a.renewRecord(was) }

// Redo works out the record of a session anew: its layers are others than they were.
func (a *Assigner) Redo(id string) error {
	a.loader.Forget(id)
	return a.put(id, a.loader.Alone(id))
}
