package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Entry is one file found by a scan.
type Entry = note.Entry

// listing is what lies in the managed folder, each sorted by path. Hidden files and folders,
// links and whatever is no regular file do not count.
type listing struct {
	notes, others []Entry
	temps         []string    // temporary files of ours
	linked        [][2]string // notes with two names
}

func (v *Vault) list(ctx context.Context) (l listing, err error) {
	first := map[Stamp]string{} // one name of each note that has several
	look := func(p store.Found) error {
		name, e := p.Info.Name(), Entry{Path: p.Path(), Stamp: p.Stamp()}
		switch {
		case store.IsTemp(name):
			l.temps = append(l.temps, e.Path)
		case store.Hidden(name):
		case !note.IsNote(name):
			l.others = append(l.others, e)
		default:
			l.notes = append(l.notes, e)
			if !p.Linked() {
				break
			}
			if other, twice := first[e.Stamp]; twice {
				l.linked = append(l.linked, [2]string{other, e.Path})
			}
			first[e.Stamp] = e.Path
		}
		return nil
	}
	if err := v.disk.Walk(ctx, store.Walk{LeaveOut: v.apart, Visit: look}); err != nil {
		return listing{}, fmt.Errorf("scan the vault: %w", err)
	}
	byPath := func(a, b Entry) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(l.notes, byPath)
	slices.SortFunc(l.others, byPath)
	slices.Sort(l.temps)
	return l, nil
}

// Scan lists every note below the managed folder, sorted by path. It looks at
// names and stamps alone. Temporary files that it comes by are remembered
// for Sweep.
func (v *Vault) Scan(ctx context.Context) ([]Entry, error) {
	l, err := v.list(ctx)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	v.scanned, v.temps, v.linked = true, l.temps, l.linked
	v.mu.Unlock()
	return l.notes, nil
}

// Unlink takes one of its two names from each note of ours that the last Scan found under
// two, if known tells of one of them alone, and tells whether it did. A run that was killed
// while it moved a note leaves one, where files cannot be moved in one step. Only the holder
// of the run's lock may call it.
func (v *Vault) Unlink(known func(p string) (bool, error)) (done bool, err error) {
	v.mu.Lock()
	linked := v.linked
	v.linked = nil
	v.mu.Unlock()
	for _, names := range linked {
		one, err := v.unlink(names, known)
		if err != nil {
			return done, err
		}
		done = done || one
	}
	return done, nil
}

func (v *Vault) unlink(names [2]string, known func(p string) (bool, error)) (bool, error) {
	first, err := known(names[0])
	second, failed := known(names[1])
	if err = errors.Join(err, failed); err != nil || first == second || v.dry != nil {
		return false, err
	}
	if first {
		names[0], names[1] = names[1], names[0]
	}
	was, err := v.disk.Read(names[0])
	stays, failed := v.disk.Read(names[1])
	if err = errors.Join(err, failed); err == nil {
		if !bytes.Equal(was.Text, stays.Text) || !note.HoldsMarker(string(was.Text)) {
			return false, nil
		}
		err = v.disk.Remove(names[0], was)
	}
	if err != nil {
		return false, fmt.Errorf("take the name %q from a note that has another: %w", names[0], err)
	}
	return true, nil
}

// Files lists what is no note of all that [Vault.Scan] goes through, but for files
// that are too large to be ours.
func (v *Vault) Files(ctx context.Context) ([]string, error) {
	l, err := v.list(ctx)
	all := []string{}
	for _, e := range l.others {
		if e.Stamp.Size <= note.MaxSize {
			all = append(all, e.Path)
		}
	}
	return all, err
}

// apart tells of a folder, by its path from the vault's root, that it is not part
// of the managed folder though it lies in it.
func (v *Vault) apart(folder string) bool {
	return v.inner == wholeVault && strings.HasPrefix(folder, "_")
}
