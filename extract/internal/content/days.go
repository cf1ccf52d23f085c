package content

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Days are the days on which a session was at work, in a time zone, sorted.
func Days(s *sources.Session, zone *time.Location) []string {
	var out []string
	add := func(t time.Time) {
		if !t.IsZero() {
			out = append(out, t.In(zone).Format(time.DateOnly))
		}
	}
	for _, t := range s.Turns {
		add(t.At)
		add(t.End)
	}
	for _, c := range s.Checkpoints {
		add(c.At)
	}
	if len(out) == 0 {
		add(s.Created)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
