package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

const testID = "0b0f7a52-3c1e-4a53-9d59-6a1f4f7f0e01"

func parse(t testing.TB, text string, large bool) *chatlog.Session {
	t.Helper()
	d := decode.New(strings.NewReader(text))
	d.Large = large
	s := &chatlog.Session{}
	err := d.Read(s)
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return s
}

// sessionOf is a session with these requests.
func sessionOf(requests ...string) string {
	return fmt.Sprintf(`{"version":3,"sessionId":%q,"creationDate":1794216000000,"requests":[%s]}`, testID, strings.Join(requests, ","))
}

// ask is a finished request with further members.
func ask(n int, text, answer, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"requestId":"request_%d","timestamp":%d,"message":{"text":%q},"response":[{"value":%q}],"modelState":{"value":1,"completedAt":%d}%s}`,
		n, 1794216000000+n*60000, text, answer, 1794216030000+n*60000, more)
}

// converted is what a session comes to.
type converted struct {
	Session *sources.Session
	Unknown map[string]int
}

func convert(t testing.TB, state string) converted {
	t.Helper()
	return convertState(parse(t, state, false))
}

func convertState(state *chatlog.Session) converted {
	s, unknown := Convert(state, "", sources.Place{Guessed: true})
	return converted{s, unknown}
}

// one converts a session of one request and gives its turn.
func one(t testing.TB, request string) sources.Turn {
	t.Helper()
	got := convert(t, sessionOf(request))
	if len(got.Session.Turns) != 1 {
		t.Fatalf("%d turns of %s", len(got.Session.Turns), request)
	}
	return got.Session.Turns[0]
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	must(t, err)
	return string(b)
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
