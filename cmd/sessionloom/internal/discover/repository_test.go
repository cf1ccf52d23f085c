package discover

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRepositoryOfAFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write("widget/.git/config", "[core]\n\tbare = false\n[remote \"fork\"]\n\turl = git@github.com:me/widget.git\n[remote \"origin\"]\n\turl = git@github.com:octo-org/widget.git\n\turl = second\n")
	write("widget/cmd/main.go", "")
	write("skew/.git", "gitdir: "+filepath.ToSlash(dir)+"/widget/.git/worktrees/skew\n")
	write("widget/.git/worktrees/skew/commondir", "../..\n")
	write("lone/.git/config", "[remote \"up\"]\nURL=https://github.com/octo-org/lone\n")
	write("two/.git/config", "[remote \"a\"]\nurl = x\n[remote \"b\"]\nurl = y\n[branch \"main\"]\nurl = z\n")
	write("far/.git", "gitdir: //evil/share/.git\n")
	write("torn/.git", "no such thing")
	write("none/x", "")
	for folder, want := range map[string][2]string{
		"widget":     {"widget", "git@github.com:octo-org/widget.git"},
		"widget/cmd": {"widget", "git@github.com:octo-org/widget.git"},
		"skew":       {"widget", "git@github.com:octo-org/widget.git"},
		"skew/a/b":   {"widget", "git@github.com:octo-org/widget.git"},
		"lone":       {"lone", "https://github.com/octo-org/lone"},
		"two":        {"two", ""},
		"far":        {"", ""},
		"torn":       {"", ""},
		"gone/away":  {"", ""},
	} {
		root, remote := Repository(filepath.Join(dir, filepath.FromSlash(folder)))
		if want[0] != "" {
			want[0] = filepath.Join(dir, want[0])
		}
		if root != want[0] && want[0] != "" || remote != want[1] {
			t.Errorf("%s: %q, %q, want %q", folder, root, remote, want)
		}
	}
}

func TestALinkIsNoRepository(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "real"), 0o755))
	if err := os.Symlink(filepath.Join(dir, "real"), filepath.Join(dir, ".git")); err != nil {
		t.Skip(err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "real", "config"), []byte("[remote \"origin\"]\nurl = x\n"), 0o644))
	if _, remote := Repository(dir); remote != "" {
		t.Errorf("a link was followed to %q", remote)
	}
}
