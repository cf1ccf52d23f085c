package opencode_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// fuzzed reads a home, whatever is in it.
func fuzzed(t *testing.T, dir string) {
	t.Helper()
	sourcetest.Fuzzed(t, func() sources.Source { return open(dir) }, identified)
}

// identified demands an id of each turn that no other one has.
func identified(t testing.TB, s *sources.Session) {
	t.Helper()
	ids := map[string]bool{}
	for i, turn := range s.Turns {
		if turn.ID == "" || ids[turn.ID] {
			t.Fatalf("turn %d has the id %q", i, turn.ID)
		}
		ids[turn.ID] = true
	}
}

// FuzzVersion1 fuzzes each column that is decoded, and the log of events.
func FuzzVersion1(f *testing.F) {
	whole := assistant("m1", begin)
	f.Add(text(user(begin)), text(says("a")), text(calls("bash", "completed", object{"command": "git log"}, object{"output": "x", "metadata": object{"exit": 1}})), `{"messageID":"m2"}`, `{"messageID":"m0"}`)
	f.Add(text(whole), text(object{"type": "compaction"}), text(calls("edit", "error", object{"filePath": "x"}, object{"error": "y"})), `{"messageID":"m3","partID":"prt_m3_000"}`, `{"info":{"id":"m0","role":"user"}}`)
	f.Add(`{"role":"user","summary":{"diffs":[{"file":"a","status":"added"}]}}`, `{"type":"patch","files":["/a"]}`, `{"type":"tool","tool":"task","state":{"metadata":{"sessionId":"x"}}}`, `[{"permission":"question","action":"deny"}]`, `{"part":{"messageID":"m0"}}`)
	f.Fuzz(func(t *testing.T, message, one, two, row, event string) {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.session("ses_1", begin+1, object{"revert": row, "permission": row, "title": row, "directory": row})
			for i, id := range []string{"m1", "m2", "m3"} {
				h.asked("ses_1", id, begin+int64(i), "a")
				if i != 1 {
					h.insert("message", object{"id": id, "session_id": "ses_1", "time_created": begin + i, "time_updated": 1, "data": message}, nil)
				}
				for n, data := range []string{one, two} {
					h.insert("part", object{"id": id + string(rune('a'+n)), "message_id": id, "session_id": "ses_1", "time_created": 1, "time_updated": 1, "data": data}, nil)
				}
			}
			h.session("ses_2", begin, object{"parent_id": "ses_1"})
			h.insert("message", object{"id": "m9", "session_id": "ses_2", "time_created": begin, "time_updated": 1, "data": message}, nil)
			for i, kind := range []string{"message.removed.1", "message.updated.1", "message.part.updated.1"} {
				h.insert("event", object{"id": kind, "aggregate_id": "ses_1", "seq": i, "type": kind, "data": event}, nil)
			}
			h.insert("event", object{"id": "e", "aggregate_id": "ses_1", "seq": 9, "type": "message.removed.2", "data": `{"messageID":"m0"}`}, nil)
		})
		fuzzed(t, dir)
	})
}

func FuzzVersion2(f *testing.F) {
	f.Add("user", `{"text":"a","files":[{"uri":"file:///x","mime":"image/png"}]}`, "assistant", `{"content":[{"type":"tool","name":"bash","state":{"status":"completed","input":{"command":"x"},"content":[{"type":"text","text":"y"}]}}],"finish":"stop"}`)
	f.Add("shell", `{"command":"x"}`, "compaction", `{"status":"completed","summary":"x"}`)
	f.Add("idle", `{"outcome":"failed"}`, "oracle", `[]`)
	f.Fuzz(func(t *testing.T, kind1, data1, kind2, data2 string) {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.sessionV2("ses_1", begin, object{"fork_session_id": "ses_1"})
			for i := range int64(3) {
				h.insert("session_message", object{"id": 2 * i, "session_id": "ses_1", "type": kind1, "seq": 2 * i, "time_created": begin, "time_updated": 1, "data": data1}, nil)
				h.insert("session_message", object{"id": 2*i + 1, "session_id": "ses_1", "type": kind2, "seq": 2*i + 1, "time_created": begin + i, "time_updated": 1, "data": data2}, nil)
			}
		})
		fuzzed(t, dir)
	})
}

func FuzzFiles(f *testing.F) {
	f.Add([]byte(`{"id":"x","parentID":"s","directory":"/x","time":{"created":5},"revert":{"messageID":"m2"}}`), []byte(text(user(begin))), []byte(text(says("a"))), []byte(`[{"content":"x","status":"pending"}]`))
	f.Add([]byte(`{"permission":[{"permission":"question","action":"deny"}]}`), []byte(text(assistant("m1", begin))), []byte("{\"type\":\"text\"}\x00\x00"), []byte("{"))
	f.Fuzz(func(t *testing.T, session, message, part, todos []byte) {
		dir := t.TempDir()
		storage := filepath.Join(dir, "storage")
		write(t, filepath.Join(storage, "session", "p", "s.json"), session)
		write(t, filepath.Join(storage, "session", "p", "t.json"), session)
		write(t, filepath.Join(storage, "todo", "s.json"), todos)
		for _, m := range []string{"m1", "m2"} {
			write(t, filepath.Join(storage, "message", "s", m+".json"), message)
			write(t, filepath.Join(storage, "part", m, "prt_1.json"), part)
		}
		fuzzed(t, dir)
	})
}

// FuzzDatabase fuzzes the bytes of a database.
func FuzzDatabase(f *testing.F) {
	f.Add(uint16(0), []byte("SQLite format 3\x00"))
	f.Add(uint16(100), []byte{0x0d, 0, 0, 0})
	f.Add(uint16(5000), make([]byte, 300))
	f.Fuzz(func(t *testing.T, at uint16, bytes []byte) {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.session("ses_1", begin, nil)
			h.asked("ses_1", "m1", begin, "a")
			h.answered("ses_1", "m2", "m1", begin, says("b"))
		})
		body := read(t, base(dir))
		copy(body[min(int(at), len(body)):], bytes)
		write(t, base(dir), body)
		s := open(dir)
		defer s.Close()
		l, err := s.List(context.Background())
		must(t, err)
		for _, it := range l.Items {
			if r, err := s.Read(context.Background(), it); err == nil {
				for _, la := range r.Layers {
					sourcetest.Consistent(t, la.Session)
					identified(t, la.Session)
				}
			}
		}
	})
}
