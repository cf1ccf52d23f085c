package vscode

import (
	"path/filepath"
	"strings"
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

// TestEdgeCase5StoragesWithoutWorkspace: empty windows have numeric ids and no
// workspace.json; two of one id belong to two windows.
func TestEdgeCase5StoragesWithoutWorkspace(t *testing.T) {
	base := t.TempDir()
	writeFiles(t, base, map[string]string{
		"Code/User/workspaceStorage/1794219600123/state.vscdb":                                           "",
		"Cursor/User/workspaceStorage/1794219600123/workspace.json":                                      "{}",
		"Code/User/workspaceStorage/0b97f1e8240f235f3eb8ac270c6d0883/workspace.json":                     "{}",
		"Code/User/workspaceStorage/0b97f1e8240f235f3eb8ac270c6d0883/ms-python.python/unrelated/file.md": "",
	})
	got := map[string]string{}
	for _, st := range storagesOf(t, base, "Code", "Cursor") {
		got[edition(st.Root.Path)+" "+st.name] = fields(base, st)
	}
	if line := got["Code 1794219600123"]; !strings.HasSuffix(line, "/chatSessions - -") {
		t.Errorf("an empty window: %q", line)
	}
	if line := got["Code 0b97f1e8240f235f3eb8ac270c6d0883"]; !strings.HasSuffix(line, "- Code/User/workspaceStorage/0b97f1e8240f235f3eb8ac270c6d0883/workspace.json") {
		t.Errorf("a folder never chatted in: %q", line)
	}
}

func TestWorkspaceOfTheOtherHalf(t *testing.T) {
	base := t.TempDir()
	storage := func(user, id string) string { return user + "/User/workspaceStorage/" + id + "/" }
	writeFiles(t, base, map[string]string{
		storage("Code", remote) + "workspace.json":                                         "{}",
		storage("Code - Insiders", remote) + "workspace.json":                              "{}",
		storage("VSCodium", widget) + "workspace.json":                                     "{}",
		storage("Code", widget+"-1") + "GitHub.copilot-chat/transcripts/x":                 "",
		storage(".vscode-server-insiders/data", remote) + "meta.json":                      "{}",
		storage(".vscode-server/data", remote) + "meta.json":                               "{}",
		storage(".vscode-server/data", widget) + "meta.json":                               "{}",
		storage(".vscode-server/data", remote+"-2") + "meta.json":                          "{}",
		storage(".vscode-server/data", "0862b9cc2423a973478cfeee103114a1") + "meta.json":   "{}",
		storage(".vscode-server/data", "0862b9cc2423a973478cfeee103114a2") + "unknown.txt": "",
		storage(".vscode-server/data", "old-91d02856b2c8539899cef2051ef7a195") + "x":       "",
		storage("Code - OSS", "1794219600123") + "meta.json":                               "{}",
	})
	got := map[string]string{}
	for _, st := range storagesOf(t, base, "Code", "Code - Insiders", "Code - OSS", "VSCodium", ".vscode-server", ".vscode-server-insiders") {
		rel, err := filepath.Rel(base, st.workspace)
		if err != nil {
			rel = ""
		}
		got[edition(st.Root.Path)+" "+st.name] = strings.TrimSuffix(filepath.ToSlash(rel), "/workspace.json")
	}
	check(t, got, map[string]string{
		"Code " + remote:                                     "Code/User/workspaceStorage/" + remote,
		"Code " + widget + "-1":                              "VSCodium/User/workspaceStorage/" + widget,
		"Code - Insiders " + remote:                          "Code - Insiders/User/workspaceStorage/" + remote,
		"VSCodium " + widget:                                 "VSCodium/User/workspaceStorage/" + widget,
		"vscode-server " + remote:                            "Code/User/workspaceStorage/" + remote,
		"vscode-server " + remote + "-2":                     "Code/User/workspaceStorage/" + remote,
		"vscode-server-insiders " + remote:                   "Code/User/workspaceStorage/" + remote,
		"vscode-server " + widget:                            "VSCodium/User/workspaceStorage/" + widget,
		"vscode-server 0862b9cc2423a973478cfeee103114a1":     "",
		"vscode-server 0862b9cc2423a973478cfeee103114a2":     "",
		"vscode-server old-91d02856b2c8539899cef2051ef7a195": "",
		"Code - OSS 1794219600123":                           "",
	})
}

// One folder is read once, and no link in it is followed.
func TestLinkedStorages(t *testing.T) {
	base := t.TempDir()
	writeFiles(t, base, map[string]string{"Code/User/workspaceStorage/" + widget + "/workspace.json": "{}"})
	ws := filepath.Join(base, "Code", "User", "workspaceStorage")
	link(t, filepath.Join(ws, widget), filepath.Join(ws, remote))
	dirs(t, base, "Cursor/User")
	link(t, ws, filepath.Join(base, "Cursor", "User", "workspaceStorage"))
	var names []string
	for _, st := range storagesOf(t, base, "Code", "Cursor") {
		names = append(names, edition(st.Root.Path)+" "+st.name)
	}
	check(t, names, []string{"Code " + widget})
}

func TestUnreadableStoragesAreProblems(t *testing.T) {
	base := t.TempDir()
	writeFiles(t, base, map[string]string{"User/globalStorage/x": "", "User/workspaceStorage/" + widget + "/chatSessions": "not a folder"})
	l, err := New(Config{UserDirs: []string{filepath.Join(base, "User")}}).List(t.Context())
	if ws := filepath.Join(base, "User", "workspaceStorage"); err != nil || len(l.Problems) != 1 || l.Problems[0].Path != filepath.Join(ws, widget, "chatSessions") {
		t.Errorf("problems %v, %v", l.Problems, err)
	}
}
