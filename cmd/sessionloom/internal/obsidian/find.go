// Package obsidian finds the vaults on a machine: folders that Obsidian has opened, from its own list.
package obsidian

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// Machine says where to look.
type Machine struct {
	Home string // the user's home folder
	Cwd  string // the current folder, or ""
	GOOS string
	Env  func(string) string // looks up environment variables
}

// Vault is a folder that Obsidian has opened.
type Vault struct {
	Path string
	Open bool    // it is open now, according to Obsidian's list
	Used float64 // when Obsidian last opened it, in milliseconds since 1970; 0: unknown
}

// Find returns only the vault around the current folder; else the vaults in Obsidian's list, last used first;
// else vaults in the user's home or documents.
func Find(m Machine) []Vault {
	if v, ok := around(m.Cwd); ok {
		return []Vault{v}
	}
	seen := map[string]bool{}
	var out []Vault
	for _, v := range m.listed() {
		real, err := filepath.EvalSymlinks(v.Path)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		out = append(out, v)
	}
	slices.SortStableFunc(out, lastUsedFirst)
	if len(out) == 0 {
		return m.below()
	}
	return out
}

// below returns the vaults directly in the user's home or documents.
func (m Machine) below() (out []Vault) {
	for _, dir := range []string{m.Home, filepath.Join(m.Home, "Documents")} {
		found, _ := filepath.Glob(filepath.Join(dir, "*", ".obsidian")) // the pattern is invalid only for odd homes
		for _, at := range found {
			if vault := filepath.Dir(at); isVault(vault) {
				out = append(out, Vault{Path: vault})
			}
		}
	}
	return out
}

func lastUsedFirst(a, b Vault) int {
	switch {
	case a.Open && !b.Open:
		return -1
	case b.Open && !a.Open:
		return 1
	}
	return cmp.Or(cmp.Compare(b.Used, a.Used), strings.Compare(a.Path, b.Path))
}

func around(dir string) (Vault, bool) {
	if !filepath.IsAbs(dir) {
		return Vault{}, false
	}
	for ; !isVault(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return Vault{}, false
		}
	}
	return Vault{Path: dir}, true
}

// isVault reports whether a folder has the folder that Obsidian makes in each vault, not a link to one.
func isVault(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".obsidian"))
	return err == nil && info.IsDir()
}

func (m Machine) lists() []string {
	var dirs []string
	switch m.GOOS {
	case "windows":
		dirs = []string{cmp.Or(m.Env("APPDATA"), filepath.Join(m.Home, "AppData", "Roaming"))}
	case "darwin":
		dirs = []string{filepath.Join(m.Home, "Library", "Application Support")}
	default:
		dirs = []string{
			cmp.Or(m.Env("XDG_CONFIG_HOME"), filepath.Join(m.Home, ".config")),
			filepath.Join(m.Home, ".var", "app", "md.obsidian.Obsidian", "config"), // Flatpak
			filepath.Join(m.Home, "snap", "obsidian", "current", ".config"),
		}
	}
	for i, dir := range dirs {
		dirs[i] = filepath.Join(dir, "obsidian", "obsidian.json")
	}
	return dirs
}

// Version returns the newest Obsidian that was used here, or "".
func Version(m Machine) (newest string) {
	for _, file := range m.lists() {
		found, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "obsidian-*.asar")) // the pattern is valid
		for _, at := range found {
			v := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(at), "obsidian-"), ".asar")
			if newest == "" || semver.Compare("v"+v, "v"+newest) > 0 {
				newest = v
			}
		}
	}
	return newest
}

// listed returns the existing vaults of Obsidian's lists, without its own sandbox.
func (m Machine) listed() []Vault {
	var out []Vault
	for _, file := range m.lists() {
		own := filepath.Dir(file) + string(filepath.Separator)
		text, _ := os.ReadFile(file) // no file, no list
		for _, v := range parseList(text) {
			info, err := os.Stat(v.Path) // it may be a link, as its user named it
			if err == nil && info.IsDir() && !strings.HasPrefix(v.Path, own) {
				out = append(out, v)
			}
		}
	}
	return out
}

// parseList reads the absolute paths of a list of vaults.
func parseList(text []byte) (out []Vault) {
	var list struct {
		Vaults map[string]struct {
			Path string  `json:"path"`
			Open bool    `json:"open"`
			TS   float64 `json:"ts"`
		} `json:"vaults"`
	}
	_ = json.Unmarshal(text, &list) // a field of another type is left out
	for _, v := range list.Vaults {
		if filepath.IsAbs(v.Path) && !strings.ContainsRune(v.Path, 0) {
			out = append(out, Vault{Path: filepath.Clean(v.Path), Open: v.Open, Used: max(0, v.TS)})
		}
	}
	slices.SortFunc(out, lastUsedFirst)
	return out
}
