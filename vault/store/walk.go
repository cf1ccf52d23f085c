package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"
)

// walkers is how many folders are read at once; more do not help on one disk.
const walkers = 2

// walker visits the regular files, hidden ones too, of all folders that are
// neither hidden nor left out, without following links, in any order but one at a
// time. What vanishes meanwhile is passed over.
type walker struct {
	leaveOut func(folder string) bool // path from where the walk begins
	passOver func(*os.Root) bool      // a folder for what lies in it; nil: none
	visit    func(place) error
	closed   func(folder string, err error) // of one that cannot be looked into; nil: it ends the walk

	ctx    context.Context
	others *errgroup.Group
	mu     sync.Mutex // held while something is visited or closed
}

func (w *walker) walk(ctx context.Context, root *os.Root) error {
	w.others, w.ctx = errgroup.WithContext(ctx)
	w.others.SetLimit(walkers - 1)
	err := w.folder(root, ".")
	if other := w.others.Wait(); other != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = other
	}
	return err
}

func (w *walker) folder(root *os.Root, folder string) error {
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
	compose(root, list)
	if err := w.files(root, folder, list); err != nil {
		return err
	}
	for _, info := range list {
		at := below(folder, info.Name())
		if !info.IsDir() || hidden(info.Name()) || w.leaveOut(at) {
			continue
		}
		if err := w.into(root, at, info); err != nil {
			return err
		}
	}
	return nil
}

// compose gives files and folders their composed names, in which we write all of
// them, where a file system shows names decomposed and takes both for one: there a
// note would seem renamed by its user as soon as it is looked at.
func compose(root *os.Root, list []fs.FileInfo) {
	for i, info := range list {
		name := norm.NFC.String(info.Name())
		if name == info.Name() {
			continue
		}
		if same, err := root.Lstat(name); err == nil && os.SameFile(info, same) && !listed(list, name) {
			list[i] = same
		}
	}
}

// listed tells whether a name is that of a second link.
func listed(list []fs.FileInfo, name string) bool {
	return slices.ContainsFunc(list, func(other fs.FileInfo) bool { return other.Name() == name })
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
		return w.shut(folder, err)
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(info, opened) {
		if err = errors.Join(err, root.Close()); err == nil {
			return nil
		}
		return w.shut(folder, err)
	}
	if w.passOver != nil && w.passOver(root) {
		return root.Close()
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

// shut passes over a folder that cannot be looked into, if that is allowed.
func (w *walker) shut(folder string, err error) error {
	if w.closed == nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed(folder, err)
	return nil
}
