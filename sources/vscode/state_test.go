package vscode_test

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/vscode"
)

// stateOf writes the state.vscdb of a storage: its index and the cache of what other
// providers run.
func stateOf(t *testing.T, dir, index, cache string) string {
	t.Helper()
	workspaceOf(t, dir)
	path := storageFile(dir, "state.vscdb")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(`CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
		INSERT INTO ItemTable VALUES ('chat.ChatSessionStore.index', ?), ('agentSessions.model.cache', ?)`,
		`{"version":1,"entries":{`+index+`}}`, "["+cache+"]")
	must(t, err)
	return path
}

// Sessions without a file make no note; sources lists them with what their entry tells.
func TestSessionsOfTheIndexAlone(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, prompts(1))
	stateOf(t, dir, `"`+id+`":{"title":"Here"},
		"`+other+`":{"title":"Gone"},
		"chat-3":{"title":"Plain"}, "chat-4":{"title":"New Chat","isEmpty":true},
		"copilotcli:/abcdef":{"title":"Moved","isExternal":true}`,
		`{"resource":"agent-host-copilotcli:/cafe-1","label":"Hosted"},
		{"resource":"claude-code:/beef-1","label":"Listed"}`)
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	details, err := s.Details(context.Background())
	must(t, err)
	slices.Sort(details[dir])
	want := []string{
		other + " Gone (no chat on this disk)",
		"abcdef Moved (run by copilotcli)",
		"beef-1 Listed (run by claude-code)",
		"cafe-1 Hosted (run by agent-host-copilotcli)",
		"chat-3 Plain (no chat on this disk)",
	}
	if !slices.Equal(details[dir], want) {
		t.Errorf("details\n%s\nwant\n%s", strings.Join(details[dir], "\n"), strings.Join(want, "\n"))
	}
}
