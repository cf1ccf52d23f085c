package repo

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What a killed run committed through is cleared away by a later one, and stays while it
// may be in use.
func TestCommitClearsWhatAKilledOneLeft(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	young, old := c.leaves("young", 0), c.leaves("old", 2*restful)
	c.write("a.md", "b\n")
	if _, err := c.repo(".").Commit(t.Context(), Commit{Paths: []string{"a.md"}, Message: func([]string) string { return "x" }}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(young); err != nil {
		t.Errorf("a young one: %v", err)
	}
	if _, err := os.Lstat(old); err == nil {
		t.Error("the old one of a dead run is left")
	}
}

// leaves puts a folder into that of git that was last written to so long ago.
func (c *clone) leaves(name string, ago time.Duration) string {
	c.t.Helper()
	folder := filepath.Join(c.dir, ".git", ownFolders+name)
	when := time.Now().Add(-ago)
	expect.OK(c.t, os.MkdirAll(folder, 0o700))
	expect.OK(c.t, os.Chtimes(folder, when, when))
	return folder
}
