package vault

import (
	"path/filepath"
	"testing"
)

// Where nobody can tell what was deleted, nothing may come back.
func TestUnreadableTombstonesCountForAll(t *testing.T) {
	v, dir := newVault(t, Options{})
	writeFile(t, filepath.Join(dir, filepath.FromSlash(tombstonesPath)), "no folder")
	if !v.HasTombstone("session:1") {
		t.Error("a note that may have been deleted would be written again")
	}
}
