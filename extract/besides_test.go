package extract

import (
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

// A session in which nobody typed a prompt is counted and has no note, unless it is wished.
// A note that was written stays: that it is no longer wished is no reason to take it away.
func TestAutomaticSessionsGetNotesWhereWished(t *testing.T) {
	observed := chat(idA, 0, widget)
	observed.Class = sources.Automatic
	src := &pile{name: "tale", items: []*thing{
		of("a", sources.KindSession, true, "tale/log", 0, observed),
		of("b", sources.KindSession, true, "tale/log", 0, chat(idB, 5, widget)),
	}}
	b := newBench(t)
	noted := func() bool { return slices.Contains(b.ids("session:"), names.SessionID(idA)) }
	wish := func(automatic string) Report {
		b.settings.Automatic = automatic
		return b.mustSync(src)
	}
	for _, step := range []struct {
		wish  string
		noted bool
	}{{AutomaticCount, false}, {AutomaticWrite, true}, {AutomaticCount, true}} {
		if r := wish(step.wish); r.Sessions.Automatic != 1 || r.Sessions.Empty != 0 || noted() != step.noted {
			t.Errorf("%s: %+v, a note: %v", step.wish, r.Sessions, noted())
		}
		b.steady(step.wish == AutomaticWrite || !step.noted, src)
	}
}
