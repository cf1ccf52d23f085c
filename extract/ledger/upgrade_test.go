package ledger

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// A ledger of the version before keeps what was read; of what was given up no
// byte stays in the folder.
func TestUpgradeLeavesNoTrace(t *testing.T) {
	dir, secret := t.TempDir(), "a prompt of the history of commands"
	l, err := Open(dir, Options{})
	must(t, err)
	must(t, l.PutGrave(Grave{ID: "id", Path: "a path"}))
	read := sources.Item{Source: "tale", Key: "a", Kind: sources.KindSession}
	put(t, l, "s", read, sources.Layer{Name: "tale/log", Session: &sources.Session{ID: "s", Title: "expired since"}})
	for _, s := range []string{
		"ALTER TABLE layers DROP COLUMN provisional",
		"ALTER TABLE layers ADD COLUMN cursor BLOB",
		"INSERT INTO layers(session, source, item, name, cursor) VALUES('', 'tale', 'shelf', 'tale/shelf', 'cursor of the item')",
		"CREATE TABLE commands(source TEXT, item TEXT, pos INTEGER, text TEXT, PRIMARY KEY(source, item, pos)) WITHOUT ROWID",
		"INSERT INTO commands VALUES('copilot-cli', 'history', 1, '" + secret + "')",
		"INSERT INTO meta VALUES('daily', '" + secret + "')",
		"INSERT INTO graves VALUES('daily:2026-01-01', '" + secret + "')",
		"UPDATE meta SET value='5' WHERE key='schema'",
	} {
		must(t, l.exec(s))
	}
	must(t, l.Close())

	l, err = Open(dir, Options{})
	must(t, err)
	if l.Fresh() {
		t.Error("the ledger was rebuilt")
	}
	graves, err := l.Graves()
	must(t, err)
	if len(graves) != 1 {
		t.Errorf("graves: %v", graves)
	}
	layers, err := l.Layers("s")
	must(t, err)
	if len(layers) != 1 || layers[0].Session.Title != "expired since" {
		t.Errorf("layers: %v", layers)
	}
	if put(t, l, "s", read, layers[0]) {
		t.Error("a layer that was kept counts as changed")
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
