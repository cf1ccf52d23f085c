package vault

import (
	"bytes"
	"cmp"
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

// Scan lists every note below the managed folder, sorted by path. It looks at
// names and stamps alone. Hidden files and folders, links and whatever is no
// regular file do not count. Temporary files that it comes by are remembered
// for Sweep.
func (v *Vault) Scan(ctx context.Context) ([]Entry, error) {
	var all []Entry
	temps := []string{}
	first := map[Stamp]string{} // one name of each note that has several
	var linked [][2]string
	look := func(p store.Found) error {
		switch name := p.Info.Name(); {
		case note.IsNote(name) && !store.Hidden(name):
			e := Entry{Path: p.Path(), Stamp: p.Stamp()}
			all = append(all, e)
			if p.Linked() {
				if other, twice := first[e.Stamp]; twice {
					linked = append(linked, [2]string{other, e.Path})
				}
				first[e.Stamp] = e.Path
			}
		case store.IsTemp(name):
			temps = append(temps, p.Path())
		}
		return nil
	}
	if err := v.disk.Walk(ctx, store.Walk{LeaveOut: v.apart, Visit: look}); err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	slices.Sort(temps)
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	v.mu.Lock()
	v.temps, v.linked = temps, linked
	v.mu.Unlock()
	return all, nil
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
	all := []string{}
	look := func(p store.Found) error {
		if name := p.Info.Name(); !note.IsNote(name) && !store.Hidden(name) && p.Info.Size() <= note.MaxSize {
			all = append(all, p.Path())
		}
		return nil
	}
	if err := v.disk.Walk(ctx, store.Walk{LeaveOut: v.apart, Visit: look}); err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	slices.Sort(all)
	return all, nil
}

// apart tells of a folder, by its path from the vault's root, that it is not part
// of the managed folder though it lies in it.
func (v *Vault) apart(folder string) bool {
	return v.inner == wholeVault && strings.HasPrefix(folder, "_")
}
