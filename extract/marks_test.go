package extract

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

func TestArchivedAndPinned(t *testing.T) {
	b := newBench(t)
	s := chat(idA, 0, widget)
	index := of("index", sources.KindShelf, false, "tale/index", sources.RankIndex, sources.Session{ID: idA, Archived: true, Pinned: true})
	src := &pile{name: "tale", items: []*thing{of("a", sources.KindSession, true, "tale/log", 0, s), index}}
	b.mustSync(src)
	if text := b.text(names.SessionID(idA)); !strings.Contains(text, "\narchived: true\npinned: true\n") {
		t.Errorf("note:\n%s", text)
	}
	b.steady(true, src)
	index.version++
	index.layers[0].Layers[0].Session.Archived = false
	b.mustSync(src)
	if text := b.text(names.SessionID(idA)); strings.Contains(text, "archived") || !strings.Contains(text, "\npinned: true\n") {
		t.Errorf("note:\n%s", text)
	}
	b.steady(false, src)
	st := &stage{bench: b}
	must(t, edit(st.find(names.SessionID(idA)), func(text string) string { return strings.Replace(text, "pinned: true", "pinned: false", 1) }))
	s.Turns[0].Assistant = "More."
	src.items[0] = of("a", sources.KindSession, true, "tale/log", 0, s)
	src.items[0].version = 2
	b.mustSync(src)
	if text := b.text(names.SessionID(idA)); !strings.Contains(text, "\npinned: false\n") || !strings.Contains(text, "More.") {
		t.Errorf("the user's word did not stay:\n%s", text)
	}
	b.steady(false, src)
}

func TestVerdictCompletesABetterLayersTouch(t *testing.T) {
	log := sources.Session{Whole: true, Place: widget, Turns: turns(turn(0, "x", ""), turn(5, "y", "")),
		Files: []sources.FileTouch{{Path: "a.go", Kind: sources.Edited, Turn: 1}, {Path: "b.go", Kind: sources.Edited, Turn: 0}}}
	log.Turns[0].ID, log.Turns[1].ID = "r1", "r2"
	edits := sources.Session{Files: []sources.FileTouch{
		{Path: "/home/dev/src/widget/a.go", Kind: sources.Edited, Turn: -1, TurnID: "r2", Verdict: sources.Rejected},
		{Path: "b.go", Kind: sources.Edited, Turn: -1, Verdict: sources.Accepted},
		{Path: "c.go", Kind: sources.Created, Turn: -1, TurnID: "r1", Verdict: sources.Rejected},
		{Path: "d.go", Kind: sources.Created, Turn: -1, TurnID: "undone"},
	}}
	m := mergeLayers([]sources.Layer{layer("events", 0, log), layer("edits", 1, edits)})
	want := []sources.FileTouch{
		{Path: "a.go", Kind: sources.Edited, Turn: 1, Verdict: sources.Rejected}, {Path: "b.go", Kind: sources.Edited, Turn: 0, Verdict: sources.Accepted},
		{Path: "c.go", Kind: sources.Created, Turn: 0, Verdict: sources.Rejected},
	}
	if !reflect.DeepEqual(m.Session.Files, want) {
		t.Errorf("got  %+v\nwant %+v", m.Session.Files, want)
	}
	var undone []string
	for _, u := range content.Files(&m.Session) {
		if u.Undone {
			undone = append(undone, u.Path)
		}
	}
	if !reflect.DeepEqual(undone, []string{"c.go", "a.go"}) {
		t.Errorf("undone are %q", undone)
	}
	log.Rewound, log.Turns = true, log.Turns[:1]
	m = mergeLayers([]sources.Layer{layer("events", 0, log), layer("edits", 1, edits)})
	for _, f := range m.Session.Files {
		if f.Path == "d.go" || f.Verdict == sources.Accepted {
			t.Errorf("%+v came in after a rewind", f)
		}
	}
}

func TestCallsOfASubAgentStandInItsCall(t *testing.T) {
	no := false
	got := toolLines([]sources.Tool{
		{Name: "runSubagent", Kind: sources.ToolTask, Detail: "audience check"},
		{Name: "grep", Kind: sources.ToolSearch, Within: 1},
		{Name: "read", Kind: sources.ToolRead, Detail: "a.go", Within: 1},
		{Name: "runSubagent", Kind: sources.ToolTask, Detail: "deeper", Within: 1},
		{Name: "read", Kind: sources.ToolRead, Detail: "b.go", Within: 4, OK: &no},
		{Name: "read", Kind: sources.ToolRead, Detail: "c.go", Within: 9},
		{Name: "read", Kind: sources.ToolRead, Detail: "d.go", Within: 7},
	})
	read := func(name string, failed bool) templates.ToolDetail {
		return templates.ToolDetail{Text: name, Times: 1, Failed: failed}
	}
	want := []templates.ToolLine{
		{Kind: sources.ToolTask, Details: []templates.ToolDetail{{Text: "audience check", Times: 1, Within: []templates.ToolLine{
			{Kind: sources.ToolSearch, Details: []templates.ToolDetail{{Times: 1}}},
			{Kind: sources.ToolRead, Details: []templates.ToolDetail{read("a.go", false)}},
			{Kind: sources.ToolTask, Details: []templates.ToolDetail{{Text: "deeper", Times: 1, Within: []templates.ToolLine{
				{Kind: sources.ToolRead, Details: []templates.ToolDetail{read("b.go", true)}}}}}},
		}}}},
		{Kind: sources.ToolRead, Details: []templates.ToolDetail{read("c.go", false), read("d.go", false)}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
