package chatlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readDoc(t testing.TB, text string) (File, error) {
	t.Helper()
	return Read(t.Context(), write(t, "s.json", text), false)
}

// answer are the texts of the first request's answer.
func answer(f File) string {
	var all []string
	for _, p := range f.State.Requests[0].Response.Parts {
		all = append(all, p.Kind)
		if p.Value != nil {
			all[len(all)-1] += p.Value.Value
		}
	}
	return strings.Join(all, "|")
}

func TestReadDocument(t *testing.T) {
	whole := "{\n  \"version\": 3,\n  \"requests\": [" + asks("a", "b") + "],\n  \"customTitle\": \"T\"\n}\n"
	for name, c := range map[string]struct {
		text, ids, damage string
		partial           bool
	}{
		"pretty":                  {whole, "a b", "", false},
		"line endings of Windows": {strings.ReplaceAll(whole, "\n", "\r\n"), "a b", "", false},
		"byte order mark":         {"\ufeff" + whole, "a b", "", false},
		"zeros behind":            {whole + "\x00\x00\x00", "a b", "", false},
		"torn in a request":       {whole[:len(whole)-60], "a b", "the chat cannot be read behind request 2", true},
		"torn behind them":        {whole[:len(whole)-12], "a b", "the chat cannot be read behind request 2", true},
		"fault in a request":      {strings.Replace(whole, `"say a"`, "say", 1), "a", "the chat cannot be read behind request 1", true},
		"fault in the last":       {strings.Replace(whole, `"say b"`, `say "b`, 1), "a b", "the chat cannot be read behind request 2", true},
		"quotes do not match":     {strings.Replace(whole, `"say a"`, `say "a`, 1), "a", "the chat cannot be read behind request 1", true},
		"fault in a pretty one":   {strings.Replace(whole, `"say a"`, "say \"a\n", 1), "a", "the chat cannot be read behind request 1", true},
		"fault behind them":       {strings.Replace(whole, `"customTitle"`, "oops", 1), "a b", "the chat cannot be read behind request 2", true},
		"two":                     {whole + whole, "a b", "is no entry", false},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := readDoc(t, c.text)
			must(t, err)
			if f.Torn != strings.HasPrefix(name, "torn") {
				t.Errorf("torn %v", f.Torn)
			}
			if got := ids(f.State); got != c.ids || f.Whole == c.partial {
				t.Errorf("%q, whole %v", got, f.Whole)
			}
			if got := strings.Join(f.Damage, "; "); c.damage == "" && got != "" || !strings.HasPrefix(got, c.damage) {
				t.Errorf("damage %q", got)
			}
		})
	}
	for _, text := range []string{"", "[]", "hello", "\x00\x00", "{", "17", "{}", `{"responderUsername":"x"}`} {
		f, err := readDoc(t, text)
		if err != nil || f.State != nil || f.Whole || len(f.Damage) > 1 {
			t.Errorf("%q: %s, whole %v, damage %q, %v", text, dump(f.State), f.Whole, f.Damage, err)
		}
	}
}

// Most session files have no request.
func TestEdgeCase1EmptySession(t *testing.T) {
	const empty = `{"version":3,"sessionId":"e","creationDate":5,"requests":[]}`
	f, err := readDoc(t, empty)
	if err != nil || dump(f.State) != `{"sessionId":"e","creationDate":5,"requests":[]}` || !f.Whole {
		t.Errorf("%+v, %v", f, err)
	}
	if f := readText(t, `{"kind":0,"v":`+empty+"}\n"); len(f.State.Requests) != 0 || !f.Whole || len(f.Damage) > 0 {
		t.Errorf("%+v", f)
	}
}

// A push with an index replaces, it does not append.
func TestEdgeCase9PushWithIndexReplaces(t *testing.T) {
	f := readText(t, initial("a")+`{"kind":2,"k":["requests",0,"response"],"v":[{"value":"say a, and more"}],"i":0}`+"\n")
	if got := answer(f); got != "say a, and more" {
		t.Error(got)
	}
}

// The parts come in pushes and the result later.
func TestEdgeCase10LateMembers(t *testing.T) {
	f := readText(t, `{"kind":0,"v":{"version":3,"responderUsername":"","requests":[]}}`+"\n"+push("a")+
		`{"kind":1,"k":["responderUsername"],"v":"GitHub Copilot"}`+"\n"+
		`{"kind":2,"k":["requests",0,"response"],"v":[{"value":" more"}]}`+"\n"+
		`{"kind":1,"k":["requests",0,"followups"],"v":[]}`+"\n"+
		`{"kind":1,"k":["requests",0,"completionTokens"],"v":7}`+"\n"+
		`{"kind":1,"k":["requests",0,"elapsedMs"],"v":8}`+"\n"+
		`{"kind":1,"k":["customTitle"],"v":"Late"}`+"\n")
	r := f.State.Requests[0]
	if answer(f) != "say a| more" || r.CompletionTokens != 7 || r.ElapsedMS != 8 || f.State.CustomTitle != "Late" || len(f.Damage) > 0 {
		t.Error(dump(f.State), f.Damage)
	}
}

// Requests of another schema, and a file with none.
func TestEdgeCase24Impostor(t *testing.T) {
	f, err := readDoc(t, `{"version":3,"requests":[{"timestamp":1,"prompt":"p","completion":"c"}],"sessionId":"s"}`)
	if err != nil || dump(f.State) != `{"sessionId":"s","requests":[{"timestamp":1}]}` {
		t.Errorf("%s, %v", dump(f.State), err)
	}
	if f, err := readDoc(t, `{"requests":[1,null,"x",[]]}`); err != nil || !f.Whole {
		t.Errorf("%s, %v", dump(f.State), err)
	}
}

func TestNoSuchDocument(t *testing.T) {
	if _, err := Read(t.Context(), filepath.Join(t.TempDir(), "x.json"), false); !os.IsNotExist(err) {
		t.Error(err)
	}
}
