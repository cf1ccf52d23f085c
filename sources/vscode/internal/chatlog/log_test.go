package chatlog

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The worked example of the format notes.
const worked = `{"kind":0,"v":{"version":3,"creationDate":1000,"initialLocation":"panel","responderUsername":"GitHub Copilot","sessionId":"s1","hasPendingEdits":false,"requests":[],"pendingRequests":[],"inputState":{"mode":{"id":"agent","kind":"agent"},"inputText":"hi"}}}
{"kind":2,"k":["requests"],"v":[{"requestId":"request_1","timestamp":1001,"message":{"text":"hi","parts":[]},"response":[{"value":"Hel"}],"modelState":{"value":0}}]}
{"kind":1,"k":["inputState","inputText"],"v":""}
{"kind":2,"k":["requests",0,"response"],"v":[{"value":"Hello "},{"kind":"inlineReference","inlineReference":{"$mid":1,"path":"/a.go","scheme":"file"}},{"value":" done"}],"i":0}
{"kind":1,"k":["requests",0,"modelState"],"v":{"value":1,"completedAt":1050}}
{"kind":1,"k":["customTitle"],"v":"Greeting"}
{"kind":3,"k":["inputState"]}
`

// What VS Code's own tests of its log say, and what it throws at.
func TestReplay(t *testing.T) {
	const broken = "cannot be read: 1 line"
	for name, c := range map[string]struct {
		log     string
		ids     string
		damage  string // of the first line, empty: none
		partial bool
		rewound bool
	}{
		"pushes go on behind":        {log: initial("a") + push("b", "c"), ids: "a b c"},
		"truncated":                  {log: initial("a", "b", "c") + `{"kind":2,"k":["requests"],"i":1}` + "\n", ids: "a", rewound: true},
		"key mismatch, nothing lost": {log: initial("a", "c") + `{"kind":2,"k":["requests"],"i":1,"v":[` + asks("b", "c") + "]}\n", ids: "a b c"},
		"key mismatch, one lost":     {log: initial("a", "b") + `{"kind":2,"k":["requests"],"i":1,"v":[` + asks("c") + "]}\n", ids: "a c", rewound: true},
		"index at the end":           {log: initial("a") + `{"kind":2,"k":["requests"],"i":1,"v":[` + asks("b") + "]}\n", ids: "a b"},
		"index behind the end":       {log: initial("a") + `{"kind":2,"k":["requests"],"i":3,"v":[` + asks("b") + "]}\n", ids: "a - - b"},
		"index far behind the end":   {log: initial("a") + `{"kind":2,"k":["requests"],"i":2000000000}` + "\n" + push("b"), ids: "a b", damage: "changes what is not there"},
		"push without values":        {log: initial("a") + `{"kind":2,"k":["requests"]}` + "\n", ids: "a"},
		"push onto nothing":          {log: `{"kind":0,"v":{"version":3}}` + "\n" + push("a"), ids: "a"},
		"push onto null":             {log: `{"kind":0,"v":{"requests":null}}` + "\n" + push("a"), ids: "a"},
		"push onto text":             {log: `{"kind":0,"v":{"requests":"x"}}` + "\n" + push("a"), ids: "a"},
		"push of no array":           {log: initial("a") + `{"kind":2,"k":["requests"],"v":{"0":1}}` + "\n", ids: "a", damage: "is no entry"},
		"compaction":                 {log: initial("a") + push("b") + initial("a", "b") + push("c"), ids: "a b c"},
		"initial entry with others":  {log: initial("a", "b") + initial("a", "c"), ids: "a c", rewound: true},
		"set requests":               {log: initial("a", "b") + `{"kind":1,"k":["requests"],"v":[` + asks("a") + "]}\n", ids: "a", rewound: true},
		"set one request":            {log: initial("a", "b") + `{"kind":1,"k":["requests",1],"v":` + asks("b") + "}\n", ids: "a b"},
		"delete one request":         {log: initial("a", "b") + `{"kind":3,"k":["requests",0]}` + "\n", ids: "- b", rewound: true},
		"set without value":          {log: initial("a") + `{"kind":1,"k":["requests"]}` + "\n", ids: "", rewound: true},
		"empty path":                 {log: initial("a") + `{"kind":1,"k":[],"v":{"requests":[]}}` + "\n", ids: "a"},
		"value before path":          {log: initial("a") + `{"v":[` + asks("b") + `],"k":["requests"],"kind":2}` + "\n" + push("c"), ids: "a c", damage: "is no entry"},
		"value before kind 0":        {log: `{"v":{"requests":[` + asks("a") + `]},"kind":0}` + "\n" + push("b"), ids: "b", damage: "comes before", partial: true},
		"line endings of Windows":    {log: strings.ReplaceAll(initial("a")+push("b"), "\n", "\r\n"), ids: "a b"},
		"byte order mark":            {log: "\ufeff" + initial("a"), ids: "a"},
		"blank lines":                {log: "\n" + initial("a") + "\n\n \n" + push("b"), ids: "a b"},
		"last line without end":      {log: initial("a") + strings.TrimSpace(push("b")), ids: "a b"},
		"torn last line":             {log: initial("a") + push("b")[:40], ids: "a"},
		"zeros for a tail":           {log: initial("a") + strings.Repeat("\x00", 100), ids: "a"},
		"zeros before a line":        {log: initial("a") + strings.Repeat("\x00", 9000) + push("b"), ids: "a b"},
		"glued lines":                {log: initial("a") + strings.TrimSpace(push("b")) + push("c"), ids: "a b c"},
		"glued behind a torn line":   {log: initial("a") + push("x")[:40] + push("b") + push("c"), ids: "a b c", damage: broken},
		"torn within text":           {log: initial("a") + `{"kind":1,"k":["customTitle"],"v":"so` + push("b"), ids: "a b", damage: broken},
		"unreadable line":            {log: initial("a") + "{nonsense\n" + push("b"), ids: "a b", damage: broken},
		"no object":                  {log: initial("a") + "[1]\n17\n" + push("b"), ids: "a b", damage: "is no entry"},
		"missing parent":             {log: initial("a") + `{"kind":1,"k":["requests",7,"response"],"v":[]}` + "\n", ids: "a - - - - - - "},
		"missing start":              {log: push("a") + `{"kind":1,"k":["requests",1,"requestId"],"v":"b"}` + "\n", ids: "a b", damage: "comes before", partial: true},
		"missing start, then whole":  {log: push("x") + initial("a"), ids: "a", damage: "comes before", rewound: true},
		"initial entry torn":         {log: initial("a", "b", "c")[:300], ids: "a b", damage: "the chat cannot be read behind request 2", partial: true},
		"initial entry unreadable":   {log: initial("a", "b")[:300] + "}\n" + push("c"), ids: "a b c", damage: broken, partial: true},
		"fault in a request":         {log: strings.Replace(initial("a", "b", "c"), `say b"`, `say b""`, 1) + push("d"), ids: "a b d", damage: broken, partial: true},
		"fault in the first":         {log: strings.Replace(initial("a", "b"), `{"requestId":"a"`, `{`, 1) + push("d"), ids: " d", damage: broken, partial: true},
		"lost push, then its answer": {log: initial("a") + "{\n" + `{"kind":2,"k":["requests",1,"response"],"v":[{"value":"x"}],"i":0}` + "\n" + push("c"), ids: "a  c", damage: broken},
		"lost push, then another":    {log: initial("a") + "{\n" + push("c") + `{"kind":2,"k":["requests",2,"response"],"v":[]}` + "\n", ids: "a c ", damage: broken},
		"two lost":                   {log: initial("a") + "{\n{\n" + push("c") + `{"kind":2,"k":["requests"],"i":4,"v":[` + asks("d") + "]}\n", ids: "a c - - d", damage: "cannot be read: 2 lines"},
		"a name as index":            {log: initial("a") + `{"kind":1,"k":["requests","0"],"v":1}` + "\n", ids: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			f := readText(t, c.log)
			expect.Is(t, ids(f.State), c.ids, "requests")
			expect.Is(t, f.Torn, (name == "initial entry torn"), "torn")
			if f.Whole == c.partial || f.Rewound != c.rewound {
				t.Errorf("whole %v, rewound %v", f.Whole, f.Rewound)
			}
			if got := strings.Join(f.Damage, "; "); c.damage == "" && got != "" || !strings.HasPrefix(got, c.damage) {
				t.Errorf("damage %q, want %q", got, c.damage)
			}
		})
	}
}

func TestUnknownMutationsAreCounted(t *testing.T) {
	f := readText(t, initial("a")+`{"kind":7,"k":["requests",0],"v":{"x":1}}`+"\n"+`{"k":["requests",0]}`+"\n"+push("b"))
	if ids(f.State) != "a b" || f.Unknown["mutation kind 7"] != 1 || f.Unknown["mutation without kind"] != 1 {
		t.Errorf("%s %v", ids(f.State), f.Unknown)
	}
}

func TestNothingToRead(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "zeros": "\x00\x00\x00", "torn": `{"kind":0,"v":{"req`, "no log": "hello\n"} {
		f := readText(t, text)
		if (f.State != nil) != (name == "torn") || f.Whole || (len(f.Damage) > 0) != (text != "") {
			t.Errorf("%s: %s %v %q", name, dump(f.State), f.Whole, f.Damage)
		}
	}
	if _, err := Read(t.Context(), "no such file", false); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, write(t, "s.jsonl", worked), false); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
