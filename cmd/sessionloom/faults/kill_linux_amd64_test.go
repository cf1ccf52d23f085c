package faults

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// At whatever call the program is killed, every file is whole at once, and the
// next run brings about what an undisturbed one does.
func TestKilledAtEveryWrite(t *testing.T) {
	needsTracing(t)
	for _, d := range sampledOperations(1) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			want := d.undisturbed(t)
			points, runs := d.points(t), 0
			for n := d.first(); n <= points; n += d.stride() {
				p := d.begin(t)
				at := ""
				out := p.traced(nth(n, func(c call) fate { at = p.inPlace(c); return fate{kill: true} }), d.line(p)...)
				if out.code != -1 {
					continue // a run has a few calls more or less than another
				}
				runs++
				what := fmt.Sprintf("killed at call %d of %d, %s", n, points, at)
				p.whole(what, want)
				p.holds(what, d.words, "")
				d.end(p, what)
				p.as(what, want)
				p.holds(what, d.words, ".md")
				if t.Failed() {
					t.FailNow()
				}
			}
			proved(t, "kill -9 before each call that changes a file: "+d.name, points, runs,
				"every file old or new and whole at once; next run = undisturbed; nothing left over; a human's words stay")
		})
	}
}

func (d operation) stride() int {
	if *every > 1 {
		return 5 * *every * max(d.rare, 1)
	}
	return 1
}

// first is the first point that is tried: another one for each operation, so that few
// points are not always the same.
func (d operation) first() int { return 1 + len(d.name)%d.stride() }

// pointsOf are the points of operations that were counted, by the names of these.
var pointsOf sync.Map

// points counts the calls of the operation that change anything, once for all tests.
func (d operation) points(t *testing.T) int {
	t.Helper()
	if n, ok := pointsOf.Load(d.name); ok {
		return n.(int)
	}
	p := d.begin(t)
	n := 0
	out := p.traced(func(c call) fate {
		if c.changes() && p.owns(c) {
			n++
		}
		return fate{}
	}, d.line(p)...)
	if !d.done(out) {
		t.Fatal(out)
	}
	pointsOf.Store(d.name, n)
	return n
}

// nth judges the n-th call that changes anything.
func nth(n int, decide judge) judge {
	return func(c call) fate {
		if !c.changes() {
			return fate{}
		}
		if n--; n == 0 {
			return decide(c)
		}
		return fate{}
	}
}

// owns reports whether a call is about a file of the place.
func (p *place) owns(c call) bool { return strings.HasPrefix(c.path, p.dir+"/") }

// inPlace names a call for a message.
func (p *place) inPlace(c call) string { return c.name + " " + strings.TrimPrefix(c.path, p.dir+"/") }

// The ledger knows where notes are to move before they do. Killed in between, with
// the vault as it was, the next run finds them where they are.
func TestKilledBeforeTheFirstMove(t *testing.T) {
	needsTracing(t)
	for _, d := range undoing()[2:3] { // rules for secrets: words in the names of notes
		t.Run(d.name, d.killedBeforeTheFirstMove)
	}
}

func (d operation) killedBeforeTheFirstMove(t *testing.T) {
	want := d.undisturbed(t)
	moved := func(p *place, c call) bool {
		return c.name == "renameat2" && strings.HasPrefix(c.path, p.vault+"/") && !strings.Contains(c.path, "/.")
	}
	p := d.begin(t)
	out := p.traced(func(c call) fate { return fate{kill: moved(p, c)} }, d.line(p)...)
	if out.code != -1 {
		t.Fatalf("no note was moved: %s", out)
	}
	d.end(p, "killed before the first move")
	p.as("killed before the first move", want)
	p.holds("killed before the first move", d.words, ".md")
}
