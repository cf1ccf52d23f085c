package eventlog

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// readBytes reads a log of these bytes, written in place.
func readBytes(t testing.TB, path string, body []byte, id string) *sources.Session {
	t.Helper()
	must(t, os.WriteFile(path, body, 0o600))
	r, err := Read(context.Background(), path, id)
	must(t, err)
	return r.Session
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer"
}

// Wherever a log is cut, nothing of a torn line is believed. One that lacks its end alone is whole.
func TestCutAtEveryByte(t *testing.T) {
	body := []byte(strings.Join(oneLineEvents(
		startEvent(),
		ev("user.message", 1, `{"content":"Füge é hinzu","attachments":[{"type":"file","path":"/home/ada/src/app/a.go"}]}`),
		ev("hook.start", 2, `{"input":"x"}`),
		ev("assistant.message", 3, `{"content":"","toolRequests":[{"toolCallId":"c1","name":"create","arguments":{"path":"/home/ada/src/app/b.go"}}]}`),
		ev("tool.execution_complete", 4, `{"toolCallId":"c1","success":true}`),
		ev("assistant.message", 5, `{"content":"Done.","apiCallId":"m","chunkIndex":0,"chunkCount":2}`),
		ev("assistant.message", 6, `{"content":" All.","apiCallId":"m","chunkIndex":1,"chunkCount":2}`),
		ev("session.compaction_complete", 7, `{"success":true,"summaryContent":"<overview>\nx\n</overview>"}`),
	), "\n") + "\n")
	path := filepath.Join(t.TempDir(), "events.jsonl")
	whole := readBytes(t, path, body, testID)
	if len(whole.Turns) != 1 || whole.Turns[0].Assistant != "Done. All." || len(whole.Files) != 2 {
		t.Fatalf("the log does not show what it should: %s", asJSON(t, whole))
	}
	before := map[int]string{} // what is read of the lines up to a byte
	for at := range body {
		cut := readBytes(t, path, body[:at], testID)
		end := strings.LastIndexByte(string(body[:at]), '\n') + 1
		if body[at] == '\n' {
			end = at + 1
		}
		if before[end] == "" {
			before[end] = asJSON(t, readBytes(t, path, body[:end], testID))
		}
		if len(cut.Damage) > 0 || asJSON(t, cut) != before[end] {
			t.Fatalf("cut at byte %d: %s", at, asJSON(t, cut))
		}
	}
}

// A log of any bytes is read, and what stands in front of a torn line is all of it.
func FuzzReadLog(f *testing.F) {
	for _, path := range expect.Value(filepath.Glob("testdata/log-*.jsonl"))(f) {
		body := expect.Value(os.ReadFile(path))(f)
		f.Add(body[:min(len(body), 4000)], uint16(700))
	}
	f.Add([]byte(startEvent()+"\n"+ev("user.message", 1, `{"content":"a"}`)+"\n\x00\x00\n{}\n[]\n"), uint16(20))
	f.Add([]byte(`{"type":"user.message","data":{"content":"a"},"id":"e","timestamp":"9999-12-31T23:59:59-23:00"}`+"\n"), uint16(20))
	f.Add([]byte(`{"type":"user.message","data":{"content":"a"},"id":"e","timestamp":4503599627370496}`+"\n"), uint16(20))
	f.Fuzz(func(t *testing.T, body []byte, at uint16) {
		path := filepath.Join(t.TempDir(), "events.jsonl")
		asJSON(t, readBytes(t, path, body, testID)) // a year above 9999 cannot be written
		cut := body[:min(int(at), len(body))]
		lines := cut[:strings.LastIndexByte(string(cut), '\n')+1]
		got, want := asJSON(t, readBytes(t, path, cut, testID)), asJSON(t, readBytes(t, path, lines, testID))
		if got != want && got != asJSON(t, readBytes(t, path, append(slices.Clone(cut), '\n'), testID)) { // else it lacks its end alone
			t.Fatal(firstDifference(got, want))
		}
	})
}

// indented writes JSON the way asJSON does.
func indented(t testing.TB, text string) string {
	t.Helper()
	var s sources.Session
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	must(t, d.Decode(&s))
	return asJSON(t, s)
}
