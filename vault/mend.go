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

// Mended is what became of a damaged note.
type Mended = inspect.Repaired

// Mend brings a note back into a form in which it is kept up to date: marker
// lines that are damaged or gone, an id that is gone, bytes that a crash of the
// system left, the end that was cut off. Where a line that a human may have written
// has no place in it, what stood there is put aside first, whole. A file that is gone
// is [fs.ErrNotExist].
func (v *Vault) Mend(ctx context.Context, p string, k Known) (Mended, error) {
	if err := errors.Join(canceled(ctx), note.CheckPath(p)); err != nil {
		return Mended{}, err
	}
	m, err := v.mend(p, k)
	if err != nil {
		return Mended{}, fmt.Errorf("mend note %q: %w", p, err)
	}
	return m, nil
}

func (v *Vault) mend(p string, k Known) (Mended, error) {
	for range maxTries {
		was, err := v.files.Read(p)
		if err != nil {
			return Mended{}, err
		}
		m := k.Repair(was.Text, was.Stamp)
		if m.Done == "" {
			return m, nil
		}
		if m.Rescue {
			if m.Rescued, err = v.rescueText(was.Text); err != nil {
				return m, err
			}
		}
		if _, err = v.files.Replace(p, was, m.Text); !errors.Is(err, store.ErrChanged) {
			return m, err
		}
	}
	return Mended{Left: beingEdited}, nil
}
