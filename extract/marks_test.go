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
	if text := b.text(names.SessionID(idA)); !strings.Contains(text, "archived yes ¦") || !strings.Contains(text, "pinned yes ¦") {
		t.Errorf("note:\n%s", text)
	}
	b.steady(true, src)
	index.version++
	index.layers[0].Layers[0].Session.Archived = false
	b.mustSync(src)
	if text := b.text(names.SessionID(idA)); strings.Contains(text, "archived") || !strings.Contains(text, "pinned yes ¦") {
		t.Errorf("note:\n%s", text)
	}
	b.steady(false, src)
}
