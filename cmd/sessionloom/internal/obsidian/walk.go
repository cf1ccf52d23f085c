package obsidian

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of the walk through a home folder: how deep vaults are looked for, and
// how many folders are read at most. They are bounds by number, for on a slow disk
// a bound by time would give another answer each time.
const (
	homeDepth   = 2
	maxFolders  = 3000
	maxChildren = 2000 // of one folder; one that holds more is no place for vaults
)

// usual are places in the home folder where vaults lie deeper than in others.
var usual = []string{
	"Documents", "Obsidian", "Dropbox", "OneDrive", "Nextcloud",
	"Library/Mobile Documents/iCloud~md~obsidian/Documents",
}

// never are folders that hold no vault and much else.
var never = []string{"node_modules", "Library", "AppData", "go", "snap"}

// walker looks for vaults.
type walker struct {
	left  int             // folders that may still be read
	disk  any             // of the home folder: others may be slow, or far away
	seen  map[string]bool // folders that were read
	found []Vault
}

// walk finds the vaults that lie about in the home folder.
func (m Machine) walk() []Vault {
	if !filepath.IsAbs(m.Home) {
		return nil
	}
	w := &walker{left: maxFolders, seen: map[string]bool{}}
	info, err := os.Stat(m.Home)
	if err != nil {
		return nil
	}
	w.disk = disk(info)
	for _, name := range usual {
		if dir := filepath.Join(m.Home, filepath.FromSlash(name)); isDir(dir) {
			w.look(dir, homeDepth)
		}
	}
	w.look(m.Home, homeDepth)
	return w.found
}

// look reads a folder and those below it. What is in a vault is no other vault.
func (w *walker) look(dir string, depth int) {
	if w.left <= 0 || w.seen[dir] {
		return
	}
	w.seen[dir] = true
	w.left--
	if isVault(dir) {
		w.found = append(w.found, Vault{Path: dir})
		return
	}
	if depth == 0 {
		return
	}
	for _, name := range folders(dir) {
		at := filepath.Join(dir, name)
		if info, err := os.Lstat(at); err == nil && disk(info) == w.disk {
			w.look(at, depth-1)
		}
	}
}

// folders are the visible folders in a folder that may hold vaults; links are none.
func folders(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	entries, _ := f.ReadDir(maxChildren) // what could be read is looked at
	var out []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(never, e.Name()) {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return out
}
