package chatlog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// plain is a node as encoding/json would give it.
func plain(n *tree.Node) any {
	switch n.Kind() {
	case tree.Object:
		m := map[string]any{}
		for name, v := range n.Members() {
			m[name] = plain(v)
		}
		return m
	case tree.Array:
		a := []any{}
		for _, v := range n.Items() {
			a = append(a, plain(v))
		}
		return a
	case tree.String:
		return n.Text()
	case tree.Number:
		v, _ := n.Int()
		return v
	case tree.True, tree.False:
		return n.Kind() == tree.True
	}
	return nil
}

// dump is a node as JSON with sorted members.
func dump(n *tree.Node) string { return encode(plain(n)) }

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
	n, err := DecodeDocument(strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readText(t testing.TB, log string) File {
	t.Helper()
	f, err := ReadLog(t.Context(), write(t, "s.jsonl", log), Options{})
	if err != nil {
		t.Fatal(err)
	}
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
func ids(n *tree.Node) string {
	var all []string
	for _, r := range n.Get("requests").Items() {
		id := r.Get("requestId").Text()
		if !r.Has() {
			id = "-"
		}
		all = append(all, id)
	}
	return strings.Join(all, " ")
}
