package vscode

import (
	"path/filepath"
	"testing"
)

const (
	widget = "91d02856b2c8539899cef2051ef7a195"
	remote = "66dec49db4e3824e1944c3e30a1790e4"
)

// storagesOf lists the storages of user folders below base.
func storagesOf(t *testing.T, base string, users ...string) []*storage {
	t.Helper()
	var c Config
	for _, u := range users {
		c.UserDirs = append(c.UserDirs, filepath.Join(base, filepath.FromSlash(u)))
	}
	all := storages(New(c).users())
	for _, st := range all {
		if st.Out.Problems != nil {
			t.Errorf("problems: %v", st.Out.Problems)
		}
	}
	return all
}

// fields are those of a storage as one line, relative to base.
func fields(base string, st *storage) string {
	line := st.name
	for _, p := range []string{st.dir, st.folder, st.copilot, st.workspace} {
		if line += " "; p != "" {
			rel, _ := filepath.Rel(base, p)
			line += filepath.ToSlash(rel)
		} else {
			line += "-"
		}
	}
	if st.global {
		line += " global"
	}
	return line
}

func lines(base string, storages []*storage) []string {
	var all []string
	for _, st := range storages {
		all = append(all, fields(base, st))
	}
	return all
}

func TestStorages(t *testing.T) {
	base := t.TempDir()
	writeFiles(t, base, map[string]string{
		"User/workspaceStorage/.DS_Store":                                        "",
		"User/workspaceStorage/" + widget + "/workspace.json":                    "{}",
		"User/workspaceStorage/" + widget + "/state.vscdb":                       "",
		"User/workspaceStorage/" + widget + "/GitHub.copilot-chat/transcripts/x": "",
		"User/workspaceStorage/no-workspace/chatSessions/a.json":                 "",
		"User/workspaceStorage/lower/github.copilot-chat/x":                      "",
		"User/workspaceStorage/lower/state.vscdb":                                "",
		"User/globalStorage/state.vscdb":                                         "",
		"User/globalStorage/github.copilot-chat/x":                               "",
		"User/globalStorage/transferredChatSessions/b.json":                      "",
		"User/profiles/p1/globalStorage/state.vscdb":                             "",
		"User/profiles/p1/workspaceStorage/" + widget + "/chatSessions/c.jsonl":  "",
		"User/profiles/p1.json":                                                  "",
	})
	const w = "User/workspaceStorage/"
	check(t, lines(base, storagesOf(t, base, "User")), []string{
		widget + " " + w + widget + " " + w + widget + "/chatSessions " + w + widget + "/GitHub.copilot-chat " + w + widget + "/workspace.json",
		"lower " + w + "lower " + w + "lower/chatSessions " + w + "lower/github.copilot-chat -",
		"no-workspace " + w + "no-workspace " + w + "no-workspace/chatSessions - -",
		"empty-window User/globalStorage User/globalStorage/emptyWindowChatSessions User/globalStorage/github.copilot-chat - global",
		"transferred User/globalStorage User/globalStorage/transferredChatSessions - - global",
		"profiles/p1/" + widget + " User/profiles/p1/workspaceStorage/" + widget + " User/profiles/p1/workspaceStorage/" + widget + "/chatSessions - " + w + widget + "/workspace.json",
		"profiles/p1/empty-window User/profiles/p1/globalStorage User/profiles/p1/globalStorage/emptyWindowChatSessions - - global",
		"profiles/p1/transferred User/profiles/p1/globalStorage User/profiles/p1/globalStorage/transferredChatSessions - - global",
	})
}

func TestUnreadableStoragesAreProblems(t *testing.T) {
	base := t.TempDir()
	writeFiles(t, base, map[string]string{"User/globalStorage/x": "", "User/workspaceStorage/" + widget + "/chatSessions": "not a folder"})
	l, err := New(Config{UserDirs: []string{filepath.Join(base, "User")}}).List(t.Context())
	if ws := filepath.Join(base, "User", "workspaceStorage"); err != nil || len(l.Problems) != 1 || l.Problems[0].Path != filepath.Join(ws, widget, "chatSessions") {
		t.Errorf("problems %v, %v", l.Problems, err)
	}
}
