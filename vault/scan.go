package vault

import (
	"cmp"
	"context"
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
	look := func(p store.Found) error {
		switch name := p.Info.Name(); {
		case note.IsNote(name) && !store.Hidden(name):
			all = append(all, Entry{Path: p.Path(), Stamp: p.Stamp()})
		case store.IsTemp(name):
			temps = append(temps, p.Path())
		}
		return nil
	}
	if err := v.disk.Walk(ctx, store.Walk{LeaveOut: v.apart, Visit: look}); err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	slices.Sort(temps)
	v.mu.Lock()
	v.temps = temps
	v.mu.Unlock()
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
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
