package codexcli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// fuzzed reads a home with these files.
func fuzzed(t *testing.T, all map[string][]byte) {
	dir := t.TempDir()
	for name, body := range all {
		write(t, filepath.Join(dir, name), body)
	}
	sourcetest.Fuzzed(t, func() sources.Source { return codexcli.New(codexcli.Config{Homes: []string{dir}, PromptOnly: true}) })
}

func FuzzRollout(f *testing.F) {
	for _, pattern := range []string{"*827aa8f5*", "*01a2020c-9d53*", "*01a20210-0419*", "*01a20207-9f63*"} {
		paths, err := filepath.Glob(filepath.Join("testdata", "home", "sessions", "*", "*", "*", pattern))
		if err != nil || len(paths) == 0 {
			f.Fatal(paths, err)
		}
		f.Add(read(f, paths[0]))
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
