package extract

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

// A session in which nobody typed a prompt is counted and has no note, unless it is wished. Once
// it is no longer wished the note goes, but for one that a human wrote in.
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
	}{{AutomaticCount, false}, {AutomaticWrite, true}, {AutomaticCount, false}} {
		if r := wish(step.wish); r.Sessions.Automatic != 1 || r.Sessions.Empty != 0 || noted() != step.noted {
			t.Errorf("%s: %+v, a note: %v", step.wish, r.Sessions, noted())
		}
		b.steady(true, src)
	}

	wish(AutomaticWrite)
	note := filepath.Join(b.vault, "Agents/projects/widget (octo-org)/sessions/2026-11-03 0800 prompt of aaaa.md")
	must(t, edit(note, func(text string) string { return text + "\nmine\n" }))
	wish(AutomaticCount)
	if text, err := os.ReadFile(note); err != nil || !strings.HasSuffix(string(text), "\nmine\n") {
		t.Errorf("what a human wrote is gone: %v", err)
	}
}
