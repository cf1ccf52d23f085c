package repo

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// What a killed run committed through is cleared away by the next one: its index,
// git's lock of it, and its work tree, whose branch can be committed to again.
func TestCommitClearsWhatAKilledOneLeft(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	tree := filepath.Join(t.TempDir(), ownTrees+"1", "tree")
	c.git("worktree", "add", "-q", "-b", "notes", tree)
	gone := filepath.Join(t.TempDir(), ownTrees+"2", "tree")
	c.git("worktree", "add", "-q", "-b", "more", gone)
	if err := os.RemoveAll(gone); err != nil { // the machine was started anew
		t.Fatal(err)
	}
	c.leaves(ownIndexes+"1", 2*restful)
	c.leaves(ownIndexes+"1.lock", 2*restful)
	c.write("a.md", "b\n")
	for _, branch := range []string{"notes", "more"} {
		if err := c.repo(".").Ready(t.Context(), branch); err != nil {
			t.Error(err)
		}
		c.commits(".", branch, "a.md")
	}
	if _, err := os.Lstat(filepath.Dir(tree)); err == nil {
		t.Error("the folder of the work tree is left")
	}
}

// A full disk leaves a record of a work tree with which git refuses whatever it is asked of
// work trees: the next run clears that away too.
func TestCommitClearsABrokenRecord(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	tree := filepath.Join(t.TempDir(), ownTrees+"1", "tree")
	c.git("worktree", "add", "-q", "-b", "notes", tree)
	if err := os.Truncate(filepath.Join(c.dir, ".git", "worktrees", "tree", "commondir"), 0); err != nil {
		t.Fatal(err)
	}
	c.write("a.md", "b\n")
	if err := c.repo(".").Ready(t.Context(), "notes"); err != nil {
		t.Error(err)
	}
	c.commits(".", "notes", "a.md")
	if _, err := os.Lstat(filepath.Dir(tree)); err == nil {
		t.Error("the folder of the work tree is left")
	}
}

// What a run commits through stays while it may be at work.
func TestCommitLeavesWhatMayBeInUse(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	young := c.leaves(ownIndexes+"young", 0)
	old := c.leaves(ownIndexes+"old", 2*restful)
	at := flock.New(filepath.Join(c.dir, ".git"), flock.SetFlag(os.O_RDONLY))
	if ok, err := at.TryRLock(); !ok {
		t.Skipf("folders cannot be locked here: %v", err)
	}
	commit := func() {
		t.Helper()
		if _, err := c.repo(".").Commit(t.Context(), Commit{Paths: []string{"a.md"}, Message: func([]Change) string { return "x" }}); err != nil {
			t.Fatal(err)
		}
	}
	commit()
	for _, file := range []string{young, old} {
		if _, err := os.Lstat(file); err != nil {
			t.Errorf("while another run is at work: %v", err)
		}
	}
	if err := at.Unlock(); err != nil {
		t.Fatal(err)
	}
	commit()
	if _, err := os.Lstat(young); err != nil {
		t.Errorf("a young one: %v", err)
	}
	if _, err := os.Lstat(old); err == nil {
		t.Error("the old one of a dead run is left")
	}
}

// leaves puts a file into the folder of git that was last written so long ago.
func (c *clone) leaves(name string, ago time.Duration) string {
	c.t.Helper()
	file := filepath.Join(c.dir, ".git", name)
	when := time.Now().Add(-ago)
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Chtimes(file, when, when); err != nil {
		c.t.Fatal(err)
	}
	return file
}
