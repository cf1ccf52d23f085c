package obsidian

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// machine is one with a home folder of its own.
func machine(t *testing.T) Machine {
	home := expect.Value(filepath.EvalSymlinks(t.TempDir()))(t)
	return Machine{Home: home, GOOS: "linux", Env: func(string) string { return "" }}
}

func (m Machine) folder(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(m.Home, filepath.FromSlash(name))
	expect.OK(t, os.MkdirAll(dir, 0o700))
	return dir
}

// list writes Obsidian's list of vaults below a folder.
func (m Machine) list(t *testing.T, dir string, vaults map[string]any) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"vaults": vaults, "cli": true})
	if err == nil {
		err = os.WriteFile(filepath.Join(m.folder(t, dir+"/obsidian"), "obsidian.json"), text, 0o600)
	}
	expect.OK(t, err)
}

func (m Machine) finds(t *testing.T, want ...string) {
	t.Helper()
	got := []string{}
	for _, v := range Find(m) {
		rel := expect.Value(filepath.Rel(m.Home, v.Path))(t)
		got = append(got, filepath.ToSlash(rel))
	}
	expect.List(t, got, want, "found")
}

// Who is in a vault means that one.
func TestVaultAround(t *testing.T) {
	m := machine(t)
	m.list(t, ".config", map[string]any{"1": map[string]any{"path": m.folder(t, "listed")}})
	m.folder(t, "Notes/.obsidian")
	m.finds(t, "listed")
	m.Cwd = m.folder(t, "Notes/deep/down")
	m.finds(t, "Notes")
	m.Cwd = m.folder(t, "plain")
	m.finds(t, "listed")
}

// The vault that is open goes first, then the one opened last; what is gone is
// left out, and what several lists name comes once.
func TestListOfObsidian(t *testing.T) {
	m := machine(t)
	for _, name := range []string{"a/.obsidian", "b/.obsidian", "x/y/z/c", "flat", "snapped", ".config/obsidian/Obsidian Sandbox/.obsidian"} {
		m.folder(t, name)
	}
	at := func(name string) string { return filepath.Join(m.Home, filepath.FromSlash(name)) }
	m.list(t, ".config", map[string]any{
		"1": map[string]any{"path": at("a"), "ts": 100}, "2": map[string]any{"path": at("b"), "ts": 200.5},
		"3": map[string]any{"path": at("x/y/z/c"), "ts": 50, "open": true}, "4": map[string]any{"path": at("gone")},
		"5": map[string]any{"path": "relative"}, "6": "no object", "7": map[string]any{"path": 7},
		"8": map[string]any{"path": at(".config/obsidian/Obsidian Sandbox"), "ts": 900},
	})
	m.list(t, ".var/app/md.obsidian.Obsidian/config", map[string]any{"1": map[string]any{"path": at("flat"), "ts": 1}})
	m.list(t, "snap/obsidian/current/.config", map[string]any{"1": map[string]any{"path": at("snapped"), "ts": "soon"}, "2": map[string]any{"path": at("a")}})
	m.finds(t, "x/y/z/c", "b", "a", "flat", "snapped")
}

// The list is elsewhere on other systems and where the environment says so.
func TestPlacesOfTheList(t *testing.T) {
	for goos, want := range map[string][]string{
		"linux":   {"H/.config/obsidian/obsidian.json", "H/.var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json", "H/snap/obsidian/current/.config/obsidian/obsidian.json"},
		"darwin":  {"H/Library/Application Support/obsidian/obsidian.json"},
		"windows": {"H/AppData/Roaming/obsidian/obsidian.json"},
	} {
		m := Machine{Home: "H", GOOS: goos, Env: func(string) string { return "" }}
		got := m.lists()
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		expect.List(t, got, want, goos)
	}
	for goos, name := range map[string]string{"linux": "XDG_CONFIG_HOME", "windows": "APPDATA"} {
		m := Machine{Home: "H", GOOS: goos, Env: func(n string) string { return map[string]string{name: "X"}[n] }}
		expect.Is(t, m.lists()[0], filepath.Join("X", "obsidian", "obsidian.json"), goos)
	}
}

// The list is a file of another program: whatever is in it, what comes out is
// clean absolute paths.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		`{"vaults":{"a":{"path":"/v","ts":1,"open":true},"b":{"path":"/v/","ts":2}}}`, `{"vaults":[]}`, `{"vaults":{"a":null}}`, "\xef\xbb\xbf{}", "",
		`{"vaults":{"a":{"path":"/v\u0000w","ts":1e400}}}`, `{"vaults":{"a":{"path":"/\u001b[2J","ts":-1}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := parseList(text)
		for _, v := range got {
			if !filepath.IsAbs(v.Path) || v.Path != filepath.Clean(v.Path) || strings.ContainsRune(v.Path, 0) || v.Used < 0 {
				t.Errorf("%+v", v)
			}
		}
		expect.List(t, got, parseList(text), "another order the second time")
	})
}
