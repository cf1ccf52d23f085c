package ledger

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A state folder may have any name: the ledger is in it and nowhere else.
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

// What a link leads to that stands where the state keeps a file of its own is not written to.
func TestHolderFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	precious, holder := filepath.Join(dir, "precious"), filepath.Join(dir, "lock.pid")
	must(t, os.WriteFile(precious, []byte("mine"), 0o600))
	if err := os.Symlink(precious, holder); err != nil {
		t.Skip(err)
	}
	writeHolder(holder, "")
	kept, err := os.ReadFile(precious)
	must(t, err)
	told, err := os.ReadFile(holder)
	must(t, err)
	if string(kept) != "mine" || strings.TrimSpace(string(told)) != strconv.Itoa(os.Getpid()) {
		t.Errorf("%q, %q", kept, told)
	}
}
