package watch

import "time"

// Debounce says how soon and how often passes run. The fields are positive.
type Debounce struct {
	Interval time.Duration // a pass without a hint comes so long after the last one
	Quiet    time.Duration // a hint is followed when no other came for so long,
	AtMost   time.Duration // or this long after the first
	Rest     int           // after a pass hints wait so many times as long as it took
}

// Result is what became of a pass.
type Result int

// The results.
const (
	Done   Result = iota // or done in part: what is left is tried again with the next pass
	Busy                 // another program is at work, nothing was done
	Failed               // nothing could be done
)

// turn is when the next pass may and must run.
type turn struct {
	hinted time.Time // hints are not followed before
	due    time.Time // a pass runs without any
	bad    int       // passes in a row that did nothing
}

// next is the turn after a pass that ended at a time. Where nothing could be done
// it is tried again soon, then ever more rarely, whatever the hints say.
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
