package chatlog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	json2 "github.com/go-json-experiment/json"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// dump is what is kept of a value as JSON, without what is zero.
func dump(v any) string {
	b, err := json2.Marshal(v, json2.OmitZeroStructFields(true), json2.Deterministic(true), json2.WithMarshalers(json2.JoinMarshalers(
		json2.MarshalFunc(func(u editor.URI) ([]byte, error) { return json.Marshal(u.String()) }),
		json2.MarshalFunc(func(s decode.Scalar) ([]byte, error) { return json.Marshal(string(rune(s.Kind)) + s.Text) }),
		json2.MarshalFunc(members[editor.URI]),
		json2.MarshalFunc(members[Answer]),
	)))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func members[V any](t decode.Table[V]) ([]byte, error) {
	m := map[string]json.RawMessage{}
	for name, v := range t.All() {
		m[name] = json.RawMessage(dump(v))
	}
	return json.Marshal(m)
}

func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// kept is a session's text as it is kept, as JSON with sorted members.
func kept(t testing.TB, text string) string {
	t.Helper()
	n := &Session{}
	must(t, decode.Text(text, n))
	return dump(n)
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	put(t, path, text)
	return path
}

func put(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func readText(t testing.TB, log string) File {
	t.Helper()
	f := expect.Value(Read(t.Context(), write(t, "s.jsonl", log), false))(t)
	return f
}

// initial is an initial entry with requests of these ids.
func initial(ids ...string) string {
	return `{"kind":0,"v":{"version":3,"sessionId":"s1","requests":[` + asks(ids...) + `]}}` + "\n"
}

func push(ids ...string) string { return `{"kind":2,"k":["requests"],"v":[` + asks(ids...) + "]}\n" }

func asks(ids ...string) string {
	var all []string
	for _, id := range ids {
		all = append(all, `{"requestId":"`+id+`","message":{"text":"ask `+id+`"},"response":[{"value":"say `+id+
			`"}],"modeInfo":{"kind":"agent"},"modelId":"copilot/m","modelState":{"value":1}}`)
	}
	return strings.Join(all, ",")
}

// ids are those of the requests, "-" for null.
func ids(s *Session) string {
	if s == nil {
		return ""
	}
	var all []string
	for _, r := range s.Requests {
		if r == nil {
			r = &Request{RequestID: "-"}
		}
		all = append(all, r.RequestID)
	}
	return strings.Join(all, " ")
}

var must = expect.OK
