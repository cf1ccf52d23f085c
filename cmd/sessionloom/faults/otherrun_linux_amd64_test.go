package faults

import (
	"fmt"
	"path/filepath"
	"testing"
)

// Another run that knows nothing of this one, for it has a state of its own (two
// machines on one network folder), does all of its work between two calls of it.
func TestOtherRunInEveryWindow(t *testing.T) {
	points, runs := 0, 0
	grown(t).watch(&watcher{at: func(w window) { points = w.n }}, "sync", "--json")
	for _, n := range calls(2, points, *every) {
		p := grown(t)
		p.add(large, 0.5)
		q := *p
		q.state = filepath.Join(p.dir, "state of the other")
		out := p.watch(&watcher{at: func(w window) {
			if w.n == n {
				q.run("sync")
			}
		}}, "sync", "--json")
		what := fmt.Sprintf("another run at %d: %s", n, out)
		if out.code != 0 && out.code != 3 {
			t.Fatal(what)
		}
		p.sync(0)
		q.sync(0)
		q.steady(what)
		oneNoteEach(t, p.vault, what)
		p.sound(what)
		runs++
	}
	proved(t, "another run, with a state of its own, between two calls of a pass", points, runs, "one note an id, none torn; both end at the vault of one run")
}
