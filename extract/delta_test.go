package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// A file that was written in the very moment we read it may be written once more in
// that moment, with equal size and times.
func TestFileAsYoungAsOurLookIsReadAgain(t *testing.T) {
	now := time.Unix(2e9, 0).UnixNano() // the clock of a bench
	for _, when := range []int64{now, now - young + 1, now + young - 1} {
		b := newBench(t)
		it := of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget))
		it.mtime, it.fixed = when, true
		src := &pile{name: "tale", items: []*thing{it}}
		// The clock stands still, as a coarse one would.
		pass := func() {
			must(t, b.pass(src, false, func(s *Sync) error {
				_, err := s.Run(t.Context())
				return err
			}))
		}
		pass()
		it.version++
		it.layers[0].Layers[0].Session.Turns[0].Assistant = "Changed within the tick."
		pass()
		if !strings.Contains(b.text("session:"+idA), "Changed within the tick.") {
			t.Errorf("written %s from our look: the change was not seen", time.Duration(when-now))
		}
	}
}
