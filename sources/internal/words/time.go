package words

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// layouts are in UTC where no zone is given (formats/copilot-cli.md, section 1).
var layouts = [...]string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"}

// Time gives the zero time for what is none, and for a year that no calendar of
// a note has, where an offset may lead.
func Time(s string) time.Time {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return sources.OnCalendar(t)
		}
	}
	return time.Time{}
}

// SetUpdated dates a session by its newest turn, checkpoint or todo, where nothing
// better is known.
func SetUpdated(s *sources.Session) {
	if !s.Updated.IsZero() {
		return
	}
	newer := func(t time.Time) {
		if t.After(s.Updated) {
			s.Updated = t
		}
	}
	for _, t := range s.Turns {
		newer(t.At)
		newer(t.End)
	}
	for _, c := range s.Checkpoints {
		newer(c.At)
	}
	for _, t := range s.Todos {
		newer(t.At)
	}
}
