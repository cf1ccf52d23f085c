// Package remask masks stored texts again when the rules for secrets change.
package remask

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/publish"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
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

// Remasker masks the state, and notes that cannot be rendered.
type Remasker struct {
	Vault     *vault.Vault // nil: there is none
	Notes     *index.Notes
	Recorder  *report.Recorder
	Assigner  *assign.Assigner
	Owned     *owned.Files
	Publisher *publish.Publisher
	Masker    Masker
	Purged    bool // set: something was taken out of the ledger that must leave no trace

	looking bool            // notes may show what is masked by now
	shown   []string        // ids of the notes that do
	names   map[string]name // of notes whose file name shows it, by id
}

type name struct{ from, to string }

// Layers masks what is remembered by the rules as they are now, also what no source has
// any more. All of it is read again: what the rules let go since is only known there.
func (r *Remasker) Layers() error {
	now := r.Masker.Fingerprint()
	if string(r.Notes.Ledger.Value(ledger.Rules)) == now {
		return nil
	}
	if !r.Notes.Ledger.Fresh() {
		if whole, err := r.maskKept(); err != nil || !whole {
			return err // what could not be searched is tried again next time
		}
		r.Notes.Ledger.ReadAgain()
		r.Purged = true
	}
	r.Notes.Ledger.SetValue(ledger.Unmasked, []byte("1"))
	r.Notes.Ledger.SetValue(ledger.Rules, []byte(now))
	return nil
}

// Words masks agents' answers about sessions in the vault, while notes may show what the rules mask. Nobody
// is asked again.
func (r *Remasker) Words() error {
	if len(r.Notes.Ledger.Value(ledger.Unmasked)) == 0 {
		return nil
	}
	return r.Vault.ReviseDistilled(func(text []byte) ([]byte, error) {
		f, err := sources.DecodeDistilled(text)
		if err != nil {
			return text, nil // its reader reports it
		}
		return f.Masked(r.Masker.Session)
	})
}

// maskKept masks all that the ledger keeps of transcripts. It reports whether all
// of it could be searched.
func (r *Remasker) maskKept() (whole bool, err error) {
	layers := r.Notes.Ledger.KeptLayers()
	whole = true
	changed := map[string]bool{}
	for _, k := range layers {
		some, err := r.Notes.Ledger.TransformLayer(k, func(s *sources.Session) error {
			plain := names.PlainForm{Masker: r.Masker}
			plain.Session(plain.Ref(k.Session), s)
			return ingest.Mask(r.Masker, s, nil)
		})
		if err != nil {
			whole = false
			r.Recorder.Problem(report.Problem{Source: k.Source, Item: k.Item, Error: fmt.Sprintf("mask what is remembered: %v", err),
				Hint: "it is tried again next time", Fatal: true})
			continue
		}
		if some {
			changed[k.Session] = true
		}
	}
	for _, k := range layers {
		to := r.renameKept(k)
		if to != k.Session {
			delete(changed, k.Session)
			changed[to] = true
		}
	}
	if len(changed) > 0 { // the ids that layers claim may be others
		r.Notes.Ledger.SetValue(ledger.AliasesDue, []byte{1})
	}
	r.dropThreads()
	if err := r.Notes.Ledger.TransformTexts(r.Masker.Text); err != nil {
		return false, err
	}
	for id := range changed {
		r.Assigner.Redo(r.Notes.Ledger.CanonicalID(id))
	}
	return whole, nil
}

// dropThreads drops the open ends: they are derived again from masked facts, with the pages that
// show them.
func (r *Remasker) dropThreads() {
	for _, project := range r.Notes.Ledger.ProjectsWithOpenThreads() {
		r.Notes.Queue.Mark(ledger.DuePage, names.ProjectID(project))
	}
	r.Notes.Queue.Mark(ledger.DuePage, names.ThreadsID)
	r.Notes.Queue.Mark(ledger.DuePage, names.HomeID)
	r.Notes.Ledger.DropOpenThreads()
}

// renameKept gives a stored layer the ids that the rules allow, and returns that of its session.
func (r *Remasker) renameKept(k ledger.KeptLayer) (session string) {
	if names.IsMadePlain(k.Session) { // it has one
		return k.Session
	}
	key, id := names.PlainForm{Masker: r.Masker}.Pair(k.Item, k.Session)
	if key == k.Item && id == k.Session {
		return id
	}
	r.Notes.Ledger.RenameItem(k.Source, k.Item, key)
	r.Notes.Ledger.RenameSession(k.Session, id)
	return id
}
