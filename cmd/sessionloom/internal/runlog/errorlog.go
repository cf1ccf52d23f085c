package runlog

import (
	"os"
	"strings"
)

// maxRunLog is how long the file may grow that a timer collects errors in.
const maxRunLog = 1 << 20

// ShortenErrors empties a log of old errors that stands in the state folder, for an agent
// of launchd. Where else errors may go belongs to the user.
func ShortenErrors(log *os.File, state string) {
	info, err := log.Stat()
	if err != nil || info.Size() <= maxRunLog {
		return
	}
	entries, _ := os.ReadDir(state) // a long log is no harm
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !strings.HasPrefix(name, "schedule-") || !strings.HasSuffix(name, ".log") {
			continue
		}
		if one, err := e.Info(); err == nil && os.SameFile(one, info) {
			_ = log.Truncate(0)
		}
	}
}
