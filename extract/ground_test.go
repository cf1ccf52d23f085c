package extract

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

func TestProjectOfAFolderThatAnotherSessionKnows(t *testing.T) {
	const repo, other, own = "github.com/octo-org/widget", "github.com/octo-org/other", "folder/w-1"
	card := func(id, own, folder string, rooted bool, updated string) ledger.SessionRow {
		return ledger.SessionRow{ID: id, Own: own, Folder: folder, Rooted: rooted, Updated: updated}
	}
	teacher := card("t", repo, "~/src/w", true, "2026-01-01")
	for name, c := range map[string]struct {
		all   []ledger.SessionRow
		noted map[string]string
		me    ledger.SessionRow
		want  string
	}{
		"that very folder":           {[]ledger.SessionRow{teacher}, nil, card("x", own, "~/src/w", false, ""), repo},
		"below the root":             {[]ledger.SessionRow{teacher}, nil, card("x", own, "~/src/w/cmd/a", false, ""), repo},
		"a root of its own below":    {[]ledger.SessionRow{teacher}, nil, card("x", own, "~/src/w/cmd/a", true, ""), own},
		"beside it":                  {[]ledger.SessionRow{teacher}, nil, card("x", own, "~/src/w2", false, ""), own},
		"below what is no root":      {[]ledger.SessionRow{card("t", repo, "~/src/w", false, "")}, nil, card("x", own, "~/src/w/cmd", false, ""), own},
		"its own remote":             {[]ledger.SessionRow{teacher}, nil, card("x", other, "~/src/w", true, ""), other},
		"the newest remote":          {[]ledger.SessionRow{teacher, card("u", other, "~/src/w", true, "2026-01-02")}, nil, card("x", own, "~/src/w", false, ""), other},
		"of the same time":           {[]ledger.SessionRow{teacher, card("u", other, "~/src/w", true, "2026-01-01")}, nil, card("x", own, "~/src/w", false, ""), other},
		"its note stands there":      {nil, map[string]string{"x": repo}, card("x", own, "~/src/w", false, ""), repo},
		"it stands there, no folder": {nil, map[string]string{"x": repo}, card("x", keyLoose, "", false, ""), repo},
		"the note of another":        {[]ledger.SessionRow{card("y", own, "~/src/w", true, "")}, map[string]string{"y": repo}, card("x", own, "~/src/w/cmd", false, ""), repo},
		"nobody else knows it":       {[]ledger.SessionRow{teacher}, map[string]string{"x": other}, card("x", own, "~/src/w", false, ""), other},
		"a newer one than its note's": {[]ledger.SessionRow{teacher, card("u", other, "~/src/w", true, "2025-01-01")}, map[string]string{"x": other},
			card("x", own, "~/src/w", false, ""), repo},
		"a note in another folder": {nil, map[string]string{"x": "folder/y-2"}, card("x", own, "~/src/w", false, ""), own},
		"memory of the person":     {[]ledger.SessionRow{teacher}, nil, card("x", "", "", false, ""), ""},
	} {
		all := append(slices.Clone(c.all), c.me)
		if got := learn(all, c.noted).project(c.me, c.noted[c.me.ID]); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		slices.Reverse(all)
		if got := learn(all, c.noted).project(c.me, c.noted[c.me.ID]); got != c.want {
			t.Errorf("%s, the other way round: %q, want %q", name, got, c.want)
		}
	}
}

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
		if got := b.ids("project:"); !slices.Equal(got, []string{"project:github.com/octo-org/widget"}) {
			t.Errorf("%s: projects %q", name, got)
		}
		b.steady(true, src)
		// The one who knew is gone, and so is the ledger: nobody moves back.
		src.items = []*thing{two, of("c", sources.KindSession, true, "tale/log", 0, chat(idC, 7, plain.Place))}
		must(t, os.RemoveAll(b.state))
		b.mustSync(src)
		if got := b.ids("project:"); !slices.Equal(got, []string{"project:github.com/octo-org/widget"}) {
			t.Errorf("%s, then lost: projects %q", name, got)
		}
		b.steady(false, src)
	}
}

func TestWorkspaceOfSeveralFolders(t *testing.T) {
	ws := sources.Place{Workspace: "/home/dev/all.code-workspace", Folders: []string{"/home/dev/src/widget", "/home/dev/src/docs"}}
	key := projectOf(ws).Key
	if !strings.HasPrefix(key, "folder/all-") || key != projectOf(sources.Place{Workspace: "/Users/me/all.code-workspace", Folders: ws.Folders}).Key {
		t.Errorf("key %q", key)
	}
	both := chat(idB, 5, ws)
	both.Files = []sources.FileTouch{{Path: "/home/dev/src/docs/a.md", Kind: sources.Edited}, {Path: "/home/dev/src/widget/main.go", Kind: sources.Edited},
		{Path: "/home/dev/elsewhere/x.go", Kind: sources.Edited}}
	b := newBench(t)
	src := &pile{name: "tale", items: []*thing{of("b", sources.KindSession, true, "tale/log", 0, both)}}
	b.mustSync(src)
	b.steady(true, src)
	if text := b.text(sessionID(idB)); strings.Contains(text, "\nFolders: ") || !strings.Contains(text, "files:\n  - \"docs/a.md\"\n  - \"widget/main.go\"\n") {
		t.Errorf("session note:\n%s", text)
	}
	src.items = append(src.items, of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget)))
	b.mustSync(src)
	b.steady(true, src)
	const want = "\nFolders: [[Agents/projects/widget (octo-org)/widget (octo-org)|widget]]\n"
	for _, id := range []string{sessionID(idB), projectID(key)} {
		if text := b.text(id); !strings.Contains(text, want) {
			t.Errorf("%s does not link to the project of its folder:\n%s", id, text)
		}
	}
}

func TestWindowThatHadOneFolderFirst(t *testing.T) {
	ws := sources.Session{ID: uuid, Place: sources.Place{Workspace: "/home/dev/all.code-workspace", Folders: []string{"/a", "/b"}}}
	one := sources.Session{ID: uuid, Updated: at(9), Place: sources.Place{Cwd: "/home/dev/src/widget"}}
	m := mergeLayers([]sources.Layer{{Name: "a", Session: &ws}, {Name: "b", Session: &one}})
	if p := m.Session.Place; p.Workspace != "" || p.Cwd == "" {
		t.Errorf("the better layer knows its folder: %+v", p)
	}
	one.Updated = ws.Updated
	m = mergeLayers([]sources.Layer{{Name: "a", Session: &ws}, {Name: "b", Rank: 1, Session: &one}})
	if p := m.Session.Place; p.Workspace == "" || len(p.Folders) != 2 {
		t.Errorf("the better layer knows its workspace: %+v", p)
	}
}
