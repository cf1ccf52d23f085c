package extract

import (
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

// A session in which nobody typed a prompt is counted and has no note.
func TestAutomaticSessionsGetNoNotes(t *testing.T) {
	observed := chat(idA, 0, widget)
	observed.Class = sources.Automatic
	src := &pile{name: "tale", items: []*thing{
		of("a", sources.KindSession, true, "tale/log", 0, observed),
		of("b", sources.KindSession, true, "tale/log", 0, chat(idB, 5, widget)),
	}}
	b := newBench(t)
	if r := b.mustSync(src); r.Sessions.Automatic != 1 || r.Sessions.Empty != 0 || slices.Contains(b.ids("session:"), names.SessionID(idA)) {
		t.Errorf("%+v, notes %v", r.Sessions, b.ids("session:"))
	}
	b.steady(true, src)
}
