package vault

import "testing"

// A name that may not survive a power failure was not written.
func TestFolderThatCannotBeSyncedIsAFailure(t *testing.T) {
	v, _ := newVault(t, Options{})
	d := firstDraft()
	if _, err := v.Put(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	f, err := v.folders.open("projects/w/sessions", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.dir.Close(); err != nil { // whatever is asked of it fails from now on
		t.Fatal(err)
	}
	if err := v.Flush(); err == nil {
		t.Error("the flush succeeded")
	}
	if f.dir, err = f.root.Open("."); err != nil {
		t.Fatal(err)
	}
	v.folders.done(f)
}
