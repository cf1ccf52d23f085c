package chat

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// FuzzConvert holds that no session makes a panic, that offsets lie in their
// text and that turns are numbered in order; and that converting again gives
// the same.
func FuzzConvert(f *testing.F) {
	f.Add(sessionOf(ask(1, "a", "b", `"variableData":{"variables":{"a":[{"value":"x"}]}}`), ask(2, "@agent Try Again", "c", `"confirmation":"x"`)))
	f.Add(`{"requests":[{"message":[],"response":{"kind":[]}},{"message":null,"response":"x","modelState":3},[],1,null]}`)
	f.Add(`{"requests":[{"message":"m","timestamp":1e300,"elapsedMs":-1,"variableData":{"variables":[{"kind":"image","value":{"base64":"*"}}]}}]}`)
	f.Fuzz(func(t *testing.T, state string) {
		d := decode.New(strings.NewReader(state))
		d.Large = true
		n := &chatlog.Session{}
		err := d.Read(n)
		if err != nil {
			return
		}
		got := convertState(n)
		for i, turn := range got.Session.Turns {
			if turn.Index != i {
				t.Errorf("turn %d has the index %d", i, turn.Index)
			}
			for j, tool := range turn.Tools {
				if tool.After < 0 || tool.After > len(turn.Assistant) || tool.After < len(turn.Assistant) && !utf8.RuneStart(turn.Assistant[tool.After]) {
					t.Errorf("call %d of turn %d stands at %d in %q", j, i, tool.After, turn.Assistant)
				}
			}
		}
		for _, file := range got.Session.Files {
			if file.Turn < 0 || file.Turn >= len(got.Session.Turns) || file.Path == "" {
				t.Errorf("file %+v", file)
			}
		}
		a, err := json.Marshal(got)
		must(t, err)
		if b, _ := json.Marshal(convertState(n)); string(a) != string(b) {
			t.Errorf("converted twice:\n%s\n%s", a, b)
		}
	})
}
