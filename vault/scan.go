package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Scan lists every note below the managed folder, sorted by path. It looks at
// names and stamps alone. Hidden files and folders, links and whatever is no
// regular file do not count. Temporary files that it comes by are remembered
// for Sweep.
func (v *Vault) Scan(ctx context.Context) ([]Entry, error) {
	var all []Entry
	temps := []string{}
	err := walk(ctx, v.folders.root, func(p place) error {
		switch name := p.info.Name(); {
		case isNote(name) && !hidden(name):
			all = append(all, Entry{Path: p.path(), Stamp: stampOf(p.info)})
		case isTemp(name):
			temps = append(temps, p.path())
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	slices.Sort(temps)
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

func (p place) path() string { return below(p.folder, p.info.Name()) }

// below is the path of what lies in a folder, "." being the root.
func below(folder, name string) string {
	if folder == "." {
		return name
	}
	return folder + "/" + name
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// walkers is how many folders are read at once; more do not help on one disk.
const walkers = 2

// walk visits the regular files, hidden ones too, of all folders that are not
// hidden, without following links, in any order but one at a time. What vanishes
// meanwhile is passed over.
func walk(ctx context.Context, root *os.Root, visit func(place) error) error {
	w := walker{visit: visit}
	w.others, w.ctx = errgroup.WithContext(ctx)
	w.others.SetLimit(walkers - 1)
	err := w.folder(root, ".")
	if other := w.others.Wait(); other != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = other
	}
	return err
}

type walker struct {
	ctx    context.Context
	others *errgroup.Group
	mu     sync.Mutex
	visit  func(place) error
}

func (w *walker) folder(root *os.Root, folder string) error {
	if err := canceled(w.ctx); err != nil {
		return err
	}
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	list, err := dir.Readdir(-1)
	if err = errors.Join(err, dir.Close()); err != nil {
		return err
	}
	if err := w.files(root, folder, list); err != nil {
		return err
	}
	for _, info := range list {
		if info.IsDir() && !hidden(info.Name()) {
			if err := w.into(root, below(folder, info.Name()), info); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walker) files(root *os.Root, folder string, list []fs.FileInfo) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, info := range list {
		if info.Mode().IsRegular() {
			if err := w.visit(place{root: root, folder: folder, info: info}); err != nil {
				return err
			}
		}
	}
	return nil
}

// into walks a folder of a folder, with another walker where one is free.
func (w *walker) into(parent *os.Root, folder string, info fs.FileInfo) error {
	root, err := parent.OpenRoot(info.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(info, opened) {
		return errors.Join(err, root.Close())
	}
	work := func() error {
		defer func() { _ = root.Close() }()
		return w.folder(root, folder)
	}
	if w.others.TryGo(work) {
		return nil
	}
	return work()
}
