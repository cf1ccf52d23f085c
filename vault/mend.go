package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"

	"github.com/sessionloom/sessionloom/vault/inspect"
)

// Known is what is remembered of a note of ours: what mending it starts from.
type Known = inspect.LastKnown

// Mended is what became of a damaged note: Done says in plain words what was done,
// or else Left why it was left as it is.
type Mended struct {
	Done, Left string
	Old, New   []byte // whole texts, only with Options.Texts
}

// Mend brings a note back into a form in which it is kept up to date: marker
// lines that are damaged or gone, an id that is gone, bytes that a crash of the
// system left, the end that was cut off. Only what is ours is put back, and only
// where it is sure what stood there: every line that a human may have written
// stays, byte for byte. A file that is gone is [fs.ErrNotExist].
func (v *Vault) Mend(ctx context.Context, p string, k Known) (Mended, error) {
	if err := errors.Join(canceled(ctx), note.CheckPath(p)); err != nil {
		return Mended{}, err
	}
	m, err := v.mend(p, k)
	if err != nil {
		return Mended{}, fmt.Errorf("mend note %q: %w", p, err)
	}
	if !v.opt.Texts {
		m.Old, m.New = nil, nil
	}
	return m, nil
}

func (v *Vault) mend(p string, k Known) (Mended, error) {
	for range maxTries {
		was, err := v.files.Read(p)
		if err != nil {
			return Mended{}, err
		}
		text, done, left := k.Repair(was.Text, was.Stamp)
		m := Mended{Done: done, Left: left}
		if done == "" {
			return m, nil
		}
		m.Old, m.New = was.Text, text
		if _, err = v.files.Replace(p, was, text); !errors.Is(err, store.ErrChanged) {
			return m, err
		}
	}
	return Mended{Left: beingEdited}, nil
}
