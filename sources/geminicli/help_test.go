package geminicli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli"
)

// Ids of sessions that tests make.
const (
	firstID  = "0a6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a01"
	secondID = "1b6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a02"
	thirdID  = "2c6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a03"
)

// Lines of a chat, each with a time of its own.

func head(id string) string {
	return fmt.Sprintf(`{"sessionId":%q,"projectHash":"97dfbcf365a54407d43284375e055a6bcf49820a8845497edffbdf5b604a1c8f","startTime":"2026-04-02T09:00:00.000Z","lastUpdated":"2026-04-02T09:00:00.000Z","kind":"main"}`, id)
}

func user(id string, minute int, text string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-04-02T09:%02d:00.000Z","type":"user","content":[{"text":%s}]}`, id, minute, quoted(text))
}

func gemini(id string, minute int, text string, more ...string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-04-02T09:%02d:30.000Z","type":"gemini","content":%s,"model":"gemini-2.5-pro"%s}`, id, minute, quoted(text), strings.Join(more, ""))
}

// ran are the calls of a message, for gemini.
func ran(calls ...string) string { return `,"toolCalls":[` + strings.Join(calls, ",") + `]` }

func tool(name, status, args, gave string, more ...string) string {
	kind := "output"
	if status != "success" {
		kind = "error"
	}
	return fmt.Sprintf(`{"id":"c","name":%q,"args":%s,"status":%q,"result":[{"functionResponse":{"response":{%q:%s}}}]%s}`, name, args, status, kind, quoted(gave), strings.Join(more, ""))
}

func sets(members string) string { return `{"$set":{` + members + `}}` }

func rewindTo(id string) string { return fmt.Sprintf(`{"$rewindTo":%q}`, id) }

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // plain data
	}
	return string(b)
}

// linesOfChat is a file of these lines.
func linesOfChat(all ...string) []byte { return []byte(strings.Join(all, "\n") + "\n") }

// files are those of a home, by their paths below it.
type files map[string][]byte

func (f files) write(t *testing.T, dir string) string {
	t.Helper()
	for name, body := range f {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), body)
	}
	return dir
}

// chatAt is where a chat of a session lies.
func chatAt(project, id string) string {
	return "tmp/" + project + "/chats/session-2026-04-02T09-00-" + id[:8] + ".jsonl"
}

// sessionOf reads a home with one chat of these lines.
func sessionOf(t *testing.T, all ...string) *sources.Session {
	t.Helper()
	dir := files{chatAt("w", firstID): linesOfChat(append([]string{head(firstID)}, all...)...), "tmp/w/.project_root": []byte("/w")}.write(t, t.TempDir())
	h := readHome(t, geminicli.Config{Homes: []string{dir}})
	if s := h.logs[firstID[:8]]; s != nil && len(h.problems) == 0 {
		return s
	}
	t.Fatalf("%+v", h)
	return nil
}

// told is what was said in a session, a line for each turn.
func told(turns []sources.Turn) string {
	var b strings.Builder
	for _, t := range turns {
		fmt.Fprintf(&b, "%s | %s | %s\n", t.User, strings.ReplaceAll(t.Assistant, "\n\n", " ¶ "), t.Status)
	}
	return b.String()
}

func config(homes ...string) geminicli.Config { return geminicli.Config{Homes: homes} }
