package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestDatabaseThatWasOnlyRead: reading a database as root sets the owner of its
// -wal anew, which moves the change time and nothing else.
func TestDatabaseThatWasOnlyRead(t *testing.T) {
	db := filepath.Join(t.TempDir(), "store.db")
	for _, name := range []string{db, db + "-wal"} {
		must(t, os.WriteFile(name, []byte("rows"), 0o600))
	}
	look := func() any {
		info := expect.Value(os.Lstat(db))(t)
		return stampDatabase(db, info)
	}
	before := look()
	first := changed(t, db+"-wal")
	for changed(t, db+"-wal") == first { // until the clock of the file system ticked
		if err := os.Chown(db+"-wal", os.Getuid(), os.Getgid()); err != nil || first == 0 {
			t.Skip("no owners or change times here:", err)
		}
	}
	if now := look(); now != before {
		t.Errorf("%+v became %+v", before, now)
	}
	must(t, os.WriteFile(db+"-wal", []byte("rows and more"), 0o600))
	if look() == before {
		t.Error("a row more is not seen")
	}
}

// TestPointer: Git LFS leaves a small text in place of a file, which is no part of an item.
func TestPointer(t *testing.T) {
	dir, told := t.TempDir(), ""
	parts := Parts{Problem: func(path string, err error) { told += filepath.Base(path) + ": " + err.Error() }}
	oid := "\noid sha256:" + strings.Repeat("0a", 32) + "\nsize 2048\n"
	for name, first := range map[string]string{"away.jsonl": "version https://git-lfs.github.com/spec/v1", "here.jsonl": `{"type":"user","text":"version of Git LFS?"}`} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(first+oid), 0o600))
		parts.File(name, filepath.Join(dir, name), nil)
	}
	if len(parts.List) != 1 || parts.List[0].Name != "here.jsonl" || told != filepath.Base(dir)+": "+ErrPointer.Error() {
		t.Errorf("%v, told %q", parts.List, told)
	}
}

func changed(t *testing.T, path string) int64 {
	t.Helper()
	info := expect.Value(os.Lstat(path))(t)
	return StampOf(info).CTime
}

var must = expect.OK
