package places

import "testing"

func TestWorktreesAreTheirProject(t *testing.T) {
	for _, c := range []struct{ cwd, path, project, inside string }{
		{"/home/dev/w/.claude/worktrees/x", "/home/dev/w/.claude/worktrees/x/a/b.go", "/home/dev/w", "/home/dev/w/a/b.go"},
		{"/home/dev/w/.claude/worktrees/x/sub", "/home/dev/w/c.go", "/home/dev/w", "/home/dev/w/c.go"},
		{`C:\w\.claude\worktrees\x`, `C:\w\.claude\worktrees\x\a.go`, `C:\w`, `C:\w\a.go`},
		{"/home/dev/w", "/tmp/a.go", "/home/dev/w", "/tmp/a.go"},
	} {
		p := Place{Cwd: c.cwd}
		if p.Of().Cwd != c.project || p.InProject(c.path) != c.inside {
			t.Errorf("%q: %q, %q", c.cwd, p.Of().Cwd, p.InProject(c.path))
		}
	}
	p := Place{Cwd: "/tmp/wt/x", original: "/home/dev/w", worktree: "/tmp/wt/x"}
	if p.Of().Cwd != "/home/dev/w" || p.InProject("/tmp/wt/x/a.go") != "/home/dev/w/a.go" || p.InProject("/tmp/wt/xy/a.go") != "/tmp/wt/xy/a.go" {
		t.Error("a worktree elsewhere")
	}
}
