package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// schema is version 3 of a store of VS Code, as far as it is read.
const schema = `
CREATE TABLE sessions(id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, host_type TEXT, branch TEXT, summary TEXT, agent_name TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE turns(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, turn_index INTEGER, user_message TEXT, assistant_response TEXT, timestamp TEXT);
CREATE TABLE checkpoints(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, checkpoint_number INTEGER, title TEXT, overview TEXT, next_steps TEXT, created_at TEXT);
CREATE TABLE session_files(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, file_path TEXT, tool_name TEXT, turn_index INTEGER, first_seen_at TEXT);
CREATE TABLE session_refs(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, ref_type TEXT, ref_value TEXT, turn_index INTEGER);`

const rows = `
INSERT INTO sessions VALUES('b', '/home/dev/src/widget', 'https://github.com/octo-org/widget.git', 'vscode', 'main', ' A summary ', 'agent', '2026-04-02 09:00:00', '2030-01-01 00:00:00');
INSERT INTO sessions(id, host_type) VALUES('a', 'github');
INSERT INTO turns(session_id, turn_index, user_message, assistant_response, timestamp) VALUES
 ('b', 1, 'second', NULL, 'no moment'), ('b', 0, 'first', 'yes', '2026-04-02T09:00:01Z'), ('dead', 0, 'of no session', 'x', '');
INSERT INTO checkpoints(session_id, checkpoint_number, title, overview, next_steps, created_at) VALUES('b', 2, 'Two', 'o', 'n', '2026-04-02 09:20:00'), ('b', 'x', '', '', '', '');
INSERT INTO session_files(session_id, file_path, tool_name, turn_index, first_seen_at) VALUES
 ('b', '/home/dev/src/widget/a.go', 'create_file', 0, '2026-04-02 09:00:05'), ('b', 'c:\src\b.go', 'apply_patch', NULL, ''), ('b', '', '', 0, '');
INSERT INTO session_refs(session_id, ref_type, ref_value, turn_index) VALUES('b', 'PR', '12', 1), ('b', '', 'x', 0),
 ('b', 'commit', '<% now %>', 0), ('b', 'issue', '[[0]]', 0), ('b', 'branch', 'main', 0);`

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// database writes a new store.
func database(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session-store.db")
	change(t, path, statements...)
	return path
}

func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	mustDo(t, err)
	_, err = db.Exec(strings.Join(statements, ";\n"))
	mustDo(t, err)
	mustDo(t, db.Close())
}

func TestAllSessionsOfAStore(t *testing.T) {
	all, err := sqlite.StoreRows(context.Background(), database(t, schema, rows), t.TempDir())
	mustDo(t, err)
	at := func(minute, second int) time.Time { return time.Date(2026, 4, 2, 9, minute, second, 0, time.UTC) }
	want := []sqlite.StoreRow{
		{ID: "a", Session: &sources.Session{ID: "a", Place: sources.Place{HostType: "github"}}},
		{ID: "b", Spoken: true, Session: &sources.Session{
			ID: "b", Title: "A summary", TitleFrom: sources.TrustDerived, Created: at(0, 0),
			Place: sources.Place{Cwd: "/home/dev/src/widget", Repository: "https://github.com/octo-org/widget.git", Branch: "main"},
			Turns: []sources.Turn{
				{Index: 0, At: at(0, 1), User: "first", Assistant: "yes", Status: sources.Complete},
				{Index: 1, User: "second", Status: sources.Pending},
			},
			Checkpoints: []sources.Checkpoint{{Number: 2, Title: "Two", Overview: "o", NextSteps: "n", At: at(20, 0)}},
			Files: []sources.FileTouch{
				{Path: "/home/dev/src/widget/a.go", Kind: sources.Created, Tool: "create_file", Turn: 0, At: at(0, 5)},
				{Path: `c:\src\b.go`, Kind: sources.Edited, Tool: "apply_patch", Turn: -1},
			},
			Refs: []sources.Ref{{Type: sources.PR, Value: "12", Turn: 1}},
		}},
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("%+v", all)
		for _, r := range all {
			t.Errorf("%+v", *r.Session)
		}
	}
}

func TestStoresOfOtherShapes(t *testing.T) {
	for name, c := range map[string]struct {
		statements string
		want       int
	}{
		"no tables":         {"CREATE TABLE unrelated(x)", 0},
		"fewer columns":     {"CREATE TABLE sessions(id TEXT); INSERT INTO sessions VALUES('a')", 1},
		"views for tables":  {"CREATE TABLE real(id TEXT); INSERT INTO real VALUES('a'); CREATE VIEW sessions AS SELECT * FROM real", 0},
		"no id":             {"CREATE TABLE sessions(id TEXT, summary TEXT); INSERT INTO sessions VALUES(NULL, 'x'), ('', 'y'), ('a', 'z')", 1},
		"other value types": {"CREATE TABLE sessions(id, summary, created_at, cwd BLOB); INSERT INTO sessions VALUES('a', 7, 1.5, x'ff00')", 1},
	} {
		all, err := sqlite.StoreRows(context.Background(), database(t, c.statements), t.TempDir())
		if err != nil || len(all) != c.want || c.want > 0 && all[0].ID != "a" {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
	}
	damaged := filepath.Join(t.TempDir(), "session-store.db")
	mustDo(t, os.WriteFile(damaged, []byte(strings.Repeat("no database ", 400)), 0o600))
	if _, err := sqlite.StoreRows(context.Background(), damaged, t.TempDir()); !errors.Is(err, files.ErrNotDatabase) {
		t.Errorf("damaged: %v", err)
	}
	if _, err := sqlite.StoreRows(context.Background(), damaged+".none", t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

func TestTakingLess(t *testing.T) {
	ctx := context.Background()
	d, err := sqlite.Open(ctx, database(t, schema, rows), t.TempDir())
	mustDo(t, err)
	defer d.Close()
	s, err := d.Session(ctx, "b", sqlite.Turns, sqlite.Checkpoints, sqlite.Files)
	mustDo(t, err)
	if s.Title != "A summary" || len(s.Turns)+len(s.Checkpoints)+len(s.Files) != 0 || len(s.Refs) == 0 || s.Place.HostType != "vscode" {
		t.Errorf("some of its rows: %+v", s)
	}
	if s, err := d.Session(ctx, "dead"); s != nil || err != nil {
		t.Errorf("no row of its own: %+v, %v", s, err)
	}
}

func TestASurveyMovesWithTheRowsOfItsSession(t *testing.T) {
	path := database(t, schema, rows)
	parts := func() map[string]sqlite.StoreFacts {
		d, err := sqlite.Open(context.Background(), path, t.TempDir())
		mustDo(t, err)
		defer d.Close()
		all, err := d.Scan(context.Background())
		mustDo(t, err)
		return all
	}
	before := parts()
	if before["a"].Spoken || !before["b"].Spoken || !before["dead"].Spoken {
		t.Errorf("%+v", before)
	}
	for _, statement := range []string{
		"UPDATE sessions SET branch = 'next' WHERE id = 'b'", "DELETE FROM session_refs WHERE session_id = 'b'",
		"UPDATE checkpoints SET overview = 'longer' WHERE session_id = 'b'", "INSERT INTO turns(session_id) VALUES('b')",
	} {
		change(t, path, statement, "UPDATE sessions SET updated_at = '2031-01-01'")
		now := parts()
		if reflect.DeepEqual(now["b"], before["b"]) || !reflect.DeepEqual(now["a"], before["a"]) {
			t.Errorf("after %s: %+v", statement, now)
		}
		before = now
	}
}
