package vault

import (
	"errors"
	"path"
)

// A folder of which we took the last note goes too. It waits for Tidy, for a
// writer may be about to put another note there.

// leave notes that a file went from a folder below the managed one.
func (v *Vault) leave(folder string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.left == nil {
		v.left = map[string]bool{}
	}
	v.left[folder] = true
}

// Tidy removes the folders that are empty because Move or Remove took their last
// file, and those named if they are empty: an earlier run was about to take their
// last one. Whatever lies in one, be it hidden, keeps it. No other call may be at
// work; the next Flush makes it durable.
func (v *Vault) Tidy(earlier ...string) {
	v.mu.Lock()
	left := v.left
	v.left = nil
	v.mu.Unlock()
	if v.opt.DryRun {
		return
	}
	if left == nil {
		left = map[string]bool{}
	}
	for _, folder := range earlier {
		left[folder] = true
	}
	for folder := range left {
		for p := folder; p != "." && v.folders.removeEmpty(p); {
			p = path.Dir(p)
		}
	}
}

// removeEmpty removes a folder if it is empty and nobody is at work in it. One
// that cannot be removed for another reason stays as well: it does no harm.
func (all *folders) removeEmpty(p string) bool {
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
	if err != nil || removeFolder(parent, path.Base(p)) != nil {
		return false
	}
	parent.dirty = true
	delete(all.dirty, p)
	return true
}
