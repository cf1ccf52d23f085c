package faults

import (
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// stopsAfter sends SIGINT so long after the first call it hears of.
func stopsAfter(d time.Duration, at func(window)) func(window) {
	var once sync.Once
	return func(w window) {
		once.Do(func() {
			time.AfterFunc(d, func() { _ = syscall.Kill(w.pid, syscall.SIGINT) })
		})
		at(w)
	}
}

// A watch that is stopped in the midst of a pass finishes what is in hand.
func TestWatchHearsSignals(t *testing.T) {
	t.Parallel()      // most of it is waiting
	const points = 90 // in the pass; a few more or less
	runs, stopped := 0, 0
	for n := 1; n <= points; n += *every {
		for i, signal := range interrupts {
			if *every > 1 && n / *every % len(interrupts) != i {
				continue
			}
			p := grown(t)
			out := p.watch(&watcher{sources: true, at: stopsAfter(2*time.Second, func(w window) {
				if w.n == n {
					_ = syscall.Kill(w.pid, signal)
				}
			})}, "watch", "--json")
			what := fmt.Sprintf("%s at %d", signal, n)
			if out.code != 130 {
				t.Errorf("%s: %s", what, out)
			}
			if strings.Contains(out.stderr, "stopping after the note in hand") {
				stopped++
			}
			p.sound(what)
			runs++
		}
	}
	if stopped == 0 {
		t.Error("no signal came while it was at work")
	}
	proved(t, "watch: SIGINT, SIGTERM or SIGHUP before a call of a pass", points, runs,
		"what is in hand is finished, exit code 130; the next run does the rest")
}
