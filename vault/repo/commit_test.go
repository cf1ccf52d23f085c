package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// commits commits paths and expects that it works.
func (c *clone) commits(dir string, paths ...string) Done {
	c.t.Helper()
	done := expect.Value(c.tryCommit(dir, paths...))(c.t)
	if done.Unstaged != nil {
		c.t.Errorf("the index was not told: %v", done.Unstaged)
	}
	return done
}

func (c *clone) tryCommit(dir string, paths ...string) (Done, error) {
	c.t.Helper()
	defer c.nothingLeft()
	return c.repo(dir).Commit(context.Background(), Commit{Paths: paths, Message: func(list []string) string {
		return fmt.Sprintf("%d files\n\n- one of them\n", len(list))
	}})
}

// nothingLeft sees that no index, lock or work tree of ours was left behind.
func (c *clone) nothingLeft() {
	c.t.Helper()
	err := filepath.WalkDir(filepath.Join(c.dir, ".git"), func(path string, _ os.DirEntry, err error) error {
		if strings.Contains(filepath.Base(path), "sessionloom") || strings.HasSuffix(path, ".lock") {
			c.t.Errorf("%s is left behind", path)
		}
		return err
	})
	if err != nil {
		c.t.Error(err)
	}
	expect.Lacks(c.t, c.git("worktree", "list"), "sessionloom-", "a work tree is left behind")
}

func (c *clone) expect(what, got, want string) {
	c.t.Helper()
	expect.Is(c.t, got, want, what)
}

func TestCommitOfOurPathsAlone(t *testing.T) {
	c := newClone(t)
	for _, name := range []string{"v/A/ours.md", "v/A/gone.md", "dirty.md", "staged.md", "v/A/half.md"} {
		c.write(name, "old\n")
	}
	c.commit("before")
	c.write("v/A/ours.md", "new\n")
	c.remove("v/A/gone.md")
	c.write("v/A/*[odd] name'.md", "new\n")
	c.write("dirty.md", "dirty\n")
	c.write("staged.md", "staged\n")
	c.write("v/A/half.md", "staged\n")
	c.write("untracked.md", "u\n")
	c.write("added.md", "a\n")
	c.git("add", "staged.md", "added.md", "v/A/half.md")
	c.write("v/A/half.md", "ours\n")
	done := c.commits("v/A", "v/A/ours.md", "v/A/gone.md", "v/A/*[odd] name'.md", "v/A/half.md", "v/A/never.md")
	c.expect("files of the commit", c.git("-c", "core.quotePath=off", "show", "--format=%s|%b|%an", "--name-status", "HEAD"),
		"4 files|- one of them\n|Ada\n\nA\tv/A/*[odd] name'.md\nD\tv/A/gone.md\nM\tv/A/half.md\nM\tv/A/ours.md")
	c.expect("status", c.git("status", "--porcelain"), "A  added.md\n M dirty.md\nM  staged.md\nMM v/A/half.md\n?? untracked.md")
	c.expect("what was staged", c.git("show", ":v/A/half.md"), "staged")
	if len(done.Files) != 4 || done.ID != c.git("rev-parse", "HEAD") {
		t.Errorf("told of %+v", done)
	}
	if done := c.commits("v/A", "v/A/ours.md"); done.ID != "" {
		t.Errorf("an empty commit: %+v", done)
	}
}

func TestCommitStaysHere(t *testing.T) {
	c := newClone(t)
	c.write("ours.md", "old\n")
	c.commit("before")
	far := t.TempDir()
	c.git("init", "-q", "--bare", far)
	c.git("remote", "add", "origin", far)
	c.git("push", "-q", "-u", "origin", "main")
	before := c.git("ls-remote", "origin")
	c.write("ours.md", "new\n")
	if done := c.commits(".", "ours.md"); done.ID == "" {
		t.Fatal("there was nothing to commit")
	}
	c.expect("what the other side has", c.git("ls-remote", "origin"), before)
}

func TestFirstCommit(t *testing.T) {
	c := newClone(t)
	c.write("ours.md", "new\n")
	c.write("mine.md", "mine\n")
	c.git("add", "mine.md")
	c.commits(".", "ours.md")
	c.expect("files", c.git("ls-tree", "-r", "--name-only", "HEAD"), "ours.md")
	c.expect("status", c.git("status", "--porcelain"), "A  mine.md")
}

func TestCommitInSubmoduleAndWorkTree(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	c.git("submodule", "--quiet", "add", "./", "vault")
	c.commit("a submodule")
	c.write("vault/a.md", "new\n")
	inner := &clone{t: t, dir: filepath.Join(c.dir, "vault")}
	done, err := inner.repo(".").Commit(t.Context(), Commit{Paths: []string{"a.md"}, Message: func([]string) string { return "inside\n" }})
	if err != nil || done.ID != inner.git("rev-parse", "HEAD") {
		t.Errorf("%v: %+v", err, done)
	}
	c.expect("status around", c.git("status", "--porcelain"), " M vault")

	tree := &clone{t: t, dir: filepath.Join(t.TempDir(), "tree")}
	c.git("worktree", "add", "-q", "-b", "side", tree.dir)
	tree.write("a.md", "aside\n")
	done, err = tree.repo(".").Commit(t.Context(), Commit{Paths: []string{"a.md"}, Message: func([]string) string { return "aside\n" }})
	if err != nil || done.ID != c.git("rev-parse", "side") {
		t.Errorf("%v: %+v", err, done)
	}
	c.expect("status aside", tree.git("status", "--porcelain"), "")
}

func TestIgnoredPathsAreLeftOut(t *testing.T) {
	c := newClone(t)
	c.write(".gitignore", "*.png\n")
	c.write("tracked.png", "1")
	c.git("add", "-f", "tracked.png")
	c.commit("before")
	c.write("tracked.png", "2")
	c.write("new.png", "3")
	done := c.commits(".", "tracked.png", "new.png")
	c.expect("ignored", strings.Join(done.Ignored, " "), "new.png")
	c.expect("files", c.git("show", "--format=", "--name-only"), "tracked.png")
}

// A file that changed in the moment in which the index was written, and kept its size,
// shows it by nothing but its text.
func TestChangeInTheMomentOfTheIndexIsCommitted(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "1\n")
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	must := func(err error) {
		expect.OK(t, err)
	}
	must(os.Chtimes(filepath.Join(c.dir, "a.md"), at, at))
	c.git("config", "core.trustctime", "false") // which nobody can set
	c.commit("before")
	c.write("a.md", "2\n")
	must(os.Chtimes(filepath.Join(c.dir, "a.md"), at, at))
	must(os.Chtimes(filepath.Join(c.dir, ".git", "index"), at, at))
	c.commits(".", "a.md")
	c.expect("committed", c.git("show", "HEAD:a.md"), "2")
}

func TestHooks(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	hook := func(name, text string) {
		c.write(name, "#!/bin/sh\n"+text)
		expect.OK(t, os.Chmod(filepath.Join(c.dir, name), 0o755))
	}
	c.write("dirty.md", "dirty\n")
	c.write("a.md", "b\n")
	hook(".git/hooks/pre-commit", "echo no such luck >&2; exit 1\n")
	before := c.git("rev-parse", "HEAD")
	if _, err := c.tryCommit(".", "a.md"); err == nil || !strings.Contains(err.Error(), "no such luck") {
		t.Errorf("a hook refused: %v", err)
	}
	c.expect("head", c.git("rev-parse", "HEAD"), before)
	c.expect("status", c.git("status", "--porcelain"), " M a.md\n?? dirty.md")

	hook("hooks/pre-commit", "git diff --cached --name-only > seen\n")
	c.git("config", "core.hooksPath", "hooks")
	c.commits(".", "a.md")
	seen, err := os.ReadFile(filepath.Join(c.dir, "seen"))
	if err != nil || string(seen) != "a.md\n" {
		t.Errorf("the hook saw %q, %v", seen, err)
	}
}

func TestSigningThatFails(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.git("config", "commit.gpgsign", "true")
	c.git("config", "gpg.program", "false")
	if _, err := c.tryCommit(".", "a.md"); err == nil {
		t.Error("an unsigned commit")
	}
	c.expect("status", c.git("status", "--porcelain"), "?? a.md")
}

func TestNoCommitInTheMiddleOfAMerge(t *testing.T) {
	c := newClone(t)
	c.write("a.md", "a\n")
	c.commit("before")
	c.git("switch", "-q", "-c", "side")
	c.write("a.md", "b\n")
	c.commit("side")
	c.git("switch", "-q", "main")
	c.write("a.md", "c\n")
	c.commit("main")
	for _, how := range [][]string{{"merge", "side"}, {"rebase", "side"}, {"cherry-pick", "side"}} {
		if out, err := c.try(how...); err == nil {
			t.Fatalf("no conflict: %s", out)
		}
		var busy *BusyError
		if _, err := c.tryCommit(".", "a.md"); !errors.As(err, &busy) {
			t.Errorf("%s: %v", how[0], err)
		}
		c.git(how[0], "--abort")
	}
}
