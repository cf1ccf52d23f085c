package editor_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestEdgeCase5WorkspaceFiles: folder, workspace or configuration; encoded drives
// and brackets.
func TestEdgeCase5WorkspaceFiles(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       sources.Place
	}{
		{"folder", `{"folder":"file:///home/dev/src/widget"}`, sources.Place{Cwd: "/home/dev/src/widget"}},
		{"slash at the end", `{"folder":"file:///home/dev/src/widget/"}`, sources.Place{Cwd: "/home/dev/src/widget"}},
		{"byte order mark", "\ufeff" + `{"folder":"file:///home/dev"}`, sources.Place{Cwd: "/home/dev"}},
		{"drive and brackets", `{"folder":"file:///c%3A/Users/dev/src/widget%20%28old%29"}`, sources.Place{Cwd: "c:/Users/dev/src/widget (old)"}},
		{"a whole drive", `{"folder":"file:///d%3A/"}`, sources.Place{Cwd: "d:/"}},
		{"root", `{"folder":"file:///"}`, sources.Place{Cwd: "/"}},
		{"server of Windows", `{"folder":"file://nas/share/widget"}`, sources.Place{Cwd: "//nas/share/widget"}},
		{"components", `{"folder":{"$mid":1,"path":"/C:/src","scheme":"file"}}`, sources.Place{Cwd: "c:/src"}},
		{"workspace elsewhere", `{"workspace":"file:///nowhere/octo%20docs%20%28all%29.code-workspace"}`, sources.Place{Workspace: "/nowhere/octo docs (all).code-workspace"}},
		{"workspace on another machine", `{"workspace":"vscode-remote://wsl%2BUbuntu/home/dev/all.code-workspace"}`, sources.Place{Workspace: "/home/dev/all.code-workspace"}},
		{"workspace identifier", `{"workspace":{"id":"x","configPath":"file:///nowhere/a.code-workspace"}}`, sources.Place{Workspace: "/nowhere/a.code-workspace"}},
		{"configuration, a string", `{"configuration":"file:///nowhere/a.code-workspace"}`, sources.Place{Workspace: "/nowhere/a.code-workspace"}},
		{"configuration, components", `{"configuration":{"path":"/nowhere/a.code-workspace","scheme":"file"}}`, sources.Place{Workspace: "/nowhere/a.code-workspace"}},
		{"repository without a clone", `{"folder":"vscode-vfs://github/octo/widget"}`, sources.Place{Repository: "octo/widget", Host: "github.com", HostType: "github"}},
		{"repository at a commit", `{"folder":"vscode-vfs://github%2B7b2276223a317d/octo/widget/docs"}`, sources.Place{Repository: "octo/widget", Host: "github.com", HostType: "github"}},
		{"no file at all", `{"folder":"memfs:/sample"}`, sources.Place{}},
		{"nothing", `{}`, sources.Place{}},
		{"not an object", `[7]`, sources.Place{}},
		{"a server's label is no path", `{"id":"x","name":"widget"}`, sources.Place{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{"workspace.json": c.body})
			w := expect.Value(editor.ReadWorkspace(filepath.Join(dir, "workspace.json")))(t)
			check(t, w, c.want)
		})
	}
}

// TestEdgeCase16RemoteFolders: the path is that on the remote machine.
func TestEdgeCase16RemoteFolders(t *testing.T) {
	for folder, want := range map[string]string{
		"vscode-remote://ssh-remote%2Bbuild-host/srv/widget":                            "/srv/widget",
		"vscode-remote://wsl%2BUbuntu/home/dev/widget":                                  "/home/dev/widget",
		"vscode-remote://codespaces%2Bfuzzy-space/workspaces/widget":                    "/workspaces/widget",
		"vscode-remote://dev-container%2B7b22686f737450617468223a227d/workspaces/w":     "/workspaces/w",
		"vscode-remote://attached-container%2B7b22636f6e7461696e65724e616d65223a227d/w": "/w",
		"vscode-remote://tunnel%2Bdesk/c:/src/widget":                                   "c:/src/widget",
	} {
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{"workspace.json": `{"folder":"` + folder + `"}`})
		w, err := editor.ReadWorkspace(filepath.Join(dir, "workspace.json"))
		if err != nil || w.Cwd != want {
			t.Errorf("%q: %+v, %v", folder, w, err)
		}
	}
}

func TestFoldersOfAWorkspaceFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of this test are those of Unix")
	}
	for _, c := range []struct {
		name, body string
		want       sources.Place
	}{
		{"several", `{
			// what we work on
			"folders": [
				{"path": "widget"}, /* the API */
				{"path": "../docs/", "name": "Docs"},
				{"uri": "vscode-remote://ssh-remote+host/srv/x"},
				{"path": "/abs/y",},
				{"path": "widget"},
				{"path": ""}, {}, 7, null,
			],
			"settings": {"a": "http://x // no comment", },
		}`, sources.Place{Workspace: "BASE/all.code-workspace", Folders: []string{"BASE/widget", "UP/docs", "/srv/x", "/abs/y"}}},
		{"one folder is that folder", `{"folders":[{"path":"widget"}]}`, sources.Place{Cwd: "BASE/widget"}},
		{"its own folder", `{"folders":[{"path":"."}]}`, sources.Place{Cwd: "BASE"}},
		{"none", `{"folders":[]}`, sources.Place{Workspace: "BASE/all.code-workspace"}},
		{"broken", `{"folders":[{"path":"widget"},`, sources.Place{Workspace: "BASE/all.code-workspace"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "src")
			writeFiles(t, dir, map[string]string{"all.code-workspace": c.body, "workspace.json": `{"workspace":"file://` + dir + `/all.code-workspace"}`})
			w := expect.Value(editor.ReadWorkspace(filepath.Join(dir, "workspace.json")))(t)
			got := expect.Value(json.Marshal(w))(t)
			want := expect.Value(json.Marshal(c.want))(t)
			text := strings.ReplaceAll(string(got), dir, "BASE")
			check(t, strings.ReplaceAll(text, filepath.Dir(dir), "UP"), string(want))
		})
	}
}

func TestReadWorkspaceErrors(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"torn": `{"folder":"file:///ho`, "empty": "", "binary": "a\x00b", "large": strings.Repeat(" ", 5<<20)})
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	for _, name := range []string{"torn", "empty", "binary", "large", "folder", "absent"} {
		if w, err := editor.ReadWorkspace(filepath.Join(dir, name)); err == nil || w.Cwd != "" {
			t.Errorf("%s: %+v, %v", name, w, err)
		}
	}
	if _, err := editor.ReadWorkspace(filepath.Join(dir, "absent")); !os.IsNotExist(err) {
		t.Errorf("absent: %v", err)
	}
}

func writeFiles(t *testing.T, base string, contents map[string]string) {
	t.Helper()
	for name, content := range contents {
		path := filepath.Join(base, name)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)))
	}
}

func check(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
