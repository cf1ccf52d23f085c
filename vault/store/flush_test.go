package store

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A name that may not survive a power failure was not written.
func TestFolderThatCannotBeSyncedIsAFailure(t *testing.T) {
	d, _ := openDisk(t, Options{})
	if _, err := d.Create("a/b.md", []byte("text")); err != nil {
		t.Fatal(err)
	}
	f, err := d.dirs.open("a", false)
	must(t, err)
	if err := f.dir.Close(); err != nil { // whatever is asked of it fails from now on
		t.Fatal(err)
	}
	if err := d.Flush(); err == nil {
		t.Error("the flush succeeded")
	}
	if f.dir, err = f.root.Open("."); err != nil {
		t.Fatal(err)
	}
	d.dirs.done(f)
}

var must = expect.OK
