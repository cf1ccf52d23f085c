package geminicli_test

import (
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// fuzzed reads a home with these files.
func fuzzed(t *testing.T, f files) {
	dir := f.write(t, t.TempDir())
	sourcetest.Fuzzed(t, func() sources.Source { return open(dir) })
}

func FuzzChat(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "home", "tmp", "*", "chats", "*.jsonl"))
	if err != nil || len(paths) != 5 {
		f.Fatal(paths, err)
	}
	for _, path := range paths {
		f.Add(read(f, path))
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
