package extract

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

func TestArchivedAndPinned(t *testing.T) {
	b := newBench(t)
	s := chat(idA, 0, widget)
	index := of("index", sources.KindMemory, false, "tale/index", sources.RankIndex, sources.Session{ID: idA, Archived: true, Pinned: true})
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
