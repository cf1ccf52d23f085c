package geminicli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// fuzzed reads a home twice: it never panics, both readings are the same, and what they tell
// fits together.
func fuzzed(t *testing.T, f files) {
	dir := f.write(t, t.TempDir())
	var before string
	for range 2 {
		s := open(dir)
		l, err := s.List(context.Background())
		must(t, err)
		var all []sources.Reading
		for _, it := range l.Items {
			r, err := s.Read(context.Background(), it)
			if err != nil {
				continue // told and tried again
			}
			for i := range r.Problems {
				r.Problems[i].Err = nil
			}
			all = append(all, r)
			for _, of := range append(r.Sessions, sources.SessionLayers{Layers: r.Layers}) {
				for _, la := range of.Layers {
					if la.Session != nil {
						consistent(t, la.Session)
					}
				}
			}
		}
		now, err := json.Marshal(all)
		must(t, err)
		if before != "" && string(now) != before {
			t.Fatalf("two readings differ:\n%s\n%s", before, now)
		}
		before = string(now)
	}
}

func consistent(t *testing.T, s *sources.Session) {
	if s.ID == "" || s.Agent == "" {
		t.Fatalf("session %q of %q", s.ID, s.Agent)
	}
	last := len(s.Turns) - 1
	for i, turn := range s.Turns {
		if turn.Index != i {
			t.Fatalf("turn %d says it is %d", i, turn.Index)
		}
		for _, tool := range turn.Tools {
			if tool.After < 0 || tool.After > len(turn.Assistant) {
				t.Fatalf("a call after %d of %d bytes", tool.After, len(turn.Assistant))
			}
		}
		if turn.Tokens != nil && (turn.Tokens.In < 0 || turn.Tokens.Out < 0) {
			t.Fatalf("tokens %+v", turn.Tokens)
		}
	}
	for _, f := range s.Files {
		if f.Turn > last || f.Path == "" || f.Kind == "" {
			t.Fatalf("a file of turn %d of %d: %+v", f.Turn, last, f)
		}
	}
	for _, r := range s.Refs {
		if r.Turn > last {
			t.Fatalf("a ref of turn %d of %d", r.Turn, last)
		}
	}
	for _, a := range s.Actions {
		if a.Turn > last {
			t.Fatalf("an action of turn %d of %d", a.Turn, last)
		}
	}
}

func FuzzChat(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "home", "tmp", "*", "chats", "*.jsonl"))
	if err != nil || len(paths) != 5 {
		f.Fatal(paths, err)
	}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Add(document(firstID, hashOf("/w"), "This is the Gemini CLI.", user("u", 1, "p"), gemini("g", 1, "a", ran(tool("replace", "success", `{"file_path":"/w/a"}`, "ok")))))
	f.Add(linesOfChat(head(firstID), user("u", 1, "p"), rewindTo("u"), sets(`"messages":[`+user("n", 2, "<state_snapshot><overall_goal>x</overall_goal></state_snapshot>")+`]`), rewindTo("n")))
	f.Fuzz(func(t *testing.T, body []byte) {
		name := "tmp/w/chats/session-2026-04-02T09-00-" + firstID[:8] + ".json"
		fuzzed(t, files{name: body, name + "l": linesOfChat(head(firstID), user("x", 1, "p"), gemini("y", 1, "a"), rewindTo("y"))})
		fuzzed(t, files{name + "l": body, "tmp/w/chats/" + firstID + "/" + secondID + ".jsonl": body})
	})
}

func FuzzTranscript(f *testing.F) {
	f.Add(agyConversation, []byte(`{"/w":"`+firstID+`"}`))
	f.Add(linesOfChat(asked(0, "p"), answered(1, "", "run_command", `"{\"CommandLine\":\"\\\"ls\\\"\"}"`)), []byte(`{"workspace":"/w","conversationId":"`+firstID+`"}`+"\n"))
	f.Fuzz(func(t *testing.T, body, beside []byte) {
		fuzzed(t, files{logsDir + "transcript_full.jsonl": body, brainDir + "task.md": beside, brainDir + "task.md.metadata.json": beside,
			"antigravity-cli/history.jsonl": beside, "antigravity-cli/cache/last_conversations.json": beside})
		fuzzed(t, files{logsDir + "chunks/transcript_full/0.jsonl": body[:len(body)/2], logsDir + "chunks/transcript_full/1.jsonl": body[len(body)/2:]})
	})
}

func FuzzBesides(f *testing.F) {
	f.Add([]byte(`[{"sessionId":"`+firstID+`","type":"user","message":"/quit","timestamp":"2026-04-02T09:03:00.000Z"}]`), []byte(`{"projects":{"/w":"w"}}`))
	f.Add([]byte(`[{"sessionId":"`+secondID+`","type":"user","message":"x"}`), []byte("/w\n"))
	f.Fuzz(func(t *testing.T, logs, place []byte) {
		fuzzed(t, files{chatAt("w", firstID): linesOfChat(head(firstID), user("u", 1, "p"), gemini("g", 1, "a")), "tmp/w/logs.json": logs, "projects.json": place,
			"GEMINI.md": place, "tmp/w/" + firstID + "/plans/p.md": place})
		fuzzed(t, files{chatAt("w", firstID): linesOfChat(head(firstID)), "tmp/w/.project_root": place, "tmp/v/logs.json": logs})
	})
}
