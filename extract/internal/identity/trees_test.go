package identity

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestWorkingTrees has sessions in second working trees, beside one in the main one.
func TestWorkingTrees(t *testing.T) {
	const repo = "github.com/octo-org/widget"
	main := seen{"m", Located{FolderEvidence: EvidenceOf(sources.Place{Cwd: "/home/ann/src/widget", GitRoot: "/home/ann/src/widget", Repository: "octo-org/widget"}), IsConversation: true}}
	other := seen{"o", Located{FolderEvidence: EvidenceOf(sources.Place{Cwd: "/home/ann/lab/widget"}), IsConversation: true}}
	for _, c := range []struct {
		cwd    string
		beside []seen
		want   string
	}{
		{"/home/ann/src/widget/.claude/worktrees/mend", []seen{main}, repo},
		{"/home/ann/src/widget/.worktrees/mend/cmd", []seen{main}, repo},
		{"/home/ann/src/widget.worktrees/mend-it", []seen{main}, repo},
		{`C:\Users\ann\src\widget.worktrees\mend-it`, nil, ProjectOf(sources.Place{Cwd: `c:\Users\ann\src\widget`}).Key},
		{"/home/ann/.codex/worktrees/1f3a/widget", []seen{main}, repo},
		{"/home/ann/.cursor/worktrees/widget/1f3a", []seen{main}, repo},
		{"/home/ann/.codex/worktrees/1f3a/widget", []seen{main, other}, ProjectOf(sources.Place{Cwd: "/home/ann/.codex/worktrees/1f3a/widget"}).Key}, // which of both?
		{"/home/ann/.codex/worktrees/1f3a/pump", []seen{main}, ProjectOf(sources.Place{Cwd: "/home/ann/.codex/worktrees/1f3a/pump"}).Key},
		{"/home/ann/src/worktrees/widget/a", []seen{main}, ProjectOf(sources.Place{Cwd: "/home/ann/src/worktrees/widget/a"}).Key}, // of no agent
	} {
		me := seen{"x", Located{FolderEvidence: EvidenceOf(sources.Place{Cwd: c.cwd}), IsConversation: true}}
		expect.Is(t, projectOfSeen(append(c.beside, me), nil, me), c.want, c.cwd)
	}
}

// TestPlacesThatAreOne has places that say the same, or nothing.
func TestPlacesThatAreOne(t *testing.T) {
	key := func(p sources.Place) string { return ProjectOf(p).Key }
	composed, apart := key(sources.Place{Cwd: "/home/ann/caf\u00e9"}), key(sources.Place{Cwd: "/home/ann/cafe\u0301"})
	expect.Is(t, composed, apart, "one folder in two forms")
	if r := NewPathResolver(&sources.Session{Place: sources.Place{Cwd: "/home/ann/cafe\u0301"}}); r.Shown("/home/ann/caf\u00e9/r\u0065\u0301sum\u00e9.md") != "r\u00e9sum\u00e9.md" {
		t.Errorf("a file in two forms: %q", r.Shown("/home/ann/caf\u00e9/r\u0065\u0301sum\u00e9.md"))
	}
	const untitled = "/home/ann/.config/Code/Workspaces/1700000000000/workspace.json"
	folder := key(sources.Place{Cwd: "/home/ann/src/pump"})
	for name, c := range map[string]struct {
		place sources.Place
		want  string
	}{
		"an untitled workspace":            {sources.Place{Workspace: untitled}, KeyLoose},
		"it, with a folder":                {sources.Place{Workspace: untitled, Cwd: "/home/ann/src/pump"}, folder},
		"it, beside folders and a folder":  {sources.Place{Workspace: untitled, Folders: []string{"/home/ann/a"}, Cwd: "/home/ann/src/pump"}, folder},
		"a bare home":                      {sources.Place{Cwd: "/home/ann"}, KeyLoose},
		"a bare home below a git root":     {sources.Place{Cwd: "/home/ann", GitRoot: "/home/ann/src/pump"}, folder},
		"a workspace that has a name wins": {sources.Place{Workspace: "/home/ann/all.code-workspace", Cwd: "/home/ann/src/pump"}, key(sources.Place{Workspace: "/home/ann/all.code-workspace"})},
	} {
		expect.Is(t, key(c.place), c.want, name)
	}
}
