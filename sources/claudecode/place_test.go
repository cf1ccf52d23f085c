package claudecode

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestWorktreesAreTheirProject(t *testing.T) {
	for _, c := range []struct{ cwd, path, project, inside string }{
		{"/home/dev/w/.claude/worktrees/x", "/home/dev/w/.claude/worktrees/x/a/b.go", "/home/dev/w", "/home/dev/w/a/b.go"},
		{"/home/dev/w/.claude/worktrees/x", "/home/dev/w/.claude/worktrees/x", "/home/dev/w", "/home/dev/w"},
		{"/home/dev/w/.claude/worktrees/x/sub", "/home/dev/w/c.go", "/home/dev/w", "/home/dev/w/c.go"},
		{`C:\w\.claude\worktrees\x`, `C:\w\.claude\worktrees\x\a.go`, `C:\w`, `C:\w\a.go`},
		{"/home/dev/w", "/tmp/a.go", "/home/dev/w", "/tmp/a.go"},
	} {
		p := facts{cwd: c.cwd}
		if projectOf(c.cwd) != c.project || p.inProject(c.path) != c.inside {
			t.Errorf("%q: %q, %q", c.cwd, projectOf(c.cwd), p.inProject(c.path))
		}
	}
	p := facts{cwd: "/tmp/wt/x", original: "/home/dev/w", worktree: "/tmp/wt/x"}
	if p.inProject("/tmp/wt/x/a.go") != "/home/dev/w/a.go" || p.inProject("/tmp/wt/xy/a.go") != "/tmp/wt/xy/a.go" {
		t.Error("a worktree elsewhere")
	}
}

var must = expect.OK
