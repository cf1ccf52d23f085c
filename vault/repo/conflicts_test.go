package repo

import "testing"

// A git that committed a merge and could not remove what said that it was at
// one leaves a merge behind that is done.
func TestContinueAfterACommittedMerge(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	head := c.git("rev-parse", "HEAD")
	c.write(".git/MERGE_HEAD", head+"\n")
	r := c.repo(".")
	if r.Busy() == nil {
		t.Fatal("it is at no merge")
	}
	if err := r.Continue(t.Context()); err != nil {
		t.Error(err)
	}
	if err := r.Busy(); err != nil {
		t.Error(err)
	}
	c.expect("HEAD", c.git("rev-parse", "HEAD"), head)
}
