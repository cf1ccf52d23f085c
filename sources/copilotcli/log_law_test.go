package copilotcli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// keep returns what is kept of a reading until the next: cursor and session, by
// way of JSON as in the ledger, each text replaced by an opaque one where asked.
func keep(t testing.TB, r, before logReading, masked bool) *logPrior {
	t.Helper()
	if r.Same {
		r.Session = before.Session
	}
	b, err := json.Marshal(r.Session)
	if err != nil {
		t.Fatal(err)
	}
	return &logPrior{Cursor: r.Cursor, Session: func() (*sources.Session, error) {
		var s *sources.Session
		if err := json.Unmarshal(b, &s); err != nil {
			return nil, err
		}
		if masked {
			mask(s)
		}
		return s, nil
	}}
}

// mask replaces the text of a session by one of the same length.
func mask(s *sources.Session) {
	hide := func(texts ...*string) {
		for _, text := range texts {
			*text = strings.Repeat("x", len(*text))
		}
	}
	hide(&s.Summary)
	for i := range s.Turns {
		t := &s.Turns[i]
		hide(&t.User, &t.Assistant, &t.Error)
		for j := range t.Tools {
			hide(&t.Tools[j].Detail)
		}
		for j := range t.Attachments {
			hide(&t.Attachments[j].Name)
		}
	}
	for i := range s.Checkpoints {
		c := &s.Checkpoints[i]
		hide(&c.Title, &c.Overview, &c.History, &c.WorkDone, &c.Technical, &c.Important, &c.NextSteps, &c.Raw)
	}
	for i := range s.Artifacts {
		hide(&s.Artifacts[i].Name)
	}
	for i := range s.Files {
		hide(&s.Files[i].Path)
	}
	for i := range s.Refs {
		hide(&s.Refs[i].Text)
	}
}

// readBytes reads a log of these bytes, written in place.
func readBytes(t testing.TB, path string, body []byte, id string, prior *logPrior) logReading {
	t.Helper()
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := readLog(context.Background(), path, id, prior)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// law checks that reading on is as good as reading whole.
type law struct {
	path, id string
	body     []byte
	session  string // of the log read whole, as JSON
	masked   string // the same with its text masked
	state    []byte
}

func newLaw(t testing.TB, path, id string, body []byte) *law {
	t.Helper()
	whole := readBytes(t, path, body, id, nil)
	l := &law{path: path, id: id, body: body, session: asJSON(t, whole.Session), state: stateOf(t, whole.Cursor)}
	mask(whole.Session)
	l.masked = asJSON(t, whole.Session)
	return l
}

// split reads the log up to a point and then to its end, and returns what was
// seen at that point.
func (l *law) split(t testing.TB, at int, masked bool) *sources.Session {
	t.Helper()
	first := readBytes(t, l.path, l.body[:at], l.id, nil)
	rest := readBytes(t, l.path, l.body, l.id, keep(t, first, first, masked))
	got, want := rest.Session, l.session
	if rest.Same {
		got = first.Session
	}
	if masked {
		mask(got)
		want = l.masked
	}
	if g := asJSON(t, got); g != want {
		t.Fatalf("split at byte %d of %d, masked %v:\n%s", at, len(l.body), masked, firstDifference(g, want))
	}
	if state := stateOf(t, rest.Cursor); !bytes.Equal(state, l.state) {
		t.Fatalf("split at byte %d: the states differ:\n%s\n%s", at, state, l.state)
	}
	return first.Session
}

func stateOf(t testing.TB, cursor []byte) []byte {
	t.Helper()
	cur := parseLogCursor(cursor)
	if cur == nil {
		t.Fatalf("no cursor: %s", cursor)
	}
	b, err := json.Marshal(cur.State)
	if err != nil {
		t.Fatal(err)
	}
	return b
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

func TestReadingOnEqualsReadingWhole(t *testing.T) {
	for name, id := range fixtures() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "events.jsonl")
			l := newLaw(t, path, id, body)
			l.split(t, 0, false)
			for at, b := range body {
				if b == '\n' {
					l.split(t, at+1, true)
				}
			}
		})
	}
}

// A log that grows line by line is the same as one that was there at once.
func TestGrowingLineByLine(t *testing.T) {
	for name, id := range fixtures() {
		body, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "events.jsonl")
		want := readBytes(t, path, body, id, nil)
		got := readBytes(t, path, nil, id, nil)
		for end := 1; end <= len(body); end++ {
			if body[end-1] != '\n' {
				continue
			}
			r := readBytes(t, path, body[:end], id, keep(t, got, got, false))
			if r.Same {
				r.Session = got.Session
			}
			got = r
		}
		if g, w := asJSON(t, got.Session), asJSON(t, want.Session); g != w {
			t.Errorf("%s: %s", name, firstDifference(g, w))
		}
	}
}

// Wherever a log is cut, nothing of a torn line is believed, and what follows
// when the rest arrives is what reading it at once gives.
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
	whole := readBytes(t, path, body, testID, nil).Session
	if len(whole.Turns) != 1 || whole.Turns[0].Assistant != "Done. All." || len(whole.Files) != 2 {
		t.Fatalf("the log does not show what it should: %s", asJSON(t, whole))
	}
	l := newLaw(t, path, testID, body)
	step := 1
	if testing.Short() {
		step = 11
	}
	for at := 0; at < len(body); at += step {
		cut := l.split(t, at, false)
		if len(cut.Damage) > 0 || len(cut.Turns) > 1 {
			t.Fatalf("cut at byte %d: %s", at, asJSON(t, cut))
		}
		if len(cut.Turns) == 1 && cut.Turns[0].User != whole.Turns[0].User {
			t.Fatalf("cut at byte %d: half a prompt %q", at, cut.Turns[0].User)
		}
	}
}

func FuzzReadLog(f *testing.F) {
	for name := range fixtures() {
		body, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body[:min(len(body), 4000)], uint16(700))
	}
	f.Add([]byte(startEvent()+"\n"+ev("user.message", 1, `{"content":"a"}`)+"\n\x00\x00\n{}\n[]\n"), uint16(20))
	f.Add([]byte(`{"type":"user.message","data":{"content":"a"},"id":"e","timestamp":"9999-12-31T23:59:59-23:00"}`+"\n"), uint16(20))
	f.Fuzz(func(t *testing.T, body []byte, at uint16) {
		path := filepath.Join(t.TempDir(), "events.jsonl")
		newLaw(t, path, testID, body).split(t, min(int(at), len(body)), at%2 == 0)
	})
}

// indented writes JSON the way asJSON does.
func indented(t testing.TB, text string) string {
	t.Helper()
	var s sources.Session
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return asJSON(t, s)
}
