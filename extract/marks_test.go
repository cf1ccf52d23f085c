package extract

import (
	"reflect"
	"strings"
	"testing"

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
