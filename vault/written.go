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

// wroteIn notes that a file of a folder was written.
func (v *Vault) wroteIn(f *folder, name string) {
	v.remember(path.Join(f.path, name))
}

// FromRoot marks a path as one from the vault's root, among paths from the
// managed folder.
func FromRoot(p string) string { return "/" + p }

// TakeWritten lists the paths at which this Vault wrote, moved or removed a file
// since it was asked last.
func (v *Vault) TakeWritten() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	paths := slices.Sorted(maps.Keys(v.wrote))
	v.wrote = nil
	return paths
}
