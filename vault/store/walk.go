package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/vault/note"
)

// walkers is how many folders are read at once; more do not help on one disk.
const walkers = 2

// Walk visits the regular files, hidden ones too, of folders that are neither hidden nor left out,
// one at a time in any order. No link is followed.
type Walk struct {
	LeaveOut func(folder string) bool // by its path from the folder walked
	PassOver string                   // a folder with something at this path is left out too; empty: none
	Visit    func(Found) error
	Closed   func(folder string, err error) // of one that cannot be looked into; nil: it ends the walk
}

// Found is a regular file found on a walk.
type Found struct {
	Folder string // its path from the folder walked, "." being that itself
	Info   fs.FileInfo
	root   *os.Root // its folder
}

// Path is where the file lies.
func (f Found) Path() string { return below(f.Folder, f.Info.Name()) }

// below is the path of what has a name in a folder of the walk.
func below(folder, name string) string {
	if folder == "." {
		return name
	}
	return folder + "/" + name
}

// Stamp reports whether the file moved since it was last seen.
func (f Found) Stamp() note.Stamp { return stampOf(f.Info) }

// Linked reports whether the file has another name too, as far as the system tells.
func (f Found) Linked() bool { return linked(f.Info) }

// Open opens the file to read it. It is never waited for.
func (f Found) Open() (*os.File, error) {
	return f.root.OpenFile(f.Info.Name(), os.O_RDONLY|openNonblock, 0)
}

// Hidden reports whether Obsidian hides a file with this name.
func Hidden(name string) bool { return strings.HasPrefix(name, ".") }

type walker struct {
	Walk
	ctx    context.Context
	others *errgroup.Group
	mu     sync.Mutex // held while something is visited or closed
}

// Walk goes through the folder.
func (d *Disk) Walk(ctx context.Context, how Walk) error {
	w := &walker{Walk: how}
	w.others, w.ctx = errgroup.WithContext(ctx)
	w.others.SetLimit(walkers - 1)
	err := w.folder(d.root, ".")
	if other := w.others.Wait(); other != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = other
	}
	return err
}

func (w *walker) folder(root *os.Root, folder string) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	dir, err := root.OpenFile(".", os.O_RDONLY|openNonblock, 0)
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
		if !info.IsDir() || Hidden(info.Name()) {
			continue
		}
		at := below(folder, info.Name())
		if w.LeaveOut(at) {
			continue
		}
		if err := w.into(root, at, info); err != nil {
			return err
		}
	}
	return nil
}

// compose gives files their composed names where a file system takes both for one: a note of ours
// would seem renamed.
func compose(root *os.Root, list []fs.FileInfo) {
	for i, info := range list {
		name := norm.NFC.String(info.Name())
		if name == info.Name() {
			continue
		}
		second := slices.ContainsFunc(list, func(other fs.FileInfo) bool { return other.Name() == name })
		if same, err := root.Lstat(name); err == nil && os.SameFile(info, same) && !second {
			list[i] = same
		}
	}
}

func (w *walker) files(root *os.Root, folder string, list []fs.FileInfo) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, info := range list {
		if info.Mode().IsRegular() {
			if err := w.Visit(Found{Folder: folder, Info: info, root: root}); err != nil {
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
	if w.PassOver != "" {
		if _, err := root.Lstat(w.PassOver); err == nil {
			return root.Close()
		}
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
	if w.Closed == nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Closed(folder, err)
	return nil
}
