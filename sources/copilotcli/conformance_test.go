package copilotcli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Suite{
		Open:    func(dir string) sources.Source { return copilotcli.New(copilotcli.Config{Homes: []string{dir}}) },
		History: history{},
	})
}

// history writes session-state/<id>/ as the CLI does.
type history struct{}

func (history) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	session := filepath.Join(dir, "session-state", id)
	must(t, os.MkdirAll(filepath.Join(session, "checkpoints"), 0o700))
	log := event(id, 0, "session.start", at, map[string]any{
		"sessionId": id, "version": 1, "startTime": stampOf(at), "context": map[string]any{"cwd": "/home/dev/src/widget"},
	})
	write(t, filepath.Join(session, "events.jsonl"), append(log, events(id, at, 0, turns)...))
	write(t, filepath.Join(session, "workspace.yaml"),
		fmt.Appendf(nil, "id: %s\ncwd: /home/dev/src/widget\nname: A name by a model\ncreated_at: %s\n", id, stampOf(at)))
	write(t, filepath.Join(session, "plan.md"), []byte("- [ ] conform\n"))
}

func (history) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	sourcetest.Append(t, logOf(dir, id), events(id, at, n, turns))
}

func (history) Tear(t *testing.T, dir, id string) {
	body := read(t, logOf(dir, id))
	write(t, logOf(dir, id), body[:len(body)-20])
}

func (history) Break(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	lines[4] = []byte("{\"type\":\"assistant.message\",\"data\":{\"content\"\n")
	write(t, logOf(dir, id), bytes.Join(lines, nil))
}

func (history) Log(dir, id string) string { return logOf(dir, id) }

// Run writes the calls before the answer that follows them.
func (h history) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	h.Write(t, dir, id, at, []sourcetest.Turn{{User: turn.User}})
	log := read(t, logOf(dir, id))
	for i, run := range runs {
		call := map[string]any{"toolCallId": fmt.Sprint("c", i), "toolName": "bash", "arguments": map[string]any{"command": run.Command}}
		log = append(log, event(id, 10+2*i, "tool.execution_start", at, call)...)
		call = map[string]any{"toolCallId": fmt.Sprint("c", i), "success": true, "shellExecution": map[string]any{"exitCode": run.Exit}}
		log = append(log, event(id, 11+2*i, "tool.execution_complete", at, call)...)
	}
	write(t, logOf(dir, id), append(log, event(id, 100, "assistant.message", at, map[string]any{"content": turn.Answer})...))
}

// Behead leaves the last turn.
func (history) Behead(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	write(t, logOf(dir, id), bytes.Join(lines[len(lines)-3:], nil))
}

func logOf(dir, id string) string { return filepath.Join(dir, "session-state", id, "events.jsonl") }

// events writes two lines a turn, a minute apart.
func events(id string, at time.Time, n int, turns []sourcetest.Turn) []byte {
	var out []byte
	for i, turn := range turns {
		when := at.Add(time.Duration(n+i) * time.Minute)
		out = append(out, event(id, 2*(n+i)+1, "user.message", when, map[string]any{"content": turn.User})...)
		out = append(out, event(id, 2*(n+i)+2, "assistant.message", when.Add(time.Second), map[string]any{
			"messageId": fmt.Sprint("m", n+i), "content": turn.Answer, "toolRequests": []any{},
		})...)
	}
	return out
}

func event(id string, n int, kind string, at time.Time, data map[string]any) []byte {
	line, err := json.Marshal(map[string]any{
		"type": kind, "data": data, "id": fmt.Sprintf("%s-%d", id, n), "timestamp": stampOf(at), "parentId": nil,
	})
	if err != nil {
		panic(err) // plain data
	}
	return append(line, '\n')
}

func stampOf(at time.Time) string { return at.Format("2006-01-02T15:04:05.000Z") }

var must, read, write = sourcetest.Must, sourcetest.Read, sourcetest.Write
