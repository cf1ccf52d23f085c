package extract

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestFoldersMeetTheirRemoteInAnyOrder(t *testing.T) {
	plain := chat(idB, 5, sources.Place{Cwd: "/home/other/src/widget/cmd"})
	for name, order := range map[string][]int{"remote first": {0, 1}, "folder first": {1, 0}, "at once": {2}} {
		b := newBench(t)
		src := &pile{name: "tale"}
		one, two := of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget)), of("b", sources.KindSession, true, "tale/log", 0, plain)
		for _, n := range order {
			src.items = append(src.items, [][]*thing{{one}, {two}, {one, two}}[n]...)
			b.mustSync(src)
		}
		expect.List(t, b.ids("project:"), []string{"project:github.com/octo-org/widget"}, name, "projects")
		b.steady(true, src)
		// The one who knew is gone, and so is the ledger: nobody moves back.
		src.items = []*thing{two, of("c", sources.KindSession, true, "tale/log", 0, chat(idC, 7, plain.Place))}
		must(t, os.RemoveAll(b.state))
		b.mustSync(src)
		expect.List(t, b.ids("project:"), []string{"project:github.com/octo-org/widget"}, name, "then lost: projects")
		b.steady(false, src)
	}
}

// An agent that records no remote worked in the repository that is in its folder, a second
// working tree in that of the first. What was learned stays when the folder is gone.
func TestRemoteIsLearnedFromTheDisk(t *testing.T) {
	b := newBench(t)
	b.onDisk = func(folder string) (root, remote string) {
		switch folder {
		case "/home/dev/src/widget", "/home/dev/src/widget-skew", "/home/dev/src/widget/cmd":
			return "/home/dev/src/widget", "git@github.com:octo-org/widget.git"
		case "/home/dev/lab/b", "/home/dev/lab/b-tree":
			return "/home/dev/lab/b", ""
		case "/home/dev/notes":
			return "/home/dev", "git@github.com:dev/dotfiles.git"
		}
		return "", ""
	}
	src := &pile{name: "tale"}
	for i, cwd := range []string{"/home/dev/src/widget-skew", "/home/dev/src/widget/cmd", "/home/dev/lab/b-tree", "/home/dev/notes"} {
		id := fmt.Sprintf("%c%s", 'a'+i, idA[1:])
		src.items = append(src.items, of(id, sources.KindSession, true, "tale/log", 0, chat(id, i, sources.Place{Cwd: cwd})))
	}
	b.mustSync(src)
	projects := b.ids("project:")
	if len(projects) != 3 || projects[2] != "project:github.com/octo-org/widget" || !strings.HasPrefix(projects[0], "project:folder/b-") || !strings.HasPrefix(projects[1], "project:folder/notes-") {
		t.Errorf("projects %q", projects)
	}
	b.steady(true, src)
	b.onDisk = nil
	b.mustSync(src)
	must(t, os.RemoveAll(b.state))
	b.mustSync(src)
	if now := b.ids("project:"); !slices.Contains(now, "project:github.com/octo-org/widget") || len(b.ids("session:")) != 4 {
		t.Errorf("with the folders gone: projects %q", now)
	}
}

func TestWorkspaceOfSeveralFolders(t *testing.T) {
	ws := sources.Place{Workspace: "/home/dev/all.code-workspace", Folders: []string{"/home/dev/src/widget", "/home/dev/src/docs"}}
	key := identity.ProjectOf(ws).Key
	if !strings.HasPrefix(key, "folder/all-") || key != identity.ProjectOf(sources.Place{Workspace: "/Users/me/all.code-workspace", Folders: ws.Folders}).Key {
		t.Errorf("key %q", key)
	}
	both := chat(idB, 5, ws)
	both.Files = []sources.FileTouch{{Path: "/home/dev/src/docs/a.md", Kind: sources.Edited}, {Path: "/home/dev/src/widget/main.go", Kind: sources.Edited},
		{Path: "/home/dev/elsewhere/x.go", Kind: sources.Edited}}
	b := newBench(t)
	src := &pile{name: "tale", items: []*thing{of("b", sources.KindSession, true, "tale/log", 0, both)}}
	b.mustSync(src)
	b.steady(true, src)
	if text := b.text(names.SessionID(idB)); strings.Contains(text, "\nFolders: ") || !strings.Contains(text, " docs/a.md ¦ file ") || !strings.Contains(text, " - widget/main.go ¦") {
		t.Errorf("session note:\n%s", text)
	}
	src.items = append(src.items, of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget)))
	b.mustSync(src)
	b.steady(true, src)
	const want = "\nFolders: [[Agents/projects/widget (octo-org)/widget (octo-org)|widget]]\n"
	for _, id := range []string{names.SessionID(idB), names.ProjectID(key)} {
		if text := b.text(id); !strings.Contains(text, want) {
			t.Errorf("%s does not link to the project of its folder:\n%s", id, text)
		}
	}
}
