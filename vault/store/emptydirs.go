package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"syscall"
)

// A folder of which we took the last note goes too. It waits for Tidy, for a
// writer may be about to put another note there.

// leave notes that a file went from a folder. A hidden one stays: it is for our own records.
func (d *Disk) leave(folder string) {
	if Hidden(folder) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left == nil {
		d.left = map[string]bool{}
	}
	d.left[folder] = true
}

// Tidy removes the folders that are empty because Move or Remove took their last
// file, and those named if they are empty: an earlier run was about to take their
// last one. Whatever lies in one, be it hidden, keeps it. It lists those that could not be
// removed, and why. No other call may be at work; the next Flush makes it durable.
func (d *Disk) Tidy(earlier ...string) (stay []string, err error) {
	d.mu.Lock()
	left := d.left
	d.left = nil
	d.mu.Unlock()
	folders := slices.AppendSeq(earlier, maps.Keys(left))
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

// removeEmpty removes a folder if it is empty and nobody is at work in it.
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
