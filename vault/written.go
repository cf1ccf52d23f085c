package vault

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// remember notes that files were written, moved or removed.
func (v *Vault) remember(paths ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, p := range paths {
		if strings.HasPrefix(p, rescuedPath+"/") {
			continue // a human's text, for a human to look at
		}
		if v.wrote == nil {
			v.wrote = map[string]bool{}
		}
		v.wrote[p] = true
	}
}

// wroteIn notes that a file of a folder was written. What lies outside of the
// managed folder is the user's to keep, and so is not told of.
func (v *Vault) wroteIn(f *folder, name string) {
	if f.owner != v.around {
		v.remember(path.Join(f.path, name))
	}
}

// TakeWritten lists the paths, from the managed folder, at which this Vault
// wrote, moved or removed a file since it was asked last.
func (v *Vault) TakeWritten() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	paths := slices.Sorted(maps.Keys(v.wrote))
	v.wrote = nil
	return paths
}
