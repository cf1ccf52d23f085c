package copilotcli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestWatchedFiles(t *testing.T) {
	base := t.TempDir()
	home, other := filepath.Join(base, "home"), filepath.Join(base, "other")
	for _, dir := range []string{home, other} {
		expect.OK(t, os.MkdirAll(dir, 0o700))
	}
	expect.OK(t, os.WriteFile(filepath.Join(other, "session-store.db"), nil, 0o600))
	if err := os.Symlink(filepath.Join(other, "session-store.db"), filepath.Join(home, "session-store.db")); err != nil {
		t.Skip("no links here")
	}
	s := copilotcli.New(copilotcli.Config{Homes: []string{home, filepath.Join(base, "missing")}})
	roots := s.Watch(t.Context())
	const id = "7a241af3-eeba-4c06-b3d9-35b3bedd4547"
	for file, want := range map[string]bool{
		"home/session-state/" + id + "/events.jsonl":       true,
		"home/session-state/" + id + "/plan.md":            true,
		"home/session-state/" + id + "/session.db":         true,
		"home/session-state/" + id + ".jsonl":              true,
		"home/history-session-state/session_x_17.json":     true,
		"missing/session-state/" + id + "/events.jsonl":    true,
		"home/session-state/" + id + "/inuse.4711.lock":    false,
		"home/session-state/" + id + "/rewind-snapshots/x": false,
		"home/logs/process-1.log":                          false,
		"home/config.json":                                 false,
		"elsewhere/session-state/" + id + "/events.jsonl":  false,
	} {
		expect.Is(t, sourcetest.Matters(roots, filepath.ToSlash(base)+"/"+file), want, file)
	}
}
