package sidecars

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func seed(f *testing.F, names ...string) {
	f.Helper()
	for _, name := range names {
		body := expect.Value(os.ReadFile(filepath.Join("testdata", name)))(f)
		f.Add(body)
	}
}

func FuzzTranscript(f *testing.F) {
	seed(f, "transcript-whole.jsonl", "transcript-midturn.jsonl")
	f.Add([]byte(types(1, "one") + "\n" + event(1, "assistant.turn_start", `{"turnId":"0.0"}`) + "\n" + types(1, "one") + "\n" +
		event(1, "assistant.turn_start", `{"turnId":"0.0"}`) + "\n" + event(2, "tool.execution_complete", `{"toolCallId":"","success":true}`) + "\n"))
	path := filepath.Join(f.TempDir(), "t.jsonl")
	f.Fuzz(func(t *testing.T, body []byte) {
		must(t, os.WriteFile(path, body, 0o600))
		file := expect.Value(Transcript(context.Background(), path))(t)
		for i, turn := range file.Session.Turns {
			if turn.Index != i {
				t.Fatalf("turn %d has index %d", i, turn.Index)
			}
			for _, c := range turn.Tools {
				if c.After < 0 || c.After > len(turn.Assistant) || c.After < len(turn.Assistant) && !utf8.RuneStart(turn.Assistant[c.After]) {
					t.Fatalf("a call stands at %d of %d", c.After, len(turn.Assistant))
				}
			}
		}
		for _, touch := range file.Session.Files {
			if touch.Turn < 0 || touch.Turn >= len(file.Session.Turns) {
				t.Fatalf("a touch is of turn %d", touch.Turn)
			}
		}
		if _, err := json.Marshal(file.Session); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzEdits(f *testing.F) {
	seed(f, "state-timeline.json", "state-linear.json")
	path := filepath.Join(f.TempDir(), "state.json")
	f.Fuzz(func(t *testing.T, body []byte) {
		must(t, os.WriteFile(path, body, 0o600))
		file := expect.Value(Edits(path))(t)
		for _, e := range file.Files {
			if e.Path == "" || e.Kind == "" {
				t.Fatalf("touch is %+v", e)
			}
		}
	})
}

func FuzzSegment(f *testing.F) {
	f.Add("NDBhODYzNjktNmUxZC00ZDFhLThmNjUtZjg2ODIwODViMjA2")
	f.Add("40a86369-6e1d-4d1a-8f65-f8682085b206")
	f.Fuzz(func(t *testing.T, name string) {
		id, ok := Segment(name)
		if ok != (id != "") || ok && filepath.Base(id) != id {
			t.Fatalf("Segment(%q) = %q, %v", name, id, ok)
		}
	})
}

func FuzzReadable(f *testing.F) {
	seed(f, "memory-entry.json")
	f.Fuzz(func(_ *testing.T, body []byte) { readable(string(body), ".json") })
}
