package vault

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
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
	look := func(p place) error {
		switch name := p.info.Name(); {
		case note.IsNote(name) && !hidden(name):
			all = append(all, Entry{Path: p.path(), Stamp: stampOf(p.info)})
		case isTemp(name):
			temps = append(temps, p.path())
		}
		return nil
	}
	if err := (&walker{leaveOut: v.apart, visit: look}).walk(ctx, v.folders.root); err != nil {
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
	look := func(p place) error {
		if name := p.info.Name(); !note.IsNote(name) && !hidden(name) && p.info.Size() <= note.MaxSize {
			all = append(all, p.path())
		}
		return nil
	}
	if err := (&walker{leaveOut: v.apart, visit: look}).walk(ctx, v.folders.root); err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	slices.Sort(all)
	return all, nil
}

// place is a regular file found on a walk.
type place struct {
	root   *os.Root // its folder
	folder string   // path of the folder from where the walk began
	info   fs.FileInfo
}

func (p place) path() string { return below(p.folder, p.info.Name()) }

// below is the path of what lies in a folder, "." being the root.
func below(folder, name string) string {
	if folder == "." {
		return name
	}
	return folder + "/" + name
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// apart tells of a folder, by its path from the vault's root, that it is not part
// of the managed folder though it lies in it.
func (v *Vault) apart(folder string) bool {
	return v.inner == wholeVault && strings.HasPrefix(folder, "_")
}
