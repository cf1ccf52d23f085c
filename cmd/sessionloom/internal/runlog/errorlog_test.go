package runlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log that a timer writes does not grow for ever; one that its user has the errors
// written to is theirs.
func TestOnlyOurLogIsShortened(t *testing.T) {
	state := t.TempDir()
	for name, shorter := range map[string]bool{"schedule-notes-1a2b3c4d.log": true, "mine.log": false, "schedule-notes.txt": false} {
		file := filepath.Join(state, name)
		if err := os.WriteFile(file, []byte(strings.Repeat("x", maxRunLog+1)), 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		ShortenErrors(log, state)
		if info, err := log.Stat(); err != nil || (info.Size() == 0) != shorter {
			t.Errorf("%s: shortened to %d, %v", name, info.Size(), err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
