package copilotcli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
)

// resumable writes a log, reads it, and returns what is kept of it.
func resumable(t *testing.T) (path, id string, body []byte, kept *logPrior) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "log-early.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path, id = filepath.Join(t.TempDir(), "events.jsonl"), fixtures()["log-early"]
	first := readBytes(t, path, body, id, nil)
	return path, id, body, keep(t, first, first, false)
}

func appended(body []byte, records ...string) []byte {
	return append(bytes.Clone(body), strings.Join(records, "\n")+"\n"...)
}

func TestUnchangedLogIsNotOpened(t *testing.T) {
	path, id, body, kept := resumable(t)
	r, err := readLog(context.Background(), path, id, kept)
	if err != nil || !r.Same || r.Session != nil || r.BytesRead != 0 {
		t.Errorf("same %v, %d bytes, %v", r.Same, r.BytesRead, err)
	}
	r = readBytes(t, path, appended(body, ev("hook.end", 50, `{}`)), id, kept)
	if !r.Same || r.BytesRead > 5*lines.ProbeSize {
		t.Errorf("only a hook was added: same %v, %d bytes", r.Same, r.BytesRead)
	}
	r = readBytes(t, path, appended(body, ev("assistant.message", 50, `{"content":"More"}`)), id, kept)
	if r.Same || r.BytesRead > 5*lines.ProbeSize || !strings.HasSuffix(r.Session.Turns[1].Assistant, "More") {
		t.Errorf("an answer was added: same %v, %d bytes", r.Same, r.BytesRead)
	}
}

// A log that is not the one that was read, with more behind it, is read whole:
// wherever the change is, and whatever the size.
func TestRewrittenLogIsReadWhole(t *testing.T) {
	path, id, body, kept := resumable(t)
	first, second := "Add a signed token type", "A token without exp"
	swap := func(was, now string) []byte { return []byte(strings.Replace(string(body), was, now, 1)) }
	if !bytes.Contains(body[:lines.ProbeSize], []byte(first)) || !bytes.Contains(body[lines.ProbeSize:len(body)-lines.ProbeSize], []byte(second)) {
		t.Fatal("the fixture does not hold what the test changes")
	}
	more := ev("hook.end", 50, `{"more":1}`)
	for name, changed := range map[string][]byte{
		"shrunk":                body[:len(body)/2],
		"beginning":             appended(swap(first, "Sub a signed token type"), more),
		"end":                   appended(append(bytes.Clone(body[:len(body)-30]), `","rewritten":"123456789012"}`+"\n"...), more),
		"middle, longer":        appended(swap(second, "A signed token without exp"), more),
		"middle, the same size": swap(second, "A ticket without ex"),
		"beginning, shorter":    appended(swap(first, "Add"), strings.Repeat(more+"\n", 2)),
	} {
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		want := readBytes(t, filepath.Join(t.TempDir(), "events.jsonl"), changed, id, nil)
		got := readBytes(t, path, changed, id, kept)
		if got.Same || asJSON(t, got.Session) != asJSON(t, want.Session) {
			t.Errorf("%s: not read whole", name)
		}
	}
}

// A clock can be set back by anybody, the time of the last change cannot.
func TestLogOfEqualSizeAndTimeIsReadWhole(t *testing.T) {
	path, id, body, kept := resumable(t)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if stamp.Of(info).CTime == 0 {
		t.Skip("this system does not tell the time of the last change")
	}
	changed := bytes.Replace(body, []byte("A token without exp"), []byte("A ticket without ex"), 1)
	if err := os.WriteFile(path, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	got, err := readLog(context.Background(), path, id, kept)
	if err != nil || got.Same || !strings.Contains(asJSON(t, got.Session), "A ticket without ex") {
		t.Errorf("same %v, %v", got.Same, err)
	}
}

// A kept session that is lost, or another one, is not gone on with.
func TestLostSessionIsReadWhole(t *testing.T) {
	path, id, body, kept := resumable(t)
	grown := appended(body, ev("assistant.message", 51, `{"content":"More"}`))
	for name, session := range map[string]*sources.Session{"another": {ID: id}, "none": nil} {
		kept.Session = func() (*sources.Session, error) { return session, nil }
		if r := readBytes(t, path, grown, id, kept); r.Same || len(r.Session.Turns) != 2 {
			t.Errorf("%s: %s", name, asJSON(t, r.Session))
		}
	}
}

func TestUnusableCursorIsReadWhole(t *testing.T) {
	path, id, _, kept := resumable(t)
	for _, cursor := range []string{"", "{}", "nonsense", `{"Version":99}`, `{"Version":1,"Offset":-5}`} {
		kept.Cursor = []byte(cursor)
		if r, err := readLog(context.Background(), path, id, kept); err != nil || r.Same || len(r.Session.Turns) != 2 {
			t.Errorf("%q: %v", cursor, err)
		}
	}
}
