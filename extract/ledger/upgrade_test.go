package ledger

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A ledger of the version before keeps what was read; of what was given up no
// byte stays in the folder.
func TestUpgradeLeavesNoTrace(t *testing.T) {
	dir, secret := t.TempDir(), "a prompt of the history of commands"
	l, err := Open(dir, Options{})
	must(t, err)
	must(t, l.PutGrave(Grave{ID: "id", Path: "a path"}))
	for _, s := range []string{
		"DROP TABLE owned_files",
		"DROP TABLE owned_uses",
		"CREATE TABLE files(id TEXT PRIMARY KEY, path TEXT, ours TEXT, base TEXT, reason TEXT) WITHOUT ROWID",
		"CREATE TABLE pictures(path TEXT, session TEXT, PRIMARY KEY(path, session)) WITHOUT ROWID",
		"INSERT INTO files VALUES('picture:a/b.png', 'moved/b.png', '', '', '')",
		"INSERT INTO pictures VALUES('a/b.png', 's'), ('a/c.png', 's')",
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
	owned, err := l.OwnedFiles()
	must(t, err)
	uses, err := l.OwnedUses()
	must(t, err)
	if len(owned) != 2 || owned[0].Path != "moved/b.png" || owned[1].Path != "a/c.png" || len(uses) != 2 {
		t.Errorf("owned files: %v, shown by %v", owned, uses)
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
