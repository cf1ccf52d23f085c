// Package moment reads times as the agents and SQLite write them.
package moment

import (
	"strings"
	"time"
)

// layouts are in UTC where no zone is given (formats/copilot-cli.md, section 1).
var layouts = [...]string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"}

// Parse gives the zero time for what is none.
func Parse(s string) time.Time {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
