package sidecars

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// database makes a session.db; it stays in WAL mode as the agent host leaves it.
func database(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range append([]string{"PRAGMA journal_mode=WAL"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	return path
}

const (
	editsTable = `CREATE TABLE file_edits (turn_id TEXT NOT NULL, tool_call_id TEXT NOT NULL, file_path TEXT NOT NULL, edit_type TEXT NOT NULL DEFAULT 'edit',
		original_path TEXT, before_content BLOB, after_content BLOB, added_lines INTEGER, removed_lines INTEGER, PRIMARY KEY (tool_call_id, file_path))`
	metadataTable = `CREATE TABLE session_metadata (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)`
)

func TestAgentHost(t *testing.T) {
	path := database(t, editsTable, metadataTable,
		`INSERT INTO file_edits VALUES ('t1','c1','/w/new.go','create',NULL,NULL,x'00ff',3,0), ('t1','c2','/w/a.go','edit',NULL,x'00',x'01',1,1),
			('t2','c3','/w/a.go','edit',NULL,x'00',x'01',1,1), ('t2','c4','/w/to.go','rename','/w/from.go',NULL,NULL,0,0), ('t2','c5','/w/old.go','delete',NULL,x'00',NULL,0,9)`,
		`INSERT INTO session_metadata VALUES ('customTitle','Key ring'), ('copilot.workingDirectory','file:///home/dev/src/octo%20docs'), ('isRead','true')`)
	s, err := AgentHost(context.Background(), path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got := touchesIn(s); got != "created /w/new.go -1, edited /w/a.go -1, deleted /w/from.go -1, renamed /w/to.go -1, deleted /w/old.go -1" {
		t.Errorf("files are %s", got)
	}
	if s.Title != "Key ring" || s.TitleFrom != sources.TrustCustom || s.Place.Cwd != "/home/dev/src/octo docs" {
		t.Errorf("session is %+v", s)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the database lie %v, %v", left, err)
	}
}

func TestAgentHostOfOtherVersions(t *testing.T) {
	first := database(t, `CREATE TABLE file_edits (turn_id TEXT, tool_call_id TEXT, file_path TEXT, before_content BLOB, after_content BLOB)`,
		`INSERT INTO file_edits VALUES ('t','c','/w/a.go',x'',x'')`)
	s, err := AgentHost(context.Background(), first, t.TempDir())
	if err != nil || touchesIn(s) != "edited /w/a.go -1" {
		t.Errorf("the first version tells %+v, %v", s, err)
	}
	if s, err := AgentHost(context.Background(), database(t, `CREATE TABLE other (x)`), t.TempDir()); err != nil || len(s.Files) > 0 {
		t.Errorf("a database without the tables tells %+v, %v", s, err)
	}
	text := filepath.Join(t.TempDir(), "session.db")
	if err := os.WriteFile(text, []byte("no database, and long enough to have a header"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := AgentHost(context.Background(), text, t.TempDir()); err == nil {
		t.Error("a text was read as a database")
	}
}
