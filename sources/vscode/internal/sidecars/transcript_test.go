package sidecars

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func transcriptOf(t testing.TB, lines ...string) eventlog.Reading {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	must(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return readFile(t, path)
}

func readFile(t testing.TB, path string) eventlog.Reading {
	t.Helper()
	f := expect.Value(Transcript(context.Background(), path))(t)
	return f
}

var events int

// event writes one line at a second of a fixed hour.
func event(second int, kind, data string) string {
	events++
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"e%d","timestamp":"2026-11-03T13:10:%02d.000Z","parentId":null}`, kind, data, events, second)
}

func says(second int, text string) string {
	return event(second, "assistant.message", fmt.Sprintf(`{"content":%q,"toolRequests":[]}`, text))
}

func types(second int, text string) string {
	return event(second, "user.message", fmt.Sprintf(`{"content":%q,"attachments":[]}`, text))
}

func prompts(s *sources.Session) (out []string) {
	for i, t := range s.Turns {
		if t.Index != i {
			return []string{fmt.Sprintf("turn %d has index %d", i, t.Index)}
		}
		out = append(out, t.User)
	}
	return out
}

func TestTranscript(t *testing.T) {
	f := readFile(t, "testdata/transcript-whole.jsonl")
	s := f.Session
	want := []string{"Which callers of auth.Verify should take the Ring instead of a key?", "Do it, with a todo list, and run the tests."}
	if got := prompts(s); !slices.Equal(got, want) {
		t.Fatalf("prompts are %q", got)
	}
	first, second := s.Turns[0], s.Turns[1]
	expect.Is(t, first.Assistant, "I'll look for the callers of `Verify` first.\n\nOnly middleware.go takes a bare key; keyring.go already tries all keys. So one caller changes.", "answer")
	expect.Is(t, toolsOf(first), "grep_search/search/Verify(/true@44 read_file/read/~/src/widget/internal/auth/middleware.go/true@44", "tools")
	expect.Is(t, toolsOf(second), "replace_string_in_file/edit/~/src/widget/internal/auth/middleware.go/true@0 run_in_terminal/run/go test ./internal/auth//true@0", "tools")
	if tool := second.Tools[1]; tool.Command != "go test ./internal/auth/" || tool.Exit != nil {
		t.Errorf("the command is %+v", tool)
	}
	if second.ID != "" || second.Status != sources.Complete || !second.End.Equal(time.Date(2026, 11, 3, 13, 10, 37, 4e8, time.UTC)) {
		t.Errorf("turn is %+v", second)
	}
	if s.Complete || s.Title != "" || !s.Created.Equal(time.Date(2026, 11, 3, 13, 10, 0, 0, time.UTC)) || f.Empty || len(f.Unknown) != 0 || len(s.Damage) != 0 {
		t.Errorf("session is %+v of %+v", s, f)
	}
	expect.Is(t, touchesIn(s), "viewed /home/dev/src/widget/internal/auth/middleware.go 0, edited /home/dev/src/widget/internal/auth/middleware.go 1", "files")
}

func toolsOf(turn sources.Turn) string {
	var out []string
	for _, c := range turn.Tools {
		ok := "?"
		if c.OK != nil {
			ok = fmt.Sprint(*c.OK)
		}
		out = append(out, fmt.Sprintf("%s/%s/%s/%s@%d", c.Name, c.Kind, c.Detail, ok, c.After))
	}
	return strings.Join(out, " ")
}

func touchesIn(s *sources.Session) string {
	var out []string
	for _, f := range s.Files {
		out = append(out, fmt.Sprintf("%s %s %d", f.Kind, f.Path, f.Turn))
	}
	return strings.Join(out, ", ")
}

func TestEdgeCase26TranscriptStartsMidTurn(t *testing.T) {
	s := readFile(t, "testdata/transcript-midturn.jsonl").Session
	if got := prompts(s); !slices.Equal(got, []string{"", "Yes, write BenchmarkVerify."}) {
		t.Fatalf("prompts are %q", got)
	}
	if s.Complete {
		t.Error("a transcript that starts in the middle is told to be whole")
	}
	expect.Is(t, toolsOf(s.Turns[0]), "run_in_terminal/run/go test -bench . ./internal/auth//false@30", "tools before the first prompt")
	expect.Is(t, touchesIn(s), "created /home/dev/src/widget/internal/auth/bench_test.go 1", "files")
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"nothing visible before it", []string{event(1, "assistant.turn_start", `{"turnId":"0"}`), says(2, " \n"), event(3, "assistant.turn_end", `{"turnId":"0"}`), types(4, "go on")}, 1},
		{"a tool before it", []string{event(1, "tool.execution_start", `{"toolCallId":"c","toolName":"read_file","arguments":{}}`), types(4, "go on")}, 2},
	} {
		if got := transcriptOf(t, c.lines...).Session; len(got.Turns) != c.want {
			t.Errorf("%s: %d turns", c.name, len(got.Turns))
		}
	}
	if f := transcriptOf(t, says(1, "I searched.")); !f.Empty {
		t.Error("the run of a sub-agent is told to be a chat")
	}
}

func TestEdgeCase27TranscriptArgumentsAndPlace(t *testing.T) {
	asked := func(args string) string {
		return event(2, "assistant.message", `{"content":"","toolRequests":[{"toolCallId":"c","name":"read_file","arguments":`+args+`,"type":"function"}]}`)
	}
	ended := event(3, "tool.execution_complete", `{"toolCallId":"c","success":true}`)
	for name, args := range map[string]string{"string": `"{\"filePath\":\"/w/a.go\"}"`, "object": `{"filePath":"/w/a.go"}`, "address": `{"filePath":"file:///w/a.go"}`} {
		s := transcriptOf(t, types(1, "read it"), asked(args), ended).Session
		expect.Is(t, toolsOf(s.Turns[0]), "read_file/read//w/a.go/true@0", name, "tools")
	}
	start := func(context string) string {
		return event(0, "session.start", `{"sessionId":"x","version":1,"startTime":"2026-11-03T13:00:00Z"`+context+`}`)
	}
	if s := transcriptOf(t, start("")).Session; s.Place.Cwd != "" {
		t.Errorf("folder is %q", s.Place.Cwd)
	}
	if s := transcriptOf(t, start(`,"context":{"cwd":"/home/dev/src/widget"}`)).Session; s.Place.Cwd != "/home/dev/src/widget" {
		t.Errorf("folder is %q", s.Place.Cwd)
	}
}

func TestTranscriptCallsAreCountedOnce(t *testing.T) {
	request := func(second int, id string) string {
		return event(second, "assistant.message", `{"content":"x","toolRequests":[{"toolCallId":"`+id+`","name":"run_in_terminal","arguments":"{\"command\":\"make\",\"explanation\":\"build\"}"}]}`)
	}
	start := func(second int, id string) string {
		return event(second, "tool.execution_start", `{"toolCallId":"`+id+`","toolName":"run_in_terminal","arguments":{"command":"make"}}`)
	}
	end := func(second int, id, ok string) string {
		return event(second, "tool.execution_complete", `{"toolCallId":"`+id+`","success":`+ok+`}`)
	}
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"asked, started, ended", []string{request(2, "a"), start(3, "a"), end(4, "a", "true")}, "true"},
		{"started before asked", []string{start(2, "a"), request(3, "a"), end(4, "a", "false")}, "false"},
		{"never ran", []string{request(2, "a")}, "?"},
		{"the id comes again", []string{request(2, "a"), start(3, "a"), end(4, "a", "true"), request(5, "a"), start(6, "a"), end(7, "a", "false")}, "true false"},
		{"two at once", []string{request(2, "a"), request(3, "b"), start(4, "b"), start(5, "a"), end(6, "a", "false")}, "false ?"},
		{"an end without a call", []string{end(2, "z", "true"), request(3, "a")}, "?"},
	} {
		s := transcriptOf(t, append([]string{types(1, "build it")}, c.lines...)...).Session
		var got []string
		for _, tool := range s.Turns[0].Tools {
			ok := "?"
			if tool.OK != nil {
				ok = fmt.Sprint(*tool.OK)
			}
			got = append(got, ok)
			expect.Is(t, tool.Detail, "make", c.name, "detail")
		}
		expect.Is(t, strings.Join(got, " "), c.want, c.name, "calls ended", got)
	}
}

func TestTranscriptReplayAddsNothing(t *testing.T) {
	replayed := func(second int, turn, text string) []string {
		return []string{event(second, "assistant.turn_start", `{"turnId":"`+turn+`.0"}`),
			event(second, "assistant.message", fmt.Sprintf(`{"content":%q,"toolRequests":[{"toolCallId":"r__vscode-%s","name":"create_file","arguments":"{\"filePath\":\"/w/%s.go\"}"}]}`, text, turn, turn)),
			event(second, "assistant.turn_end", `{"turnId":"`+turn+`.0"}`)}
	}
	history := slices.Concat([]string{types(1, "one")}, replayed(1, "0", "1"), []string{types(2, "continue")}, replayed(2, "1", "2"), []string{types(3, "continue")}, replayed(3, "2", "2"))
	live := []string{types(10, "four"), event(11, "assistant.turn_start", `{"turnId":"0"}`), says(12, "4")}
	want := "[one continue continue four]"

	s := transcriptOf(t, slices.Concat(history, live)...).Session
	expect.Is(t, fmt.Sprint(prompts(s)), want, "a replayed beginning makes")
	expect.Is(t, touchesIn(s), "created /w/0.go 0, created /w/1.go 1, created /w/2.go 2", "files")
}

func TestTranscriptDamage(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		turns            int
	}{
		{"bad line", types(1, "one") + "\n{\"type\":\n" + types(2, "two") + "\n", "1 line of the transcript could not be read", 2},
		{"no events", "[1]\n17\n" + types(2, "two") + "\n", "2 lines of the transcript could not be read", 1},
		{"torn tail waits", types(1, "one") + "\n" + strings.TrimSuffix(types(2, "two"), "}"), "", 1},
		{"a whole one without its end", types(1, "one") + "\n" + types(2, "two"), "", 2},
		{"behind a torn one", `{"type":"user.message","data":{"content":"lost` + types(2, "two") + "\n", "1 line of the transcript could not be read", 1},
		{"glued lines", types(1, "one") + types(2, "two") + "\n", "", 2},
		{"NUL bytes and a BOM", "\ufeff" + types(1, "one") + "\r\n\x00\x00\n", "", 1},
	} {
		path := filepath.Join(t.TempDir(), "t.jsonl")
		must(t, os.WriteFile(path, []byte(c.text), 0o600))
		s := readFile(t, path).Session
		if strings.Join(s.Damage, "; ") != c.want || len(s.Turns) != c.turns {
			t.Errorf("%s: %d turns, damage %q", c.name, len(s.Turns), s.Damage)
		}
	}
	if f := transcriptOf(t, event(1, "session.telescope", `{}`), types(2, "two")); f.Unknown["session.telescope"] != 1 || len(f.Session.Turns) != 1 {
		t.Errorf("unknown are %v", f.Unknown)
	}
}

func TestTranscriptPrompts(t *testing.T) {
	s := transcriptOf(t, types(1, "<context>\nToday.\n</context>\n<userRequest>\nfix it\n</userRequest>"),
		says(2, "a"), types(3, `@agent Continue: "Continue to iterate?"`), says(4, "b"),
		types(5, "left alone"), types(6, "last")).Session
	expect.Is(t, fmt.Sprintf("%q", prompts(s)), `["fix it" "left alone" "last"]`, "prompts")
	if s.Turns[0].Assistant != "a\n\nb" || s.Turns[1].Status != sources.Cancelled || s.Turns[2].Status != sources.Pending {
		t.Errorf("turns are %+v", s.Turns)
	}
}

func TestTranscriptCannotBeRead(t *testing.T) {
	if _, err := Transcript(context.Background(), t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Transcript(ctx, "testdata/transcript-whole.jsonl"); err == nil {
		t.Error("a cancelled context was not heard")
	}
}
