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
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// olderLedger makes a ledger as version 18 left it.
func olderLedger(t *testing.T, statements ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	schema, err := os.ReadFile(filepath.Join("testdata", "schema18.sql"))
	must(t, err)
	db, err := sql.Open("sqlite", filepath.Join(dir, "ledger.db"))
	must(t, err)
	for _, s := range append(strings.Split(string(schema), ";\n"), append(statements, "INSERT INTO kv VALUES('schema', '18')")...) {
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
	secret, body, nav := "what was open in a session that was forgotten", "body", "nav"
	c, err := newCodec()
	must(t, err)
	packed := expect.Value(c.pack(&sources.Session{ID: "s", Title: "expired since"}))(t)
	dir := olderLedger(t,
		"INSERT INTO scans(source, listing) VALUES('x', '"+secret+"')",
		"INSERT INTO kv VALUES('mask_key', 'kept')",
		fmt.Sprintf("INSERT INTO layers(session, source, item, name, rank, hash, content) VALUES('s', 'x', 'i', 'x/log', 0, x'%x', x'%x')", packed.Hash, packed.Content),
		fmt.Sprintf("INSERT INTO merge_bases VALUES('session:s', x'%x', x'%x')", packText(&body), packText(&nav)),
		"INSERT INTO render_queue VALUES('session', 's')")
	l := expect.Value(Open(dir, Options{}))(t)
	if l.Fresh() {
		t.Error("the ledger was rebuilt")
	}
	layers := l.Layers("s")
	must(t, err)
	_, base := l.Bases("session:s")
	must(t, err)
	key := l.Value(MaskKey)
	must(t, err)
	due := l.Due(DueSession)
	must(t, err)
	if len(layers) != 1 || layers[0].Session.Title != "expired since" || base == nil || *base != nav || string(key) != "kept" || len(due) != 1 {
		t.Errorf("layers %v, base %v, key %q, due %v", layers, base, key, due)
	}
	files := expect.Value(os.ReadDir(dir))(t)
	for _, f := range files {
		text := expect.Value(os.ReadFile(filepath.Join(dir, f.Name())))(t)
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
		all := l.texts("SELECT m.name||'.'||c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type='table' UNION SELECT sql FROM sqlite_schema WHERE type='index' AND sql IS NOT NULL ORDER BY 1")
		must(t, err)
		return all
	}
	old, fresh := columns(olderLedger(t)), columns(t.TempDir())
	if !slices.Equal(old, fresh) {
		t.Errorf("upgraded:\n%s\nnew:\n%s", strings.Join(old, "\n"), strings.Join(fresh, "\n"))
	}
}
