// Package watch knows folders, events and time, but no sessions: it runs a pass when something changed below
// its folders, and at intervals.
//
// An event is only a hint. Each pass looks at everything, so lost, doubled or superfluous events do no harm:
// they cost at most the time until the next look. That is why only a cheap number of folders is watched, why
// no event is read while a pass is due, and why the limits of the system are not failures.
//
// The folders to watch are determined again, by stat, before a pass: after a folder came or went, at each
// look and after lost events. A folder with another inode gets a new watch. Nothing is held between passes:
// each opens ledger, vault and lock itself. After a pass the loop rests twenty times as long as the pass
// took.
package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	batch = 4096                  // events
	lull  = 20 * time.Millisecond // quiet time after which all waiting events are read
)

// Loop runs syncs. It calls one of its functions at a time.
type Loop struct {
	Tree     *Tree
	Debounce Debounce
	Roots    func() []Root // called again whenever folders come or go
	// Pass looks at everything and does what is due. An error ends the loop.
	Pass func(context.Context) (Result, error)
	// Watched receives the coverage after each look at the folders.
	Watched func(Coverage)

	turn  turn
	stale bool // the watches do not match the folders any more
	left  bool // not all folders are watched
}

// Run begins with a pass and ends with ctx, or with an error of Pass.
func (l *Loop) Run(ctx context.Context) error {
	l.stale = true
	for ctx.Err() == nil {
		began := time.Now()
		l.follow()
		result, err := l.Pass(ctx)
		if err != nil {
			return err
		}
		ended := time.Now()
		l.turn = l.Debounce.next(l.turn, result, ended, ended.Sub(began))
		l.await(ctx)
	}
	return ctx.Err()
}

// follow updates the watches to the folders before a run.
func (l *Loop) follow() {
	if !l.stale {
		return
	}
	l.stale = false
	s := l.Tree.Refresh(l.Roots())
	l.left = s.Left > 0
	l.Watched(s)
}

func (l *Loop) await(ctx context.Context) {
	if !l.hint(ctx) {
		return
	}
	l.stale = l.stale || l.left // an unwatched one may be active now
	last := time.Now().Add(l.Debounce.AtMost)
	if l.turn.due.Before(last) {
		last = l.turn.due
	}
	for time.Now().Before(last) {
		pause(ctx, min(l.Debounce.Quiet, time.Until(last)))
		if ctx.Err() != nil || !l.drain(nil) {
			break
		}
	}
	pause(ctx, time.Until(l.turn.hinted))
}

// hint waits for a hint, or until a pass is due.
func (l *Loop) hint(ctx context.Context) bool {
	due := time.NewTimer(time.Until(l.turn.due))
	defer due.Stop()
	events := l.Tree.events
	for {
		select {
		case <-ctx.Done():
			return false
		case <-due.C:
			l.stale = true
			return false
		case <-l.Tree.lost:
			l.stale = true
			if soonest := time.Now().Add(l.Debounce.AtMost); soonest.After(l.turn.hinted) { // more will be lost meanwhile
				l.turn.hinted = soonest
			}
			return true
		case e, open := <-events:
			switch {
			case !open:
				events = nil
			case l.drain(&e):
				return true
			default:
				pause(ctx, min(breath, time.Until(l.turn.due)))
			}
		}
	}
}

// pause leaves events in the system, which joins equal ones.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// drain reads waiting events, up to a batch, and reports whether one requires a run.
func (l *Loop) drain(e *fsnotify.Event) (worth bool) {
	for n := 0; ; n++ {
		if e != nil {
			yes, moved := l.Tree.look(*e)
			worth, l.stale = worth || yes, l.stale || moved
		}
		if n == batch {
			return true
		}
		var open bool
		if e, open = l.more(); !open {
			if l.Tree.wasLost() {
				worth, l.stale = true, true
			}
			return worth
		}
	}
}

// more returns a waiting or arriving event.
func (l *Loop) more() (*fsnotify.Event, bool) {
	t := time.NewTimer(lull)
	defer t.Stop()
	select {
	case e, open := <-l.Tree.events:
		return &e, open
	case <-t.C:
		return nil, false
	}
}

// Debounce says how soon and how often passes run. The fields are positive.
type Debounce struct {
	Interval time.Duration // time after which a pass runs without a hint
	Quiet    time.Duration // quiet time after a hint before a pass,
	AtMost   time.Duration // or at most this time after the first hint
	Rest     int           // factor of the last pass's duration for which hints wait
}

// Result is the result of a run.
type Result int

// The results of a run.
const (
	Done   Result = iota // or done in part: the rest is tried again
	Busy                 // another program is running, nothing was done
	Failed               // nothing could be done
)

type turn struct {
	hinted time.Time // hints wait until then
	due    time.Time // a pass runs without hints then
	bad    int       // passes in a row that did nothing
}

// next returns the turn after a pass. A turn that did nothing is repeated ever more rarely.
func (d Debounce) next(last turn, r Result, ended time.Time, took time.Duration) turn {
	if r == Done {
		rest := min(took*time.Duration(d.Rest), d.Interval)
		return turn{hinted: ended.Add(rest), due: ended.Add(d.Interval)}
	}
	wait := min(d.AtMost, d.Interval)
	for range last.bad {
		wait = min(2*wait, d.Interval)
	}
	again := ended.Add(wait)
	return turn{hinted: again, due: again, bad: last.bad + 1}
}
