package copilotcli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources/copilotcli"
)

// A file beside the log that is cut anywhere harms nothing.
func TestSidecarsCutAtEveryByte(t *testing.T) {
	files := map[string]string{
		"workspace.yaml":                   "id: x\nname: \"Füge é\"\ncwd: /home/ada/src\ncreated_at: 2026-05-11T09:02:12.844Z\n",
		"plan.md":                          "# Plän\n\n- [ ] one\n- [x] two\n",
		"checkpoints/index.md":             "| # | Title | File |\n|---|---|---|\n| 1 | Erstes – é | 001-a.md |\n",
		"checkpoints/001-a.md":             "<overview>\nwas é\n</overview>\n<next_steps>\n- do\n</next_steps>\n",
		"checkpoints/002-b.json":           `{"number":2,"title":"zwei","overview":"b","work_done":["é"]}`,
		"vscode.metadata.json":             `{"customTitle":"Títel","created":1}`,
		"rewind-file-snapshots/index.json": `{"snapshots":[{"files":{"/home/ada/src/a.go":{}}}]}`,
		"files/nötiz.md":                   "# A note\nwith é\n",
	}
	const id = "0a0a0a0a-0000-4000-8000-000000000000"
	home := t.TempDir()
	dir := filepath.Join(home, "session-state", id)
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("events.jsonl", `{"type":"session.start","id":"a","timestamp":"2026-05-11T09:02:12Z","data":{"sessionId":"`+id+`"}}`+"\n")
	for name, text := range files {
		write(name, text)
	}
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	for name, text := range files {
		for at := range len(text) {
			write(name, text[:at])
			if _, r := readItem(t, s, itemOf(t, s, id)); len(r.Problems) > 0 {
				t.Fatalf("%s, cut at byte %d: %v", name, at, r.Problems)
			}
		}
		write(name, text)
	}
}
