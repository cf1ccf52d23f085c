package remask

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// When the rules that find secrets change, all that is remembered is masked anew
// before anything else is done, also what no source has any more; the rest is
// read again, for what the rules let go since can only be had there. Notes follow
// their sessions; those that nobody can render are masked where they lie
// (masknotes.go).

// Layers masks what is remembered by the rules as they are now.
func (r *Remasker) Layers() error {
	now := r.masker.Fingerprint()
	then, err := r.notes.Ledger.Value(ledger.Rules)
	if err != nil || string(then) == now {
		return err
	}
	if !r.notes.Ledger.Fresh() {
		if whole, err := r.maskKept(); err != nil || !whole {
			return err // what could not be searched is tried again next time
		}
		if err := r.notes.Ledger.ReadAgain(); err != nil {
			return err
		}
		r.purged = true
	}
	if err := r.notes.Ledger.SetValue(ledger.Unmasked, []byte("1")); err != nil {
		return err
	}
	return r.notes.Ledger.SetValue(ledger.Rules, []byte(now))
}

// maskKept masks all that the ledger keeps of transcripts. It tells whether all
// of it could be searched.
func (r *Remasker) maskKept() (whole bool, err error) {
	layers, err := r.notes.Ledger.KeptLayers()
	if err != nil {
		return false, err
	}
	whole = true
	changed := map[string]bool{}
	for _, k := range layers {
		some, err := r.notes.Ledger.Rework(k, func(s *sources.Session) error {
			plain := names.PlainForm{Masker: r.masker}
			plain.Session(plain.Ref(k.Session), s)
			return ingest.Mask(r.masker, s, nil)
		})
		if err != nil {
			whole = false
			r.rec.Problem(report.Problem{Source: k.Source, Item: k.Item, Error: fmt.Sprintf("mask what is remembered: %v", err),
				Hint: "it is tried again next time", Fatal: true})
			continue
		}
		if some {
			changed[k.Session] = true
		}
	}
	for _, k := range layers {
		to, err := r.renameKept(k)
		if err != nil {
			return false, err
		}
		if to != k.Session {
			delete(changed, k.Session)
			changed[to] = true
		}
	}
	if len(changed) > 0 { // the ids that layers claim may be others
		if err := r.notes.Ledger.SetValue(ledger.AliasesDue, []byte{1}); err != nil {
			return false, err
		}
	}
	if err := r.notes.Ledger.ReworkTexts(r.masker.Text); err != nil {
		return false, err
	}
	return whole, r.changedLayers(changed)
}

// renameKept gives a kept layer the ids that the rules leave it, and returns that of
// its session.
func (r *Remasker) renameKept(k ledger.KeptLayer) (session string, err error) {
	if names.IsMadePlain(k.Session) { // it has one
		return k.Session, nil
	}
	key, id := names.PlainForm{Masker: r.masker}.Pair(k.Item, k.Session)
	if key == k.Item && id == k.Session {
		return id, nil
	}
	if err := r.notes.Ledger.RenameItem(k.Source, k.Item, key); err != nil {
		return id, err
	}
	return id, r.notes.Ledger.RenameSession(k.Session, id)
}

// changedLayers makes due what is made of the layers of ids.
func (r *Remasker) changedLayers(ids map[string]bool) error {
	for id := range ids {
		home, err := r.notes.Ledger.Home(id)
		if err != nil {
			return err
		}
		if err := r.assign.Redo(home); err != nil {
			return err
		}
	}
	return nil
}

// FindNotes makes due whatever renders the notes that show something the rules
// mask by now, and remembers these notes.
func (r *Remasker) FindNotes() error {
	flag, err := r.notes.Ledger.Value(ledger.Unmasked)
	if err != nil || len(flag) == 0 {
		return err
	}
	if err := r.unmasked.Look(); err != nil {
		return err
	}
	r.purged = r.purged || !r.notes.Ledger.Fresh() // also where an earlier run masked all of it and got no further
	err = index.EachNote(r.notes.Ledger, func(row ledger.NoteRow) error {
		if !row.State.Stands() && row.State != ledger.Away {
			return nil
		}
		text, err := textOf(r.vault, row)
		if err != nil {
			r.rec.Unreadable(row.Path, err)
			return nil
		}
		shows, err := r.unmasked.Show(text)
		if err != nil {
			r.rec.Problem(report.Problem{Item: row.ID, Path: row.Path, Error: fmt.Sprintf("look for secrets: %v", err), Hint: "it is tried again next time", Fatal: true})
		}
		if err != nil || !shows {
			return nil
		}
		r.unmasked.Shown[row.ID] = true
		to, err := r.maskedPath(row, text)
		r.unmasked.Misnamed[row.ID] = to != row.Path
		if err != nil {
			return err
		}
		return r.notes.Queue.MarkNote(row)
	})
	return err
}

// textOf reads a note wherever it lies.
func textOf(v *vault.Vault, r ledger.NoteRow) ([]byte, error) {
	if r.State == ledger.Away {
		return v.TextOutside(r.Path)
	}
	return v.Text(r.Path)
}
