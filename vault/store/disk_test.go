package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/inmemory"
)

func TestMain(m *testing.M) {
	inmemory.TempDirs()
	os.Exit(m.Run())
}

func openDisk(t *testing.T, o Options) (*Disk, string) {
	t.Helper()
	dir := t.TempDir()
	d, err := OpenDisk(dir, o)
	must(t, err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, dir
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must(t, os.WriteFile(file, []byte(text), 0o666))
}

// A file that comes into being just before ours gets its name stays what it is, also where
// the file system knows plain renames alone.
func TestCreateReplacesNothing(t *testing.T) {
	for _, plain := range []bool{false, true} {
		s := ThisSystem()
		d, dir := openDisk(t, Options{System: &s})
		real := s.RenameNew
		s.RenameNew = func(from *os.File, name string, into *os.File, to string) error {
			writeFile(t, filepath.Join(dir, "p", "s.md"), "mine")
			if plain {
				return errors.ErrUnsupported
			}
			return real(from, name, into, to)
		}
		if _, err := d.Create("p/s.md", []byte("ours")); !errors.Is(err, ErrTaken) {
			t.Errorf("plain %v: %v", plain, err)
		}
		files, others, err := d.List("p")
		if got, _ := os.ReadFile(filepath.Join(dir, "p", "s.md")); string(got) != "mine" || len(files) != 1 || len(others) > 0 || err != nil {
			t.Errorf("plain %v: %q, %q %q %v", plain, got, files, others, err)
		}
	}
}

// No more folders stay open than are kept, and none after a flush.
func TestFoldersAreClosed(t *testing.T) {
	d, _ := openDisk(t, Options{})
	for i := range maxFolders + 30 {
		if _, err := d.Create(string(rune('a'+i%26))+"/"+string(rune('a'+i/26))+"/n.md", nil); err != nil {
			t.Fatal(err)
		}
	}
	if open := len(d.dirs.kept); open > maxFolders+2 {
		t.Errorf("%d folders are open", open)
	}
	if err := d.Flush(); err != nil || len(d.dirs.kept) != 0 {
		t.Errorf("%d folders are open after a flush: %v", len(d.dirs.kept), err)
	}
}
