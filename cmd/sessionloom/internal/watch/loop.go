// Package watch knows folders, events and time, and nothing of sessions: it runs
// a pass when something changed below the folders it was given, and now and then
// without being told.
//
// An event is a hint and no more. Each pass looks at everything, so events that
// were lost, doubled or too many do no harm: they cost at most the time until the
// next look. That is why only as many folders are watched as is cheap, why no
// event is read while a pass is due anyway, and why the limits of the system are
// no failure.
//
// Which folders to watch is derived again, by stat alone, before a pass: after a folder came
// or went, at each look and after lost events. A folder whose
// inode is another gets a new watch. Nothing is held between passes: each opens ledger, vault
// and lock for itself. After a pass the loop rests twenty times as long as the pass took.
package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	batch = 4096                  // events
	lull  = 20 * time.Millisecond // no event for so long: all that wait are in
)

// Loop runs syncs. It calls one of its functions at a time.
type Loop struct {
	Tree     *Tree
	Debounce Debounce
	Roots    func() []Root // asked again whenever folders come or go
	// Pass looks at everything and does what is due. An error ends the loop.
	Pass func(context.Context) (Result, error)
	// Watched receives the coverage after each look at the folders.
	Watched func(Coverage)

	turn  turn
	stale bool // the watches do not follow the folders any more
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
	l.stale = l.stale || l.left // one that was not watched may be at work now
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
			if soonest := time.Now().Add(l.Debounce.AtMost); soonest.After(l.turn.hinted) { // more will be lost while it lasts
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

// pause leaves events in the system, where equal ones become one.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// drain reads waiting events, up to a batch, and reports whether one calls for a run.
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

// more returns an event that waits, or is just being handed over.
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
	Interval time.Duration // a pass without a hint comes so long after the last one
	Quiet    time.Duration // a hint is followed when no other came for so long,
	AtMost   time.Duration // or this long after the first
	Rest     int           // after a pass hints wait so many times as long as it took
}

// Result is the result of a run.
type Result int

// The results of a run.
const (
	Done   Result = iota // or done in part: what is left is tried again with the next pass
	Busy                 // another program is at work, nothing was done
	Failed               // nothing could be done
)

type turn struct {
	hinted time.Time // hints are not followed before
	due    time.Time // a pass runs without any
	bad    int       // passes in a row that did nothing
}

// next is the turn after a pass. One that did nothing is repeated ever more rarely.
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
