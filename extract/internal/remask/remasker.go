// Package remask masks anew what is kept, when the rules that find secrets change.
package remask

import (
	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/publish"
	"github.com/sessionloom/sessionloom/extract/internal/report"
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
	Vault     *vault.Vault // nil: there is none
	Notes     *index.Notes
	Recorder  *report.Recorder
	Assigner  *assign.Assigner
	Owned     *owned.Files
	Publisher *publish.Publisher
	Masker    Masker

	looking bool            // notes may show what is masked by now
	shown   []string        // ids of the notes that do
	names   map[string]name // of notes whose file name shows it, by id
	purged  bool            // something was taken out of the ledger that must leave no trace
}

// name is the path of a note, and the one it is to have.
type name struct{ from, to string }

// Purged tells whether something was taken out of the ledger that must leave no trace.
func (r *Remasker) Purged() bool { return r.purged }
