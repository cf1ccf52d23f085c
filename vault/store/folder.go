package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

const maxFolders = 128

// dirCache opens folders step by step and keeps some open. Files are named by one component within
// their folder, so that nothing on the way can be swapped for a link.
type dirCache struct {
	root *os.Root

	mu   sync.Mutex
	kept map[string]*openDir
	err  error // of letting go of a folder, told by the next flush
}

type openDir struct {
	path  string
	root  *os.Root
	dir   *os.File // the folder itself: to sync it, and for calls os.Root lacks
	users int
	dirty bool // names in it changed since it was synced
}

func newDirCache(root *os.Root) *dirCache {
	return &dirCache{root: root, kept: map[string]*openDir{}}
}

// openPlain opens a folder below a root without links; create makes it, durably.
func openPlain(root *os.Root, inner string, create bool) (*os.Root, error) {
	way := newDirCache(root)
	f, err := way.open(inner, create)
	if err != nil {
		return nil, errors.Join(err, way.close())
	}
	opened, err := f.root.OpenRoot(".")
	way.done(f)
	if flushed := errors.Join(way.flush(), way.close()); flushed != nil && err == nil {
		return nil, errors.Join(flushed, opened.Close())
	}
	return opened, err
}

// open returns a folder, "." being the root. The caller gives it back with done.
func (all *dirCache) open(p string, create bool) (*openDir, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f, err := all.find(p, create)
	if err != nil {
		return nil, err
	}
	f.users++
	return f, nil
}

func (all *dirCache) find(p string, create bool) (*openDir, error) {
	if f := all.kept[p]; f != nil {
		return f, nil
	}
	var root *os.Root
	var err error
	if p == "." {
		root, err = all.root.OpenRoot(".")
	} else {
		var parent *openDir
		if parent, err = all.find(path.Dir(p), create); err == nil {
			root, err = parent.step(path.Base(p), create)
		}
	}
	if err != nil {
		return nil, err
	}
	dir, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	f := &openDir{path: p, root: root, dir: dir}
	all.kept[p] = f
	return f, nil
}

func (f *openDir) step(name string, create bool) (*os.Root, error) {
	info, err := f.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err = f.root.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		f.dirty = true
		info, err = f.root.Lstat(name)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%q in folder %q is no real folder", name, f.path)
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = fmt.Errorf("folder %q in folder %q was swapped while it was opened", name, f.path)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

func (all *dirCache) done(f *openDir) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f.users--
	if len(all.kept) > maxFolders && f.users == 0 {
		all.err = errors.Join(all.err, f.sync(), all.drop(f))
	}
}

func (all *dirCache) touched(f *openDir) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f.dirty = true
}

func (all *dirCache) drop(f *openDir) error {
	delete(all.kept, f.path)
	return errors.Join(f.dir.Close(), f.root.Close())
}

func (f *openDir) sync() error {
	if !f.dirty {
		return nil
	}
	if err := syncFolder(f.dir); err != nil {
		return fmt.Errorf("sync folder %q: %w", f.path, err)
	}
	f.dirty = false
	return nil
}

// flush syncs the folders whose names changed and closes those not in use.
func (all *dirCache) flush() error {
	all.mu.Lock()
	defer all.mu.Unlock()
	err := all.err
	all.err = nil
	for _, f := range all.kept {
		synced := f.sync()
		if err = errors.Join(err, synced); synced == nil && f.users == 0 {
			err = errors.Join(err, all.drop(f))
		}
	}
	return err
}

func (all *dirCache) close() error {
	all.mu.Lock()
	defer all.mu.Unlock()
	err := all.err
	all.err = nil
	for _, f := range all.kept {
		err = errors.Join(err, all.drop(f))
	}
	return err
}

// MakeFolder makes a folder and those above it, durably.
func MakeFolder(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, 0o777) // an error if it is no folder
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := MakeFolder(above); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return SyncFolder(above)
}

// SyncFolder makes the names in a folder last, where the system can.
func SyncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(dir), dir.Close())
}

// A folder of which we took the last note goes too, with Tidy: another may come meanwhile.

// leave notes that a file went from a folder. A hidden one stays: it is for our own records.
func (d *Disk) leave(folder string) {
	if Hidden(folder) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left[folder] = true
}

// Tidy removes folders that Move or Remove emptied, or that an earlier run was about to, and lists
// those that could not be removed. No other call may be at work; the next Flush makes it durable.
func (d *Disk) Tidy(earlier ...string) (stay []string, err error) {
	d.mu.Lock()
	folders := slices.AppendSeq(earlier, maps.Keys(d.left))
	clear(d.left)
	d.mu.Unlock()
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		for p := folder; p != "."; p = path.Dir(p) {
			removed, failed := d.dirs.removeEmpty(p)
			if failed != nil {
				stay, err = append(stay, p), errors.Join(err, fmt.Errorf("remove the empty folder %q: %w", p, failed))
			}
			if !removed {
				break
			}
		}
	}
	return stay, err
}

func (all *dirCache) removeEmpty(p string) (removed bool, err error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if f := all.kept[p]; f != nil {
		if f.users > 0 {
			return false, nil
		}
		if err := errors.Join(f.sync(), all.drop(f)); err != nil { // should it stay, its names are synced
			return false, err
		}
	}
	parent, err := all.find(path.Dir(p), false)
	if err == nil {
		err = removeFolder(parent.root, parent.dir, path.Base(p))
	}
	switch {
	case err == nil:
		parent.dirty = true
		return true, nil
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EBUSY): // it is not empty, or gone
		return false, nil
	}
	return false, err
}
