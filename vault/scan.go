package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Scan lists every note below the managed folder, sorted by path. It looks at
// names and stamps alone. Hidden files and folders, links and whatever is no
// regular file do not count. Temporary files that it comes by are remembered
// for Sweep.
func (v *Vault) Scan(ctx context.Context) ([]Entry, error) {
	var all []Entry
	temps := []string{}
	look := func(p place) error {
		switch name := p.info.Name(); {
		case isNote(name) && !hidden(name):
			all = append(all, Entry{Path: p.path(), Stamp: stampOf(p.info)})
		case isTemp(name):
			temps = append(temps, p.path())
		}
		return nil
	}
	if err := (walker{ctx: ctx, leaveOut: v.apart, visit: look}).walk(v.folders.root, "."); err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	v.mu.Lock()
	v.temps = temps
	v.mu.Unlock()
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

// place is a regular file found on a walk.
type place struct {
	root   *os.Root // its folder
	folder string   // path of the folder from where the walk began
	info   fs.FileInfo
}

func (p place) path() string { return path.Join(p.folder, p.info.Name()) }

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// apart tells of a folder, by its path from the vault's root, that it is not part
// of the managed folder though it lies in it.
func (v *Vault) apart(folder string) bool {
	return v.inner == wholeVault && strings.HasPrefix(folder, "_")
}

// walker visits the regular files, hidden ones too, of all folders that are
// neither hidden nor left out, without following links. What vanishes meanwhile is
// passed over.
type walker struct {
	ctx      context.Context
	leaveOut func(folder string) bool // path from where the walk begins
	visit    func(place) error
	closed   func(folder string, err error) // of one that cannot be looked into; nil: it ends the walk
}

func (w walker) walk(root *os.Root, folder string) error {
	if err := canceled(w.ctx); err != nil {
		return err
	}
	dir, err := root.Open(".")
	if err != nil {
		return w.shut(folder, err)
	}
	list, err := dir.Readdir(-1)
	if err = errors.Join(err, dir.Close()); err != nil {
		return w.shut(folder, err)
	}
	for _, info := range list {
		switch {
		case info.Mode().IsRegular():
			err = w.visit(place{root: root, folder: folder, info: info})
		case info.IsDir() && !hidden(info.Name()) && !w.leaveOut(path.Join(folder, info.Name())):
			err = w.into(root, path.Join(folder, info.Name()), info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w walker) into(parent *os.Root, folder string, info fs.FileInfo) error {
	root, err := parent.OpenRoot(info.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return w.shut(folder, err)
	}
	defer func() { _ = root.Close() }()
	if opened, err := root.Stat("."); err != nil || !os.SameFile(info, opened) {
		if err == nil {
			return nil
		}
		return w.shut(folder, err)
	}
	return w.walk(root, folder)
}

// shut passes over a folder that cannot be looked into, if that is allowed.
func (w walker) shut(folder string, err error) error {
	if w.closed == nil {
		return err
	}
	w.closed(folder, err)
	return nil
}
