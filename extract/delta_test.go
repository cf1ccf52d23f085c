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
	const young = int64(20 * time.Millisecond)
	for _, when := range []struct{ mtime, ctime int64 }{
		{now, 0}, {now - young + 1, 0}, {now + young - 1, 0},
		{1, now}, {1, now - young + 1}, {now + 1e15, now}, // whoever writes sets the time
	} {
		b := newBench(t)
		it := of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget))
		it.mtime, it.ctime, it.fixed = when.mtime, when.ctime, true
		src := &pile{name: "tale", items: []*thing{it}}
		// The clock stands still, as a coarse one would.
		pass := func() {
			must(t, b.pass(src, false, func(s *Engine) error {
				_, err := s.Run(t.Context())
				return err
			}))
		}
		pass()
		it.version++
		it.layers[0].Layers[0].Session.Turns[0].Assistant = "Changed within the tick."
		pass()
		if !strings.Contains(b.text("session:"+idA), "Changed within the tick.") {
			t.Errorf("written %s from our look, changed %s: the change was not seen", time.Duration(when.mtime-now), time.Duration(when.ctime-now))
		}
	}
}

// Whoever writes can set the time of a file back, but not that of its last change.
func TestFileOfEqualSizeAndTimeIsReadAgain(t *testing.T) {
	b := newBench(t)
	it := of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget))
	it.mtime, it.ctime, it.fixed = 1, 1, true
	src := &pile{name: "tale", items: []*thing{it}}
	b.mustSync(src)
	it.layers[0].Layers[0].Session.Turns[0].Assistant = "Changed, and its time set back."
	it.ctime = 2
	b.mustSync(src)
	if !strings.Contains(b.text("session:"+idA), "its time set back") {
		t.Error("the change was not seen")
	}
}
