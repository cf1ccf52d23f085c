package ledger

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// ledgerOfVersion5 makes a ledger as that version left it.
func ledgerOfVersion5(t *testing.T, statements ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	schema, err := os.ReadFile(filepath.Join("testdata", "schema5.sql"))
	must(t, err)
	db, err := sql.Open("sqlite", filepath.Join(dir, "ledger.db"))
	must(t, err)
	for _, s := range append(strings.Split(string(schema), ";\n"), append(statements, "INSERT INTO meta VALUES('schema', '5')")...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%v: %s", err, s)
		}
	}
	must(t, db.Close())
	return dir
}

// A ledger of the version before keeps what was read and merged; of what was given
// up no byte stays in the folder.
func TestUpgrade(t *testing.T) {
	secret, body, nav := "a prompt of the history of commands", "body", "nav"
	c, err := newCodec()
	must(t, err)
	packed, err := c.pack(&sources.Session{ID: "s", Title: "expired since"})
	must(t, err)
	dir := ledgerOfVersion5(t,
		"INSERT INTO commands VALUES('copilot-cli', 'history', 1, '"+secret+"')",
		"INSERT INTO meta VALUES('daily', '"+secret+"')",
		"INSERT INTO meta VALUES('mask_key', 'kept')",
		`INSERT INTO meta VALUES('ignored', CAST('{"/a":["one","two"],"/b":["three"]}' AS BLOB))`,
		"INSERT INTO graves VALUES('daily:2026-01-01', '"+secret+"'), ('id', 'a path')",
		"INSERT INTO files VALUES('base:sessions', 's.base', 'o', 'b', 'r'), ('picture:a/b.png', 'moved/b.png', '', '', '')",
		"INSERT INTO pictures VALUES('a/b.png', 's'), ('a/c.png', 's'), ('a/c.png', 't')",
		fmt.Sprintf("INSERT INTO layers(session, source, item, name, rank, hash, content) VALUES('s', 'x', 'i', 'x/log', 0, x'%x', x'%x')", packed.Hash, packed.Content),
		"INSERT INTO layers(session, source, item, name, cursor) VALUES('', 'x', 'shelf', 'x/shelf', 'cursor of an item')",
		fmt.Sprintf("INSERT INTO bases VALUES('session:s', x'%x', x'%x')", packText(&body), packText(&nav)),
		"INSERT INTO due VALUES('session', 's')")
	must(t, os.WriteFile(filepath.Join(dir, "checked"), []byte(secret), 0o600)) // what a check remembered
	l, err := Open(dir, Options{})
	must(t, err)
	if l.Fresh() {
		t.Error("the ledger was rebuilt")
	}
	tombstones, err := l.Tombstones()
	must(t, err)
	owned, err := l.OwnedFiles()
	must(t, err)
	uses, err := l.OwnedUses()
	must(t, err)
	ignored, err := l.IgnoredSessions()
	must(t, err)
	layers, err := l.Layers("s")
	must(t, err)
	_, base, err := l.Bases("session:s")
	must(t, err)
	key, err := l.Value(MaskKey)
	must(t, err)
	due, err := l.Due(DueSession)
	must(t, err)
	paths := make([]string, len(owned))
	for i, f := range owned {
		paths[i] = f.Path
	}
	if len(tombstones) != 1 || !slices.Equal(paths, []string{"s.base", "moved/b.png", "a/c.png"}) || len(uses) != 3 || len(ignored) != 3 ||
		len(layers) != 1 || layers[0].Session.Title != "expired since" || base == nil || *base != nav || string(key) != "kept" || len(due) != 1 {
		t.Errorf("tombstones %v, owned files %v, shown by %v, ignored %v, layers %v, bases %v, key %q, due %v",
			tombstones, paths, uses, ignored, layers, base, key, due)
	}
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		must(t, err)
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s still has what was given up", f.Name())
		}
	}
	must(t, l.Close())
}

// The tables of an upgraded ledger are those of a new one.
func TestUpgradeMakesOurTables(t *testing.T) {
	columns := func(dir string) []string {
		l, err := Open(dir, Options{})
		must(t, err)
		defer func() { must(t, l.Close()) }()
		all, err := l.texts("SELECT m.name||'.'||c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type='table' ORDER BY 1")
		must(t, err)
		return all
	}
	old, fresh := columns(ledgerOfVersion5(t)), columns(t.TempDir())
	if !slices.Equal(old, fresh) {
		t.Errorf("upgraded:\n%s\nnew:\n%s", strings.Join(old, "\n"), strings.Join(fresh, "\n"))
	}
}
