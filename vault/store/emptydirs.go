package store

import (
	"errors"
	"path"
)

// A folder of which we took the last note goes too. It waits for Tidy, for a
// writer may be about to put another note there.

// leave notes that a file went from a folder below the managed one.
func (d *Disk) leave(folder string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left == nil {
		d.left = map[string]bool{}
	}
	d.left[folder] = true
}

// Tidy removes the folders that are empty because Move or Remove took their last
// file, and those named if they are empty: an earlier run was about to take their
// last one. Whatever lies in one, be it hidden, keeps it. No other call may be at
// work; the next Flush makes it durable.
func (d *Disk) Tidy(earlier ...string) {
	d.mu.Lock()
	left := d.left
	d.left = nil
	d.mu.Unlock()
	if left == nil {
		left = map[string]bool{}
	}
	for _, folder := range earlier {
		left[folder] = true
	}
	for folder := range left {
		for p := folder; p != "." && d.dirs.removeEmpty(p); {
			p = path.Dir(p)
		}
	}
}

// removeEmpty removes a folder if it is empty and nobody is at work in it. One
// that cannot be removed for another reason stays as well: it does no harm.
func (all *dirCache) removeEmpty(p string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if f := all.kept[p]; f != nil {
		if f.users > 0 {
			return false
		}
		if f.dirty { // should it stay, its names are still to be synced
			all.dirty[p] = true
		}
		if all.err = errors.Join(all.err, all.drop(f)); all.err != nil {
			return false
		}
	}
	parent, err := all.find(path.Dir(p), false)
	if err != nil || removeFolder(parent.root, parent.dir, path.Base(p)) != nil {
		return false
	}
	parent.dirty = true
	delete(all.dirty, p)
	return true
}
