package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBlocks(t *testing.T) {
	const ours = blockBegin + "\nnew\n" + blockEnd + "\n"
	for _, c := range []struct{ name, text, lines, want string }{
		{"into nothing", "", "new\n", ours},
		{"at the end", "a\nb", "new\n", "a\nb\n" + ours},
		{"before an end that never comes back", "#!/bin/sh\nexec other \"$@\"\n", "new\n", "#!/bin/sh\n" + ours + "exec other \"$@\"\n"},
		{"in the place of an old one", "a\n" + blockBegin + "\nold\n" + blockEnd + "\nb\n", "new\n", "a\n" + ours + "b\n"},
		{"out", "a\n" + ours + "b\n", "", "a\nb\n"},
		{"half of one is left alone", "a\n" + blockBegin + "\nmine\n", "", "a\n" + blockBegin + "\nmine\n"},
		{"a word of it is none", "echo " + blockBegin + "\n", "", "echo " + blockBegin + "\n"},
	} {
		got := withBlock(c.text, c.lines, hookPlace)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if again := withBlock(got, c.lines, hookPlace); again != got {
			t.Errorf("%s: not the same a second time: %q", c.name, again)
		}
	}
}

// The hooks of a work tree are those of its repository.
func TestInstallInAWorkTree(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	tree := &clone{t: t, dir: filepath.Join(t.TempDir(), "tree")}
	c.git("worktree", "add", "-q", "-b", "side", tree.dir)
	s := Setup{Folder: "my notes/Agents", Driver: "'loom' git merge", After: "true"}
	if _, err := tree.repo(".").Install(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Repo{c.repo("."), tree.repo(".")} {
		parts, err := r.Installed(t.Context(), s)
		if err != nil || len(parts) != 4 {
			t.Fatalf("%v: %+v", err, parts)
		}
		for _, p := range parts {
			if !p.There {
				t.Errorf("%s is not set up in %s", p.Name, r.Top())
			}
		}
	}
	if got := tree.git("check-attr", "merge", "--", "my notes/Agents/x/y.md"); !strings.HasSuffix(got, ": sessionloom") {
		t.Error(got)
	}
}

// During a rebase, and while something is stashed away, hooks keep quiet.
func TestQuietHooks(t *testing.T) {
	c := newClone(t)
	r := c.repo(".")
	hooks := map[string][]string{"post-merge": {"0"}, "post-rewrite": {"rebase"}}
	expect := func(when string, want map[string]bool) {
		t.Helper()
		for name, args := range hooks {
			if r.Quiet(name, args) != want[name] {
				t.Errorf("%s: %s: %v", when, name, !want[name])
			}
		}
	}
	expect("in peace", map[string]bool{"post-merge": true, "post-rewrite": true})
	if r.Quiet("post-rewrite", []string{"amend"}) {
		t.Error("an amended commit is a reason to run")
	}
	if err := os.Mkdir(filepath.Join(c.dir, ".git", "rebase-merge"), 0o755); err != nil {
		t.Fatal(err)
	}
	expect("at the end of a rebase", map[string]bool{"post-rewrite": true})
	c.write(".git/rebase-merge/autostash", "1234")
	expect("with a stash", map[string]bool{})
	c.remove(".git/rebase-merge")
	c.write(".git/MERGE_AUTOSTASH", "1234")
	expect("with a stash of a merge", map[string]bool{})
}
