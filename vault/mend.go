package vault

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"

	"github.com/sessionloom/sessionloom/vault/inspect"
)

// Known is what is remembered of a note of ours: what mending it starts from.
type Known = inspect.LastKnown

// Mended is what became of a damaged note: Done says in plain words what was done,
// or else Left why it was left as it is.
type Mended struct {
	Done, Left string
	Lacks      bool   // it was left, because it is not known what it was made from
	Rescued    string // where what stood there lies now, from the managed folder; empty: nothing of it is lost
}

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
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return Mended{}, err
	}
	defer v.folders.done(f)
	for range maxTries {
		was, err := f.readFile(path.Base(p))
		if err != nil {
			return Mended{}, err
		}
		r := k.Repair(was.text, was.stamp)
		m := Mended{Done: r.Done, Left: r.Left, Lacks: r.Lacks}
		if m.Done == "" {
			return m, nil
		}
		if r.Rescue {
			m.Rescued = rescuedName(was.text)
		}
		if v.opt.DryRun {
			v.folders.rehearsal.put(Result{Outcome: Updated, Path: p, Note: note.Parse(p, r.Text), Old: was.text, New: r.Text})
			return m, nil
		}
		if r.Rescue {
			if _, err := v.rescueText(was.text); err != nil {
				return m, err
			}
		}
		if _, err = v.replace(f, path.Base(p), was, r.Text); !errors.Is(err, errMoved) {
			return m, err
		}
	}
	return Mended{Left: "it is being edited right now"}, nil
}
