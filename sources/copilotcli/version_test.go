package copilotcli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The newest log says by which version it was begun, and one that no test knows is named.
func TestDetailsNameTheVersion(t *testing.T) {
	for version, want := range map[string][]string{
		`"1.0.60"`:  {"written by version 1.0.60"},
		`"2.0.0"`:   {"written by version 2.0.0, newer than " + tested + ", the newest that was tested"},
		`"unknown"`: nil, `7`: nil,
	} {
		home := t.TempDir()
		for i, v := range []string{`"0.0.1"`, version} {
			log := filepath.Join(home, "session-state", []string{"aaaaaaaa-0001-4000-8000-000000000001", "bbbbbbbb-0002-4000-8000-000000000002"}[i], "events.jsonl")
			at := time.Date(2026, 11, 1+i, 9, 0, 0, 0, time.UTC)
			line := `{"type":"session.start","data":{"copilotVersion":` + v + `}}` + "\n"
			expect.OK(t, os.MkdirAll(filepath.Dir(log), 0o700))
			expect.OK(t, os.WriteFile(log, []byte(line), 0o600))
			expect.OK(t, os.Chtimes(log, at, at))
		}
		got, err := New(Config{Homes: []string{home}}).Details(t.Context())
		if err != nil || !slices.Equal(got[home], want) {
			t.Errorf("%s: got %q, %v", version, got[home], err)
		}
	}
}
