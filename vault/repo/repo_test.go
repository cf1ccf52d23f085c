package repo

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// clone is a repository that a test works in with the real git.
type clone struct {
	t   *testing.T
	dir string
}

// isolate keeps the configuration of this machine out of a test.
func isolate(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"), "GIT_CEILING_DIRECTORIES": home,
	} {
		t.Setenv(name, value)
	}
	config := "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
	expect.OK(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o600))
}

func newClone(t *testing.T) *clone {
	t.Helper()
	isolate(t)
	dir := expect.Value(filepath.EvalSymlinks(t.TempDir()))(t)
	c := &clone{t: t, dir: dir}
	c.git("init", "-q")
	return c
}

func (c *clone) git(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func (c *clone) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c *clone) write(path, text string) {
	c.t.Helper()
	path = filepath.Join(c.dir, path)
	expect.OK(c.t, os.MkdirAll(filepath.Dir(path), 0o755))
	expect.OK(c.t, os.WriteFile(path, []byte(text), 0o644))
}

func (c *clone) remove(path string) {
	c.t.Helper()
	expect.OK(c.t, os.RemoveAll(filepath.Join(c.dir, path)))
}

func (c *clone) commit(message string) {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "-m", message)
}

func (c *clone) repo(dir string) *Repo {
	c.t.Helper()
	r := expect.Value(Find(filepath.Join(c.dir, dir)))(c.t)
	return r
}

// expectHead compares what git's log says, which names the commit before too, with what git says.
func (c *clone) expectHead(dir, want string) {
	c.t.Helper()
	if got := c.repo(dir).Head(); !strings.HasSuffix(got, want) {
		c.t.Errorf("head of %q is %q, want %q", dir, got, want)
	}
}

func TestHead(t *testing.T) {
	c := newClone(t)
	c.write("sub/folder/a", "a")
	c.expectHead("sub/folder", "refs/heads/main")
	c.commit("one")
	first := c.git("rev-parse", "HEAD")
	c.expectHead("sub/folder", first)
	c.git("switch", "-q", "-c", "side/branch")
	c.write("b", "b")
	c.commit("two")
	second := c.git("rev-parse", "HEAD")
	c.git("pack-refs", "--all")
	c.expectHead(".", second)
	c.git("switch", "-q", "--detach", first)
	c.expectHead("sub", first)

	tree := &clone{t: t, dir: filepath.Join(t.TempDir(), "tree")}
	c.git("worktree", "add", "-q", tree.dir, "side/branch")
	tree.expectHead("sub", second)
	tree.write("c", "c")
	tree.commit("three")
	tree.expectHead(".", tree.git("rev-parse", "HEAD"))
	c.expectHead(".", first)

	c.git("submodule", "--quiet", "add", "./", "vault")
	inner := &clone{t: t, dir: filepath.Join(c.dir, "vault")}
	inner.expectHead("sub", inner.git("rev-parse", "HEAD"))
	inner.write("d", "d")
	inner.commit("four")
	inner.expectHead("sub", inner.git("rev-parse", "HEAD"))
	c.expectHead("sub", first)
}

func TestNoRepository(t *testing.T) {
	if _, err := Find(t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("found a repository: %v", err)
	}
}
