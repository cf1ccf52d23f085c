package vscode_test

import (
	"context"
	"crypto/sha1"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
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

// What VS Code keeps of a state when it closes it well serves where the state is
// damaged, and that is told; without it the item is tried again.
func TestTheBackupOfAState(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(whole []byte) []byte // nil: state.vscdb is missing
		told  string
	}{
		"whole":                    {func(whole []byte) []byte { return whole }, ""},
		"no database":              {func([]byte) []byte { return []byte(strings.Repeat("no database ", 400)) }, "backup"},
		"cut after its first page": {func(whole []byte) []byte { return whole[:4096] }, "backup"},
		"emptied":                  {func([]byte) []byte { return nil }, "backup"},
		"missing":                  {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := stateOf(t, dir, `"`+id+`":{"title":"Named","lastMessageDate":1793710800000}`, "")
			body := read(t, path)
			write(t, path+".backup", body)
			must(t, os.Remove(path))
			if c.spoil != nil {
				write(t, path, c.spoil(body))
			}
			s := vscode.New(vscode.Config{UserDirs: []string{dir}})
			it := itemWith(t, s, hash+"/state")
			r := readItem(t, s, it)
			if got := layer(t, r, "vscode/index").Session; got.ID != id || got.Title != "Named" {
				t.Errorf("%+v", got)
			}
			if len(r.Problems) > 1 || (len(r.Problems) == 1) != (c.told != "") {
				t.Fatalf("problems %+v", r.Problems)
			}
			for _, p := range r.Problems {
				if p.Fatal || p.Path != path || !strings.Contains(p.Err.Error(), c.told) {
					t.Errorf("told is %+v", p)
				}
			}
			details, err := s.Details(context.Background())
			must(t, err)
			if want := []string{id + " Named (no chat on this disk)"}; !slices.Equal(details[dir], want) {
				t.Errorf("details %q", details[dir])
			}
			if c.told == "" {
				return
			}
			must(t, os.Remove(path+".backup"))
			if r, err := s.Read(context.Background(), it); err == nil && len(r.Sessions) > 0 {
				t.Errorf("without a backup it tells %+v", r.Sessions)
			}
		})
	}
}

// Sessions without a file make no note; sources lists them with what their entry tells.
func TestSessionsOfTheIndexAlone(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, prompts(1))
	stateOf(t, dir, `"`+id+`":{"title":"Here","lastResponseState":1},
		"`+other+`":{"title":"Gone","lastResponseState":3,"stats":{"fileCount":2,"added":7,"removed":1}},
		"chat-3":{"title":"Plain"}, "chat-4":{"title":"New Chat","isEmpty":true},
		"copilotcli:/abcdef":{"title":"Moved","isExternal":true,"lastResponseState":2,"stats":{"fileCount":1}}`,
		`{"resource":"agent-host-copilotcli:/cafe-1","label":"Hosted","status":1,"changes":{"files":3,"insertions":10,"deletions":2},
			"metadata":{"workingDirectoryPath":"/home/dev/src/widget"}},
		{"resource":"claude-code:/beef-1","label":"Listed","status":0,"statusKnown":false,"changes":[{"insertions":1},{"deletions":4}]}`)
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	details, err := s.Details(context.Background())
	must(t, err)
	slices.Sort(details[dir])
	want := []string{
		other + " Gone (no chat on this disk, failed, 2 files, +7 -1)",
		"abcdef Moved (run by copilotcli, cancelled, 1 file, +0 -0)",
		"beef-1 Listed (run by claude-code, 2 files, +1 -4)",
		"cafe-1 Hosted (run by agent-host-copilotcli, complete, 3 files, +10 -2, widget)",
		"chat-3 Plain (no chat on this disk)",
	}
	if !slices.Equal(details[dir], want) {
		t.Errorf("details\n%s\nwant\n%s", strings.Join(details[dir], "\n"), strings.Join(want, "\n"))
	}
}

// Edits of a session of the CLI lie under the sha1 of its address, old and new; who
// that is tells the state alone.
func TestEditsOfASessionOfTheCLI(t *testing.T) {
	dir := t.TempDir()
	stateOf(t, dir, `"`+id+`":{"title":"Local"}`, `{"resource":"agent-host-copilotcli:/`+other+`","label":"Hosted"}`)
	for i, address := range []string{"copilotcli:/" + other, "agent-host-copilotcli:/" + other, "copilotcli:/0000"} {
		sum := sha1.Sum([]byte(address))
		edits := fmt.Sprintf(`{"version":2,"timeline":{"operations":[{"type":"textEdit","uri":"file:///home/dev/%d.go","requestId":"request_%[1]d","epoch":1}],
			"currentEpoch":2},"recentSnapshot":{"requestId":"request_%[1]d","entries":[{"resource":"file:///home/dev/%[1]d.go","state":1}]}}`, i)
		write(t, storageFile(dir, "chatEditingSessions", hex.EncodeToString(sum[:]), "state.json"), []byte(edits))
	}
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	r := readItem(t, s, itemWith(t, s, hash+"/state"))
	var got []string
	for _, x := range r.Sessions {
		for _, la := range x.Layers {
			for _, f := range la.Session.Files {
				got = append(got, fmt.Sprintln(la.Name, x.ID, la.Session.Agent, filepath.ToSlash(f.Path), f.Kind, f.Verdict, f.Turn, f.TurnID))
			}
		}
	}
	slices.Sort(got)
	want := []string{
		fmt.Sprintln("vscode/edits", other, "", "/home/dev/0.go edited accepted -1", ""),
		fmt.Sprintln("vscode/edits", other, "", "/home/dev/1.go edited accepted -1", ""),
	}
	if !slices.Equal(got, want) || len(r.Sessions) != 2 || len(r.Problems) != 0 {
		t.Errorf("edits %q, %d sessions, problems %v", got, len(r.Sessions), r.Problems)
	}
}
