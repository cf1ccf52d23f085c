// Package obsidian finds the vaults on a machine: folders that Obsidian has
// opened. It reads folder names and Obsidian's own list of vaults, and never
// follows a link.
package obsidian

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Machine says where to look.
type Machine struct {
	Home string // the user's home folder
	Cwd  string // the current folder; empty: not known
	GOOS string
	Env  func(string) string // looks up environment variables
}

// Vault is a folder that Obsidian has opened.
type Vault struct {
	Path string
	Open bool  // it is open now, as Obsidian's list says
	Used int64 // when Obsidian opened it last, in milliseconds since 1970; 0: not in its list
}

// Find returns the vaults: that which the current folder lies in, and no other;
// else those of Obsidian's list and those that lie about in the home folder, the
// one used last first.
func Find(m Machine) []Vault {
	if v, ok := around(m.Cwd); ok {
		return []Vault{v}
	}
	listed := m.listed()
	all := slices.Concat(listed, m.walk())
	seen := map[string]bool{}
	var out []Vault
	for _, v := range all {
		real, err := filepath.EvalSymlinks(v.Path)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		out = append(out, v)
	}
	slices.SortStableFunc(out, func(a, b Vault) int {
		if a.Open != b.Open && a.Open {
			return -1
		} else if a.Open != b.Open {
			return 1
		}
		return cmp.Or(cmp.Compare(b.Used, a.Used), strings.Compare(a.Path, b.Path))
	})
	return out
}

// marker is the folder that Obsidian makes in each vault.
const marker = ".obsidian"

// around is the vault that a folder lies in.
func around(dir string) (Vault, bool) {
	if !filepath.IsAbs(dir) {
		return Vault{}, false
	}
	for {
		if isVault(dir) {
			return Vault{Path: dir}, true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return Vault{}, false
		}
		dir = above
	}
}

func isVault(dir string) bool { return isDir(filepath.Join(dir, marker)) }

// isDir tells whether a folder is there; a link to one is none.
func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
