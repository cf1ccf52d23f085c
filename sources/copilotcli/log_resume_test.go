package copilotcli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// An unchanged log is not opened, one that was rewritten is read whole.
func TestWhatIsReadAgain(t *testing.T) {
	bulk := strings.Repeat(ev("hook.start", 40, `{"input":"x"}`)+"\n", 100) // keeps the middle away from both probes
	body := append(append([]byte(bulk), busyLog()...), bulk...)
	path := filepath.Join(t.TempDir(), "events.jsonl")
	first := readBytes(t, path, body, testID, nil)
	again, err := readLog(context.Background(), path, testID, keep(t, first, first, false))
	if err != nil || !again.Same || again.Session != nil || again.BytesRead != 0 {
		t.Errorf("unchanged: same %v, %d bytes, %v", again.Same, again.BytesRead, err)
	}
	noise := append(body[:len(body):len(body)], []byte(ev("hook.end", 50, `{}`)+"\n")...)
	if r := readBytes(t, path, noise, testID, keep(t, first, first, false)); !r.Same || r.BytesRead > 20_000 {
		t.Errorf("only a hook was added: same %v, %d bytes", r.Same, r.BytesRead)
	}
	lost := keep(t, first, first, false)
	lost.Session = func() (*sources.Session, error) { return &sources.Session{ID: testID}, nil }
	grown := append(body[:len(body):len(body)], []byte(ev("assistant.message", 51, `{"content":"More"}`)+"\n")...)
	if r := readBytes(t, path, grown, testID, lost); len(r.Session.Turns) != 2 {
		t.Errorf("read on with a kept session that is another: %s", asJSON(t, r.Session))
	}
	for name, changed := range map[string][]byte{
		"other end and longer":           append(body[:len(body)-20:len(body)-20], []byte("\"rewritten\":1}}\n{}\n{}\n")...),
		"shrunk":                         body[:len(body)/2],
		"other beginning":                append([]byte(strings.Replace(bulk, "input", "outpt", 1)), grown[len(bulk):]...),
		"other in the middle and longer": []byte(strings.Replace(string(body), "Steering", "Steered another way", 1)),
		"same length":                    []byte(strings.Replace(string(body), "Steering", "Rowing !", 1)),
	} {
		readBytes(t, path, body, testID, nil)
		want := readBytes(t, filepath.Join(t.TempDir(), "events.jsonl"), changed, testID, nil)
		got := readBytes(t, path, changed, testID, keep(t, first, first, false))
		if got.Same || asJSON(t, got.Session) != asJSON(t, want.Session) {
			t.Errorf("%s: not read whole", name)
		}
	}
}
