// Package remask masks anew what is kept, when the rules that find secrets change.
package remask

import (
	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/publish"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/unmasked"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Masker takes secrets out of texts. After an error nothing of a text may be kept.
type Masker interface {
	Session(s *sources.Session, counts map[string]int) error
	Text(s string) (string, error)
	Find(s string) ([]redact.Found, error)
	// Fingerprint is another one where another set of rules decides.
	Fingerprint() string
}

// Remasker masks what is kept, and notes that nobody can render.
type Remasker struct {
	vault    *vault.Vault // nil: there is none
	notes    *index.Notes
	rec      *report.Recorder
	assign   *assign.Assigner
	owned    *owned.Files
	writer   *publish.Publisher
	unmasked *unmasked.Notes
	masker   Masker
	dryRun   bool
	seen     observe.Snapshot // the vault as it stands
	purged   bool             // something was taken out of the ledger that must leave no trace
}

// New makes a remasker for one run. in is nil where there is no vault.
func New(in *vault.Vault, notes *index.Notes, rec *report.Recorder, whose *assign.Assigner, files *owned.Files, writer *publish.Publisher, shown *unmasked.Notes, masker Masker, dryRun bool) *Remasker {
	return &Remasker{vault: in, notes: notes, rec: rec, assign: whose, owned: files, writer: writer, unmasked: shown, masker: masker, dryRun: dryRun}
}

// Looked tells how the vault stands.
func (r *Remasker) Looked(at observe.Snapshot) { r.seen = at }

// Purged tells whether something was taken out of the ledger that must leave no trace.
func (r *Remasker) Purged() bool { return r.purged }
