package vscode

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// dirs makes folders below base.
func dirs(t *testing.T, base string, names ...string) {
	t.Helper()
	for _, name := range names {
		expect.OK(t, os.MkdirAll(filepath.Join(base, filepath.FromSlash(name)), 0o755))
	}
}

// writeFiles makes files below base, by name and content.
func writeFiles(t *testing.T, base string, contents map[string]string) {
	t.Helper()
	for name, content := range contents {
		path := filepath.Join(base, filepath.FromSlash(name))
		dirs(t, filepath.Dir(path), "")
		expect.OK(t, os.WriteFile(path, []byte(content), 0o644))
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("no symbolic links here")
	}
}

// looking is a Config whose places all lie below base.
func looking(base, goos string, env map[string]string) Config {
	return Config{Defaults: true, GOOS: goos, Home: filepath.Join(base, "home"), drives: filepath.Join(base, "mnt"),
		Env: func(name string) string {
			if v := env[name]; strings.HasPrefix(v, "@") {
				return filepath.Join(base, filepath.FromSlash(v[1:]))
			} else {
				return v
			}
		}}
}

// told are lines "path | edition" of roots below base.
func told(t *testing.T, base string, roots []*user) []string {
	t.Helper()
	var lines []string
	for _, u := range roots {
		r := u.Root
		rel := expect.Value(filepath.Rel(base, r.Path))(t)
		line := filepath.ToSlash(rel) + " | " + edition(r.Path)
		if r.Why != "" {
			line += ": " + r.Why
		}
		lines = append(lines, line)
	}
	return lines
}

func check(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestDefaultPlaces(t *testing.T) {
	for _, c := range []struct {
		name, goos string
		env        map[string]string
		made, want []string
	}{
		{"linux", "linux", nil, []string{
			"home/.config/VSCodium/User", "home/.config/Code/User", "home/.config/Code - Insiders/User", "home/.config/Cursor/User",
			"home/.vscode-server/data/User", "home/.vscode-server-insiders/data/User", "home/.vscode-remote/data/User",
			"home/.local/share/code-server/User", "home/.openvscode-server/data/User",
			"home/.var/app/com.visualstudio.code/config/Code/User", "home/.var/app/com.vscodium.codium/config/VSCodium/User",
			"home/.config/Slack/User", "home/Library/Application Support/Code/User",
		}, []string{
			"home/.config/Code/User | Code", "home/.config/Code - Insiders/User | Code - Insiders",
			"home/.config/Cursor/User | Cursor", "home/.config/VSCodium/User | VSCodium",
			"home/.var/app/com.visualstudio.code/config/Code/User | Code",
			"home/.var/app/com.vscodium.codium/config/VSCodium/User | VSCodium",
			"home/.openvscode-server/data/User | openvscode-server", "home/.vscode-remote/data/User | vscode-remote",
			"home/.vscode-server/data/User | vscode-server", "home/.vscode-server-insiders/data/User | vscode-server-insiders",
			"home/.local/share/code-server/User | code-server",
		}},
		{"linux, XDG", "linux", map[string]string{"XDG_CONFIG_HOME": "@cfg", "XDG_DATA_HOME": "@data"},
			[]string{"cfg/Code/User", "home/.config/Code/User", "data/code-server/User"},
			[]string{"cfg/Code/User | Code", "home/.config/Code/User | Code", "data/code-server/User | code-server"}},
		{"a relative variable says nothing", "linux", map[string]string{"XDG_CONFIG_HOME": "cfg"},
			[]string{"home/.config/Code/User"}, []string{"home/.config/Code/User | Code"}},
		{"portable", "linux", map[string]string{"VSCODE_PORTABLE": "@opt/vscode/data"},
			[]string{"opt/vscode/data/user-data/User", "home/.config/Code/User"},
			[]string{"opt/vscode/data/user-data/User | vscode", "home/.config/Code/User | Code"}},
		{"other variables", "linux", map[string]string{"VSCODE_APPDATA": "@apps", "VSCODE_AGENT_FOLDER": "@checode/remote"},
			[]string{"apps/Code/User", "checode/remote/data/User"},
			[]string{"apps/Code/User | Code", "checode/remote/data/User | remote"}},
		{"macos", "darwin", nil,
			[]string{"home/Library/Application Support/Code/User", "home/Library/Application Support/Cursor/User", "home/.config/Code/User", "home/.var/app/com.visualstudio.code/config/Code/User"},
			[]string{"home/Library/Application Support/Code/User | Code", "home/Library/Application Support/Cursor/User | Cursor"}},
		{"windows", "windows", map[string]string{"APPDATA": "@roaming"},
			[]string{"roaming/Code/User", "home/AppData/Roaming/Code/User", "home/.vscode-server/data/User"},
			[]string{"roaming/Code/User | Code", "home/.vscode-server/data/User | vscode-server"}},
		{"windows without APPDATA", "windows", nil,
			[]string{"home/AppData/Roaming/Code - Insiders/User"}, []string{"home/AppData/Roaming/Code - Insiders/User | Code - Insiders"}},
		{"WSL", "linux", nil,
			[]string{"mnt/c/Users/Public", "mnt/c/Users/dev/AppData/Roaming/Code/User", "home/.vscode-server/data/User"},
			[]string{"mnt/c/Users/dev/AppData/Roaming/Code/User | Code", "home/.vscode-server/data/User | vscode-server"}},
		{"nothing", "linux", nil, nil, []string{"home/.config/Code/User | Code: not there"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := t.TempDir()
			for _, dir := range c.made {
				dirs(t, base, dir)
				if dir != "home/.config/Slack/User" {
					dirs(t, base, dir+"/globalStorage")
				}
			}
			check(t, told(t, base, New(looking(base, c.goos, c.env)).users()), c.want)
		})
	}
}

func TestNamedFolders(t *testing.T) {
	base := t.TempDir()
	dirs(t, base, "Code/User/workspaceStorage", "Fresh/User", "box/.vscode-server/data/User/globalStorage", "VSCode-linux-x64/data/user-data/User",
		"samples/vscode-user/workspaceStorage", "empty", "custom/User/globalStorage")
	writeFiles(t, base, map[string]string{"file": ""})
	for _, c := range []struct{ named, want string }{
		{"Code", "Code/User | Code"},
		{"Code/User", "Code/User | Code"},
		{"Code/User/workspaceStorage", "Code/User | Code"},
		{"Fresh", "Fresh/User | Fresh"},
		{"Fresh/User", "Fresh/User | Fresh"},
		{"box/.vscode-server", "box/.vscode-server/data/User | vscode-server"},
		{"box/.vscode-server/data", "box/.vscode-server/data/User | vscode-server"},
		{"VSCode-linux-x64", "VSCode-linux-x64/data/user-data/User | VSCode-linux-x64"},
		{"VSCode-linux-x64/data", "VSCode-linux-x64/data/user-data/User | VSCode-linux-x64"},
		{"samples/vscode-user", "samples/vscode-user | vscode-user"},
		{"custom", "custom/User | custom"},
		{"empty", "empty | empty: no user folder of VS Code: there is no workspaceStorage and no globalStorage in it"},
		{"file", "file | file: not a folder"},
		{"absent/Code/User", "absent/Code/User | Code: not there"},
	} {
		got := told(t, base, New(Config{UserDirs: []string{filepath.Join(base, filepath.FromSlash(c.named))}}).users())
		check(t, got, []string{c.want})
	}
}

func TestEachFolderOnce(t *testing.T) {
	base := t.TempDir()
	dirs(t, base, "home/.config/Code/User/workspaceStorage")
	code := filepath.Join(base, "home", ".config", "Code")
	link(t, code, filepath.Join(base, "home", ".config", "Code - Insiders"))
	link(t, code, filepath.Join(base, "other"))
	c := looking(base, "linux", nil)
	c.UserDirs = []string{filepath.Join(code, "User"), code, filepath.Join(base, "other")}
	check(t, told(t, base, New(c).users()), []string{
		"home/.config/Code/User | Code", "other/User | other: a link to another home that is read",
		"home/.config/Code - Insiders/User | Code - Insiders: a link to another home that is read"})
}

// TestEdgeCase4EditionsStayApart: one storage id under two editions.
func TestEdgeCase4EditionsStayApart(t *testing.T) {
	const id = "91d02856b2c8539899cef2051ef7a195"
	base := t.TempDir()
	dirs(t, base, "home/.config/Code/User/workspaceStorage/"+id, "home/.config/Code - OSS/User/workspaceStorage/"+id, "elsewhere/Code/User/workspaceStorage/"+id)
	c := looking(base, "linux", nil)
	c.UserDirs = []string{filepath.Join(base, "elsewhere", "Code")}
	var tags []string
	for _, st := range storages(New(c).users()) {
		tags = append(tags, st.Tag)
	}
	if len(tags) != 3 {
		t.Fatalf("storages %q", tags)
	}
	if !strings.HasPrefix(tags[0], "Code-") || len(tags[0]) != len("Code-01234567") || strings.Contains(tags[0], base) {
		t.Errorf("tag %q", tags[0])
	}
	check(t, tags[1:], []string{"~/.config/Code/User", "~/.config/Code - OSS/User"})
	if slices.Contains(tags[1:], tags[0]) {
		t.Error("two folders have one tag")
	}
}
