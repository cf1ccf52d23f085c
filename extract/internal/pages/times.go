package pages

import (
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// local turns a time into the vault's zone; the zero time stays.
func (b *Builder) local(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(b.Zone)
}

// pause is how long a session rests before its next prompt counts as coming
// back to it.
const pause = 90 * time.Minute

// spans are the stretches in which a session was at work.
func (b *Builder) spans(s *sources.Session) []templates.Span {
	var out []templates.Span
	for _, t := range s.Turns {
		if t.At.IsZero() {
			continue
		}
		start, end := b.local(t.At), b.local(t.At)
		if t.End.After(t.At) {
			end = b.local(t.End)
		}
		if n := len(out); n > 0 && start.Sub(out[n-1].End) < pause {
			if end.After(out[n-1].End) {
				out[n-1].End = end
			}
			continue
		}
		out = append(out, templates.Span{Start: start, End: end})
	}
	return out
}
