package eventlog

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

const legacyDocument = `{"sessionId":"` + testID + `","startTime":"2025-10-08T21:10:16.398Z","selectedModel":"claude-sonnet-4",
"chatMessages":[{"role":"user","content":"Ignored, the timeline has it"}],"timeline":[
{"type":"info","text":"Logged in","timestamp":"2025-10-08T21:10:17Z"},
{"id":"u1","type":"user","text":"Add a server","timestamp":"2025-10-08T21:10:20Z"},
{"type":"copilot","text":"I look first.","timestamp":"2025-10-08T21:10:21Z"},
{"type":"tool_call_requested","callId":"c1","name":"bash","arguments":{"command":"git commit -m x"},"timestamp":"2025-10-08T21:10:22Z"},
{"type":"tool_call_completed","callId":"c1","name":"bash","arguments":{"command":"git commit -m x"},"result":{"type":"success","log":"[main abc1234] Server"},"timestamp":"2025-10-08T21:10:23Z"},
{"type":"tool_call_completed","callId":"c2","toolTitle":"str_replace_editor","arguments":{"command":"create","path":"/p/s.go"},"result":{"type":"failure"},"timestamp":"2025-10-08T21:10:24Z"},
{"type":"copilot","text":"Done.","timestamp":"2025-10-08T21:10:25Z"},
{"type":"user","text":"And now?","timestamp":"2025-10-08T21:11:00Z"},
{"type":"error","text":"Quota"}, null, 3]}`

func readLegacyText(t *testing.T, text string) (Reading, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session_x_1.json")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return Read(context.Background(), path, "")
}

func TestLegacyTimeline(t *testing.T) {
	r, err := readLegacyText(t, legacyDocument)
	must(t, err)
	want := `{"id":"` + testID + `","place":{},"models":["claude-sonnet-4"],
"created":"2025-10-08T21:10:16.398Z","updated":"2025-10-08T21:11:00Z","whole":true,"turns":[
{"index":0,"id":"u1","at":"2025-10-08T21:10:20Z","end":"2025-10-08T21:10:25Z","user":"Add a server","assistant":"I look first.\n\nDone.","last":15,
"model":"claude-sonnet-4","status":"complete","tools":[{"name":"bash","kind":"run","detail":"git commit -m x","ok":true,"command":"git commit -m x","after":13},
{"name":"str_replace_editor","kind":"create","detail":"/p/s.go","ok":false,"after":13}]},
{"index":1,"at":"2025-10-08T21:11:00Z","user":"And now?","assistant":"","model":"claude-sonnet-4","status":"failed","error":"Quota"}],
"refs":[{"type":"commit","value":"abc1234","text":"Server","turn":0,"at":"2025-10-08T21:10:20Z"}]}`
	if g, w := asJSON(t, r.Session), indented(t, want); g != w {
		t.Errorf("%s\n%s", firstDifference(g, w), g)
	}
}

func TestLegacyMessages(t *testing.T) {
	r, err := readLegacyText(t, `{"sessionId":"s","startTime":"2025-10-08T21:10:16Z","chatMessages":[{"role":"system","content":"no"},
{"role":"user","content":"<current_datetime>x</current_datetime>\n\nPlease"},
{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"str_replace_editor","arguments":"{\"command\":\"view\",\"path\":\"/x\"}"}}]},
{"role":"tool","tool_call_id":"c","content":"file"},{"role":"assistant","content":[{"type":"text","text":"Sure"}]}]}`)
	must(t, err)
	want := `{"id":"s","place":{},"created":"2025-10-08T21:10:16Z","updated":"2025-10-08T21:10:16Z","whole":true,
"turns":[{"index":0,"at":"2025-10-08T21:10:16Z","end":"2025-10-08T21:10:16Z","user":"Please","assistant":"Sure","status":"complete",
"tools":[{"name":"str_replace_editor","kind":"read","detail":"/x","after":0}]}],
"files":[{"path":"/x","kind":"viewed","tool":"str_replace_editor","turn":0,"at":"2025-10-08T21:10:16Z"}]}`
	if g, w := asJSON(t, r.Session), indented(t, want); g != w {
		t.Errorf("%s\n%s", firstDifference(g, w), g)
	}
}

func TestLegacyThatIsNone(t *testing.T) {
	for _, text := range []string{"", "null", "[]", `{"sessionId":"x"`} {
		if _, err := readLegacyText(t, text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// FuzzDocuments reads arbitrary files that are one document each.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte(`{"sessionId":"x","startTime":"2026-01-01T00:00:00Z","timeline":[{"type":"user","text":"hi"}],"chatMessages":[{"role":"user","content":"hi"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		path := filepath.Join(t.TempDir(), "session_x_1.json")
		must(t, os.WriteFile(path, body, 0o600))
		if r, err := Read(t.Context(), path, ""); err == nil {
			for _, turn := range r.Session.Turns {
				if !utf8.ValidString(turn.User) || !utf8.ValidString(turn.Assistant) {
					t.Errorf("%+v", turn)
				}
			}
		}
	})
}
