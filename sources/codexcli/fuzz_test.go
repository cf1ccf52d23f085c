package codexcli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli"
)

// fuzzed reads a home with these files twice: whatever is in them, reading ends, is the same
// again, and every index is that of a turn.
func fuzzed(t *testing.T, all map[string][]byte) {
	dir := t.TempDir()
	for name, body := range all {
		write(t, filepath.Join(dir, name), body)
	}
	s := codexcli.New(codexcli.Config{Homes: []string{dir}, PromptOnly: true})
	l, err := s.List(context.Background())
	must(t, err)
	for _, it := range l.Items {
		r, err := s.Read(context.Background(), it)
		again, err2 := s.Read(context.Background(), it)
		if (err == nil) != (err2 == nil) {
			t.Fatal(err, err2)
		}
		a, err := json.Marshal(r.Layers)
		must(t, err)
		b, err := json.Marshal(again.Layers)
		must(t, err)
		if !bytes.Equal(a, b) {
			t.Fatalf("two readings differ:\n%s\n%s", a, b)
		}
		for _, la := range r.Layers {
			if la.Session != nil {
				consistent(t, la.Session)
			}
		}
	}
}

func consistent(t *testing.T, s *sources.Session) {
	for i, turn := range s.Turns {
		if turn.Index != i {
			t.Fatalf("turn %d says it is %d", i, turn.Index)
		}
		for _, tool := range turn.Tools {
			if tool.After < 0 || tool.After > len(turn.Assistant) {
				t.Fatalf("a call after %d of %d bytes", tool.After, len(turn.Assistant))
			}
		}
	}
	for _, f := range s.Files {
		if f.Turn >= len(s.Turns) {
			t.Fatalf("a file of turn %d of %d", f.Turn, len(s.Turns))
		}
	}
	for _, r := range s.Refs {
		if r.Turn >= len(s.Turns) {
			t.Fatalf("a ref of turn %d of %d", r.Turn, len(s.Turns))
		}
	}
	for _, a := range s.Actions {
		if a.Turn >= len(s.Turns) {
			t.Fatalf("an action of turn %d of %d", a.Turn, len(s.Turns))
		}
	}
}

func FuzzRollout(f *testing.F) {
	for _, pattern := range []string{"*827aa8f5*", "*01a2020c-9d53*", "*01a20210-0419*", "*01a20207-9f63*"} {
		paths, err := filepath.Glob(filepath.Join("testdata", "home", "sessions", "*", "*", "*", pattern))
		if err != nil || len(paths) == 0 {
			f.Fatal(paths, err)
		}
		body, err := os.ReadFile(paths[0])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Add(lines(0, begins(""), prompt("a"), answer("b", "final_answer"), answer("c", "commentary"), event("thread_rolled_back", `,"num_turns":1`),
		item("CommandExecution", `,"id":"x","exit_code":0`), item("ExitedReviewMode", `,"review_output":{"findings":[{"title":"t"}]}`), event("task_complete", "")))
	f.Fuzz(func(t *testing.T, body []byte) {
		name := filepath.Join("sessions", "rollout-2026-11-22T07-00-00-"+own)
		fuzzed(t, map[string][]byte{name + ".jsonl": body, name + "_" + second + ".jsonl": lines(2, begins(base(own, 2)), prompt("d"))})
		fuzzed(t, map[string][]byte{name + ".jsonl.zst": body})
		fuzzed(t, map[string][]byte{filepath.Join("sessions", "rollout-2026-11-22-"+own+".json"): body})
	})
}

func FuzzBesides(f *testing.F) {
	f.Add([]byte(`{"session_id":"`+parent+`","ts":1,"text":"x"}`+"\n"), "thread_id: "+own+"\n\ntext")
	f.Add([]byte(`{"id":"`+own+`","thread_name":"n"}`+"\n"), "---\n:\n---\n")
	f.Fuzz(func(t *testing.T, body []byte, summary string) {
		fuzzed(t, map[string][]byte{
			"history.jsonl": body, "session_index.jsonl": body, "sessions/rollout-2026-11-22T07-00-00-" + own + ".jsonl": lines(0, begins(""), prompt("p")),
			"memories/rollout_summaries/a.md": []byte(summary), "memories/MEMORY.md": []byte(strings.ToUpper(summary)),
		})
	})
}
