package claudecode

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/sourcetest"
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
		sourcetest.Consistent(t, once)
	})
}
