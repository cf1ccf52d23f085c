package places_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

const (
	widget = "91d02856b2c8539899cef2051ef7a195"
	remote = "66dec49db4e3824e1944c3e30a1790e4"
)

// storagesOf lists the storages of user folders below base.
func storagesOf(t *testing.T, base string, users ...string) []places.Storage {
	t.Helper()
	var c places.Config
	for _, u := range users {
		c.Users = append(c.Users, filepath.Join(base, filepath.FromSlash(u)))
	}
	storages, problems := storagesIn(places.Roots(c))
	if problems != nil {
		t.Errorf("problems: %v", problems)
	}
	return storages
}

// fields are those of a storage as one line, relative to base.
func fields(base string, st places.Storage) string {
	line := st.Name
	for _, p := range []string{st.Path, st.Chats, st.Edits, st.Copilot, st.StateDB, st.Workspace} {
		if line += " "; p != "" {
			rel, _ := filepath.Rel(base, p)
			line += filepath.ToSlash(rel)
		} else {
			line += "-"
		}
	}
	if st.Global {
		line += " global"
	}
	return line
}

func lines(base string, storages []places.Storage) []string {
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
		widget + " " + w + widget + " " + w + widget + "/chatSessions " + w + widget + "/chatEditingSessions " + w + widget + "/GitHub.copilot-chat " + w + widget + "/state.vscdb " + w + widget + "/workspace.json",
		"empty-window User/globalStorage User/globalStorage/emptyWindowChatSessions - User/globalStorage/github.copilot-chat User/globalStorage/state.vscdb - global",
		"lower " + w + "lower " + w + "lower/chatSessions " + w + "lower/chatEditingSessions " + w + "lower/github.copilot-chat " + w + "lower/state.vscdb -",
		"no-workspace " + w + "no-workspace " + w + "no-workspace/chatSessions " + w + "no-workspace/chatEditingSessions - - -",
		"profiles/p1/" + widget + " User/profiles/p1/workspaceStorage/" + widget + " User/profiles/p1/workspaceStorage/" + widget + "/chatSessions User/profiles/p1/workspaceStorage/" + widget + "/chatEditingSessions - - " + w + widget + "/workspace.json",
		"profiles/p1/empty-window User/profiles/p1/globalStorage User/profiles/p1/globalStorage/emptyWindowChatSessions - - User/profiles/p1/globalStorage/state.vscdb - global",
		"transferred User/globalStorage User/globalStorage/transferredChatSessions - - - - global",
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
		got[st.Root.Edition+" "+st.Name] = fields(base, st)
	}
	if line := got["Code 1794219600123"]; !strings.HasSuffix(line, "/state.vscdb -") {
		t.Errorf("an empty window: %q", line)
	}
	if line := got["Code 0b97f1e8240f235f3eb8ac270c6d0883"]; !strings.HasSuffix(line, "- - Code/User/workspaceStorage/0b97f1e8240f235f3eb8ac270c6d0883/workspace.json") {
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
		rel, err := filepath.Rel(base, st.Workspace)
		if err != nil {
			rel = ""
		}
		got[st.Root.Edition+" "+st.Name] = strings.TrimSuffix(filepath.ToSlash(rel), "/workspace.json")
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

func TestLinkedStorages(t *testing.T) {
	base := t.TempDir()
	writeFiles(t, base, map[string]string{
		"Code/User/workspaceStorage/" + widget + "/workspace.json": "{}",
		"disk/" + remote + "/workspace.json":                       "{}",
	})
	ws := filepath.Join(base, "Code", "User", "workspaceStorage")
	link(t, filepath.Join(base, "disk", remote), filepath.Join(ws, remote))
	link(t, filepath.Join(ws, widget), filepath.Join(ws, "00000000000000000000000000000000"))
	link(t, filepath.Join(base, "gone"), filepath.Join(ws, "gone"))
	dirs(t, base, "Cursor/User")
	link(t, ws, filepath.Join(base, "Cursor", "User", "workspaceStorage"))
	var names []string
	for _, st := range storagesOf(t, base, "Code", "Cursor") {
		names = append(names, st.Root.Edition+" "+st.Name)
	}
	check(t, names, []string{"Code " + remote, "Code " + widget})
}

func TestUnreadableStoragesAreProblems(t *testing.T) {
	base := t.TempDir()
	dirs(t, base, "User/globalStorage", "User/workspaceStorage/"+widget)
	ws := filepath.Join(base, "User", "workspaceStorage")
	link(t, filepath.Join(ws, "loop"), filepath.Join(ws, "loop"))
	writeFiles(t, base, map[string]string{"User/profiles": "not a folder"})
	storages, problems := storagesIn(places.Roots(places.Config{Users: []string{filepath.Join(base, "User")}}))
	if len(storages) != 2 || len(problems) != 2 || problems[0] != filepath.Join(ws, "loop") || problems[1] != filepath.Join(base, "User", "profiles") {
		t.Errorf("%d storages, problems %v", len(storages), problems)
	}
}

// storagesIn lists storages, and the paths that could not be looked at.
func storagesIn(roots []places.Root) (storages []places.Storage, problems []string) {
	storages = places.Storages(roots, func(path string, _ error) { problems = append(problems, path) })
	return storages, problems
}
