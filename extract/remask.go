package extract

import (
	"errors"
	"fmt"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// When the rules that find secrets change, all that is remembered is masked anew
// before anything else is done, also what no source has any more; the rest is
// read again, for what the rules let go since can only be had there. Notes follow
// their sessions; those that nobody can render are masked where they lie
// (masknotes.go).

// Masker takes secrets out of texts. After an error nothing of a text may be kept.
type Masker interface {
	Session(s *sources.Session, counts map[string]int) error
	Text(s string) (string, error)
	Find(s string) ([]redact.Found, error)
	// Fingerprint is another one where another set of rules decides.
	Fingerprint() string
}

// lookAtRules masks what is remembered by the rules as they are now.
func (p *pass) lookAtRules() error {
	now := p.Masker.Fingerprint()
	then, err := p.Ledger.Value(ledger.Rules)
	if err != nil || string(then) == now {
		return err
	}
	if !p.Ledger.Fresh() {
		if whole, err := p.maskKept(); err != nil || !whole {
			return err // what could not be searched is tried again next time
		}
		if err := p.Ledger.ReadAgain(); err != nil {
			return err
		}
		p.purged = true
	}
	if err := p.Ledger.SetValue(ledger.Unmasked, []byte("1")); err != nil {
		return err
	}
	return p.Ledger.SetValue(ledger.Rules, []byte(now))
}

// maskKept masks all that the ledger keeps of transcripts. It tells whether all
// of it could be searched.
func (p *pass) maskKept() (whole bool, err error) {
	layers, err := p.Ledger.KeptLayers()
	if err != nil {
		return false, err
	}
	whole = true
	changed := map[string]bool{}
	for _, k := range layers {
		some, err := p.Ledger.Rework(k, func(s *sources.Session) error {
			plain := names.PlainForm{Masker: p.Masker}
			plain.Session(plain.Ref(k.Session), s)
			return ingest.Mask(p.Masker, s, nil)
		})
		if err != nil {
			whole = false
			p.rec.Problem(Problem{Source: k.Source, Item: k.Item, Error: fmt.Sprintf("mask what is remembered: %v", err),
				Hint: "it is tried again next time", Fatal: true})
			continue
		}
		if some {
			changed[k.Session] = true
		}
	}
	for _, k := range layers {
		to, err := p.renameKept(k)
		if err != nil {
			return false, err
		}
		if to != k.Session {
			delete(changed, k.Session)
			changed[to] = true
		}
	}
	if len(changed) > 0 { // the ids that layers claim may be others
		if err := p.Ledger.SetValue(ledger.AliasesDue, []byte{1}); err != nil {
			return false, err
		}
	}
	if err := p.Ledger.ReworkTexts(p.Masker.Text); err != nil {
		return false, err
	}
	return whole, p.changedLayers(changed)
}

// renameKept gives a kept layer the ids that the rules leave it, and returns that of
// its session.
func (p *pass) renameKept(k ledger.KeptLayer) (session string, err error) {
	if names.IsMadePlain(k.Session) { // it has one
		return k.Session, nil
	}
	key, id := names.PlainForm{Masker: p.Masker}.Pair(k.Item, k.Session)
	if key == k.Item && id == k.Session {
		return id, nil
	}
	return id, errors.Join(p.Ledger.RenameItem(k.Source, k.Item, key), p.Ledger.RenameSession(k.Session, id))
}

// changedLayers makes due what is made of the layers of ids.
func (p *pass) changedLayers(ids map[string]bool) error {
	for id := range ids {
		home, err := p.Ledger.Home(id)
		if err != nil {
			return err
		}
		p.loader.Forget(home)
		m, err := p.loader.Alone(home)
		if err == nil {
			err = p.assign.Put(home, m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unmaskedDue makes due whatever renders the notes that show something the rules
// mask by now, and remembers these notes.
func (p *pass) unmaskedDue() error {
	flag, err := p.Ledger.Value(ledger.Unmasked)
	if err != nil || len(flag) == 0 || p.Mode.NotesOff {
		return err
	}
	if err := p.unmasked.Look(); err != nil {
		return err
	}
	p.purged = p.purged || !p.Ledger.Fresh() // also where an earlier pass masked all of it and got no further
	err = index.EachNote(p.Ledger, func(r ledger.NoteRow) error {
		if !r.State.Stands() && r.State != ledger.Away {
			return nil
		}
		text, err := textOf(p.Vault, r)
		if err != nil {
			p.rec.Unreadable(r.Path, err)
			return nil
		}
		shows, err := p.unmasked.Show(text)
		if err != nil {
			p.rec.Problem(Problem{Item: r.ID, Path: r.Path, Error: fmt.Sprintf("look for secrets: %v", err), Hint: "it is tried again next time", Fatal: true})
		}
		if err != nil || !shows {
			return nil
		}
		p.unmasked.Shown[r.ID] = true
		to, err := p.maskedPath(r, text)
		p.unmasked.Misnamed[r.ID] = to != r.Path
		if err != nil {
			return err
		}
		return p.queue.MarkNote(r)
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
