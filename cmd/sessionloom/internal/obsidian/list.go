package obsidian

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxList bounds Obsidian's list of vaults, in bytes.
const maxList = 1 << 20

// lists are the files in which Obsidian may keep its list of vaults.
func (m Machine) lists() []string {
	env := func(name, otherwise string) string {
		if value := m.Env(name); value != "" {
			return value
		}
		return otherwise
	}
	var dirs []string
	switch m.GOOS {
	case "windows":
		dirs = []string{env("APPDATA", filepath.Join(m.Home, "AppData", "Roaming"))}
	case "darwin":
		dirs = []string{filepath.Join(m.Home, "Library", "Application Support")}
	default:
		dirs = []string{
			env("XDG_CONFIG_HOME", filepath.Join(m.Home, ".config")),
			filepath.Join(m.Home, ".var", "app", "md.obsidian.Obsidian", "config"), // Flatpak
			filepath.Join(m.Home, "snap", "obsidian", "current", ".config"),
		}
	}
	for i, dir := range dirs {
		dirs[i] = filepath.Join(dir, "obsidian", "obsidian.json")
	}
	return dirs
}

// listed are the vaults of Obsidian's lists that are there. One that it made for
// itself, the sandbox in the folder of its settings, is left out.
func (m Machine) listed() []Vault {
	var out []Vault
	for _, file := range m.lists() {
		own := filepath.Dir(file) + string(filepath.Separator)
		for _, v := range parseList(readList(file)) {
			info, err := os.Stat(v.Path) // it may be a link, for its user named it
			if err == nil && info.IsDir() && !strings.HasPrefix(v.Path, own) {
				out = append(out, v)
			}
		}
	}
	return out
}

// readList reads a plain file of a bounded size, nothing else.
func readList(file string) []byte {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxList))
	if err != nil {
		return nil
	}
	return text
}

// parseList reads a list of vaults, as much of it as makes sense: paths that are
// absolute, each once, in the order of paths.
func parseList(text []byte) []Vault {
	var list struct {
		Vaults map[string]json.RawMessage `json:"vaults"`
	}
	if json.Unmarshal(text, &list) != nil {
		return nil
	}
	byPath := map[string]Vault{}
	for _, raw := range list.Vaults {
		var one map[string]any
		if json.Unmarshal(raw, &one) != nil {
			continue
		}
		path, _ := one["path"].(string)
		if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
			continue
		}
		v := Vault{Path: filepath.Clean(path)}
		v.Open, _ = one["open"].(bool)
		if ts, _ := one["ts"].(float64); ts > 0 && ts < math.MaxInt64/2 {
			v.Used = int64(ts)
		}
		was := byPath[v.Path]
		byPath[v.Path] = Vault{Path: v.Path, Open: v.Open || was.Open, Used: max(v.Used, was.Used)}
	}
	out := make([]Vault, 0, len(byPath))
	for _, v := range byPath {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b Vault) int { return strings.Compare(a.Path, b.Path) })
	return out
}
