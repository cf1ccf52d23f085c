package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestBlocks(t *testing.T) {
	const ours = blockBegin + "\nnew\n" + blockEnd + "\n"
	for _, c := range []struct{ name, text, lines, want string }{
		{"into nothing", "", "new\n", ours},
		{"at the end", "a\nb", "new\n", "a\nb\n" + ours},
		{"in the place of an old one", "a\n" + blockBegin + "\nold\n" + blockEnd + "\nb\n", "new\n", "a\n" + ours + "b\n"},
		{"out", "a\n" + ours + "b\n", "", "a\nb\n"},
		{"half of one is left alone", "a\n" + blockBegin + "\nmine\n", "", "a\n" + blockBegin + "\nmine\n"},
		{"a word of it is none", "echo " + blockBegin + "\n", "", "echo " + blockBegin + "\n"},
	} {
		got := withBlock(c.text, c.lines)
		expect.Is(t, got, c.want, c.name)
		expect.Is(t, withBlock(got, c.lines), got, c.name, "not the same a second time")
	}
}

// What a work tree is told is told its repository.
func TestInstallInAWorkTree(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	tree := &clone{t: t, dir: filepath.Join(t.TempDir(), "tree")}
	c.git("worktree", "add", "-q", "-b", "side", tree.dir)
	s := Setup{Folder: "my notes/Agents", Driver: "'loom' git merge"}
	if _, err := tree.repo(".").Install(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Repo{c.repo("."), tree.repo(".")} {
		parts, err := r.Installed(t.Context(), s)
		if err != nil || len(parts) != 2 {
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

// Older versions merged bases too: their lines are replaced.
func TestInstallRenewsAttributes(t *testing.T) {
	c := newClone(t)
	r, s := c.repo("."), Setup{Folder: "Agents", Driver: "loom"}
	var block string
	for _, ext := range []string{"md", "base", "canvas"} {
		block += `"/Agents/**/*.` + ext + `" merge=sessionloom` + "\n"
	}
	c.write(".git/info/attributes", "*.png binary\n"+blockBegin+"\n"+block+blockEnd+"\n*.txt text\n")
	if parts, err := r.Installed(t.Context(), s); err != nil || parts[1].There {
		t.Errorf("%v: %+v", err, parts)
	}
	if parts, err := r.Install(t.Context(), s); err != nil || !parts[1].Changed {
		t.Errorf("%v: %+v", err, parts)
	}
	got, err := os.ReadFile(filepath.Join(c.dir, ".git/info/attributes"))
	want := "*.png binary\n" + blockBegin + "\n\"/Agents/**/*.md\" merge=sessionloom\n\"/Agents/**/*.canvas\" merge=sessionloom\n" + blockEnd + "\n*.txt text\n"
	expect.Is(t, string(got), want, got, err)
}
