package ledger

import (
	"os"
	"path/filepath"
	"testing"
)

// A state folder may have any name: the ledger lies in it and nowhere else.
func TestLedgerLiesInItsFolder(t *testing.T) {
	for _, name := range []string{"c#", "100%41", "what?mode=memory", "a b", "50%", "line\nbreak", "b\xffd", "caf\u00e9"} {
		above := t.TempDir()
		dir := filepath.Join(above, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Logf("%q is no name here: %v", name, err)
			continue
		}
		l, err := Open(dir, Options{})
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if err := l.Close(); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "ledger.db")); err != nil {
			t.Error(err)
		}
		if list, err := os.ReadDir(above); err != nil || len(list) != 1 {
			t.Errorf("%q: beside it lie %v, %v", name, list, err)
		}
	}
}
