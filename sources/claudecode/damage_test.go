package claudecode

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

func TestDamageLeavesTheRest(t *testing.T) {
	l := newLog().typed("u1", "", "first").said("a1", "u1", "one").typed("u2", "a1", "second").said("a2", "u2", "two")
	text := func(line int, change func(string) string) string {
		lines := append([]string(nil), l.lines...)
		lines[line] = change(lines[line])
		return strings.Join(lines, "\n") + "\n"
	}
	const all = "first > one | second > two"
	for name, c := range map[string]struct {
		text, want string
		damage     int
	}{
		"whole":                    {text(0, func(s string) string { return s }), all, 0},
		"cut in the middle":        {text(1, func(s string) string { return s[:len(s)/2] }), "first >  | second > two", 1},
		"a torn tail":              {strings.TrimSuffix(text(0, func(s string) string { return s }), "}\n"), "first > one | second > ", 0},
		"NUL bytes":                {text(1, func(s string) string { return "\x00\x00\x00" + s }), all, 0},
		"nothing but NUL bytes":    {text(3, func(s string) string { return s + "\n\x00\x00" }), all, 0},
		"a byte order mark":        {text(0, func(s string) string { return "\xef\xbb\xbf" + s }), all, 0},
		"carriage returns":         {text(0, func(s string) string { return s + "\r" }), all, 0},
		"two records in a line":    {text(0, func(s string) string { return s + l.lines[1] }), all, 0},
		"a line twice":             {text(1, func(s string) string { return s + "\n" + s }), all, 0},
		"no record":                {text(1, func(s string) string { return s + "\n[1]\n\"x\"\n{}" }), all, 3},
		"another type of value":    {text(1, func(s string) string { return strings.Replace(s, `"cwd":"/home/dev/src/widget"`, `"cwd":[7]`, 1) }), all, 0},
		"the year 9999":            {text(1, func(s string) string { return strings.Replace(s, "2026-", "9999-", 1) }), all, 0},
		"an unknown type":          {text(1, func(s string) string { return s + "\n" + `{"type":"dream","x":1}` }), all, 0},
		"blank lines":              {text(1, func(s string) string { return s + "\n\n  " }), all, 0},
		"a line of its own parent": {text(2, func(s string) string { return strings.Replace(s, `"parentUuid":"a1"`, `"parentUuid":"u2"`, 1) }), all, 0},
	} {
		s, in := parse(t, c.text, 0)
		if got := turns(s); got != c.want || in.Bad != c.damage || len(s.Damage) != min(c.damage, 1) {
			t.Errorf("%s: %s with %d lines damaged, told %q", name, got, in.Bad, s.Damage)
		}
	}
	if _, in := parse(t, text(1, func(s string) string {
		return s + "\n" + `{"type":"dream","x":1}` + "\n" + `{"x":1,"type":"nightmare"}`
	}), 0); !reflect.DeepEqual(in.Unknown, map[string]int{"dream": 1, "nightmare": 1}) {
		t.Errorf("unknown: %v", in.Unknown)
	}
	long := newLog().typed("u1", "", "first").said("a1", "u1", strings.Repeat("x", 5000)).typed("u2", "a1", "second")
	if s, in := parse(t, strings.Join(long.lines, "\n")+"\n", 4000); turns(s) != "first >  | second > " || len(s.Damage) != 1 || in.Records != 3 {
		t.Errorf("a long line: %s, %q, %d records", turns(s), s.Damage, in.Records)
	}
}

// A line that is passed over by its beginning is one of which nothing is taken.
func TestNothingIsPassedOver(t *testing.T) {
	logs, err := filepath.Glob("testdata/home/projects/*/*.jsonl")
	if err != nil || len(logs) < 20 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	passed := 0
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if tells(t, line) {
				passed++
			}
		}
	}
	if passed < 400 {
		t.Errorf("only %d lines are passed over", passed)
	}
}

// tells demands that a line is passed over only if nothing is taken of it, and reports
// whether it is.
func tells(t *testing.T, line []byte) bool {
	line = bytes.TrimSuffix(line, []byte("\n"))
	head := line[:min(len(line), 4<<10)]
	unknown, pass := passable(head)
	if !pass {
		return false
	}
	var r record
	if decode.Text(string(line), &r) != nil {
		return true // a damaged one of a type that tells nothing
	}
	if r.Type == "attachment" && r.Attachment.Type != queuedCommand {
		return true
	}
	if taken[r.Type] || (unknown == "") != known[r.Type] {
		t.Errorf("a line of type %q is passed over, unknown %q: %.300s", r.Type, unknown, line)
	}
	return true
}

func FuzzPassable(f *testing.F) {
	f.Add([]byte(`{"type":"mode","mode":"normal"}`))
	f.Add([]byte(`{"parentUuid":null,"isSidechain":false,"attachment":{"type":"date"},"type":"attachment","uuid":"u"}`))
	f.Add([]byte(`{"parentUuid":null,"message":{"content":"\"attachment\":{\"type\":\"x\""},"type":"user"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		// A text is escaped, wherever it stands: no words of it make the line pass.
		text, err := json.Marshal(string(line))
		if err != nil {
			t.Fatal(err)
		}
		own := append(append([]byte(`{"parentUuid":null,"cwd":`), text...), `,"type":"user","message":{"content":"x"}}`...)
		if _, pass := passable(own); pass {
			t.Errorf("passed over: %s", own)
		}
	})
}

func FuzzTranscript(f *testing.F) {
	l := newLog().typed("u1", "", "first").call("1", "u1", "TaskCreate", map[string]any{"subject": "x"}, "ok", false, map[string]any{"toolUseResult": map[string]any{"task": map[string]any{"id": "1"}}}).
		typed("u2", "r1", "second").typed("u3", "r1", "third").tree("system", "s", "", map[string]any{"subtype": "compact_boundary"}).
		user("k", "s", "Summary:\n1. Current Work:\n   x", map[string]any{"isCompactSummary": true})
	f.Add([]byte(strings.Join(l.lines, "\n") + "\n"))
	f.Add([]byte(`{"type":"queue-operation","operation":"enqueue","content":"x"}` + "\n"))
	f.Add([]byte(`{"type":"user","uuid":"a","isSidechain":true,"message":{"content":[{"type":"tool_use","id":"1","name":"Task"}]}}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		once, _ := parse(t, string(text), 0)
		again, _ := parse(t, string(text), 0)
		if !reflect.DeepEqual(once, again) {
			t.Fatal("read twice it differs")
		}
		for i, turn := range once.Turns {
			if turn.Index != i {
				t.Fatalf("turn %d has the index %d", i, turn.Index)
			}
			for _, tool := range turn.Tools {
				if tool.After < 0 || tool.After > len(turn.Assistant) {
					t.Fatalf("a call stands at %d of %d", tool.After, len(turn.Assistant))
				}
			}
		}
		for _, a := range once.Actions {
			if a.Turn < -1 || a.Turn >= len(once.Turns) {
				t.Fatalf("an action at turn %d of %d", a.Turn, len(once.Turns))
			}
		}
		for _, file := range once.Files {
			if file.Turn < -1 || file.Turn >= len(once.Turns) {
				t.Fatalf("a file at turn %d of %d", file.Turn, len(once.Turns))
			}
		}
	})
}

func FuzzPrompts(f *testing.F) {
	f.Add([]byte(`{"display":"x [Pasted text #1 +8 lines]","pastedContents":{"1":{"content":"y"}},"timestamp":1,"sessionId":"3f0d5a10-77a1-4b0e-8f5d-0a6f1f3e2b05"}` + "\n"))
	f.Add([]byte("{\"display\":7}\n\x00\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l := newPromptList(nil)
		if err := l.Read(context.Background(), bytes.NewReader(text), 0); err != nil {
			t.Fatal(err)
		}
		for _, id := range l.order {
			for i, turn := range l.sessions[id].Turns {
				if turn.Index != i || turn.User == "" {
					t.Fatalf("turn %d: %+v", i, turn)
				}
			}
		}
	})
}

func TestUnpastedKeepsTheRest(t *testing.T) {
	for _, text := range []string{"", "plain", "<pasted_content id=\"\">", "<pasted_content id=\"a\"></pasted_content id=\"b\">"} {
		if got := unpasted(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
