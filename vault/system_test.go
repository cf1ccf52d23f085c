package vault

import (
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/sessionloom/sessionloom/vault/store"
)

// step is a point of a write at which somebody else may act.
type step int

const (
	stepSwap     step = iota // the new text is on the disk, the old one was compared
	stepLook                 // the new text is in place
	stepSwapBack             // what came out is a human's and goes back
)

// world is the machine under an open vault, in which a test acts.
type world struct {
	step  func(step)           // nil: nobody acts
	sync  func(*os.File) error // nil: as on the machine
	plain bool                 // the file system knows plain renames alone

	swapped [2]string
}

// worlds holds those of the vaults that are open.
var worlds sync.Map

// worldOf is the machine under a vault.
func worldOf(v *Vault) *world {
	w, _ := worlds.Load(v)
	return w.(*world)
}

// openIn opens a vault in a world.
func openIn(t testing.TB, dir string, o Options) *Vault {
	t.Helper()
	w := &world{}
	o.System = w.system()
	v, err := Open(dir, "Agents", o)
	must(t, err)
	worlds.Store(v, w)
	t.Cleanup(func() {
		worlds.Delete(v)
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

func (w *world) before(s step) {
	if w.step != nil {
		w.step(s)
	}
}

func (w *world) system() *store.System {
	real := store.ThisSystem()
	return &store.System{
		Swap: func(dir *os.File, a, b string) error {
			back := w.swapped == [2]string{a, b}
			if w.swapped = [2]string{a, b}; back {
				w.before(stepSwapBack)
			} else {
				w.before(stepSwap)
			}
			if w.plain {
				return errors.ErrUnsupported
			}
			err := real.Swap(dir, a, b)
			if err == nil && !back {
				w.before(stepLook)
			}
			return err
		},
		RenameNew: func(dir *os.File, from string, into *os.File, to string) error {
			if !store.IsTemp(from) {
				w.before(stepSwap)
			}
			if w.plain {
				return errors.ErrUnsupported
			}
			return real.RenameNew(dir, from, into, to)
		},
		Rename: func(dir *os.Root, from, to string) error {
			if !store.IsTemp(from) {
				w.before(stepLook)
				return real.Rename(dir, from, to)
			}
			err := real.Rename(dir, from, to)
			w.before(stepLook)
			return err
		},
		Sync: func(f *os.File) error {
			if w.sync != nil {
				return w.sync(f)
			}
			return real.Sync(f)
		},
	}
}
