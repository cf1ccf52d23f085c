package claudecode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Suite{
		Open:    func(dir string) sources.Source { return claudecode.New(claudecode.Config{Homes: []string{dir}}) },
		History: history{},
	})
}

// history writes what Claude Code 2.1.330 writes into projects/<dir>/<id>.jsonl.
type history struct{}

const cwd = "/home/dev/src/widget"

func (history) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	head := line(map[string]any{"type": "mode", "mode": "normal", "sessionId": id})
	head = append(head, line(map[string]any{"type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": id})...)
	write(t, logOf(dir, id), append(head, lines(id, at, 0, turns)...))
}

func (history) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	sourcetest.Append(t, logOf(dir, id), lines(id, at, n, turns))
}

// Tear cuts the line of the newest answer: nothing stands behind it yet.
func (history) Tear(t *testing.T, dir, id string) {
	body := read(t, logOf(dir, id))
	write(t, logOf(dir, id), body[:bytes.LastIndex(body, []byte(`"stop_reason"`))])
}

func (history) Break(t *testing.T, dir, id string) {
	all := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	broken := 2 + perTurn + 2 // the answer of the second turn
	all[broken] = append(all[broken][:len(all[broken])/2:len(all[broken])/2], '\n')
	write(t, logOf(dir, id), bytes.Join(all, nil))
}

func (history) Log(dir, id string) string { return logOf(dir, id) }

func (history) OnlyAppends() {}

// Behead leaves the last turn.
func (history) Behead(t *testing.T, dir, id string) {
	all := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	write(t, logOf(dir, id), bytes.Join(all[len(all)-1-perTurn:], nil))
}

// Expiring writes what the program deletes with a transcript, or before it.
func (h history) Expiring(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) []string {
	log := lines(id, at, 0, turns)
	log = bytes.ReplaceAll(log, []byte(`"version":"2.1.330"`), []byte(`"slug":"`+slugOf(id)+`","version":"2.1.330"`))
	write(t, logOf(dir, id), log)
	folder := filepath.Join(filepath.Dir(logOf(dir, id)), id)
	agent := filepath.Join(folder, "subagents", "agent-a62bd66e59c885867.jsonl")
	write(t, agent, bytes.Join([][]byte{
		line(tree(id, "user", "s1", "", at, map[string]any{"isSidechain": true, "agentId": "a62bd66e59c885867", "message": map[string]any{"role": "user", "content": "Look."}})),
		line(tree(id, "assistant", "s2", "s1", at, map[string]any{"isSidechain": true, "agentId": "a62bd66e59c885867", "message": said("sub", "Seen.")})),
	}, nil))
	plan := filepath.Join(dir, "plans", slugOf(id)+".md")
	write(t, plan, []byte("# Plan\n\n- [ ] conform\n"))
	task := filepath.Join(dir, "tasks", id, "1.json")
	write(t, task, []byte(`{"id": "1", "subject": "Conform", "status": "pending", "blocks": [], "blockedBy": []}`))
	return []string{agent, plan, task}
}

// Run writes the calls before the answer that follows them.
func (h history) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	log := line(prompt(id, 0, at, turn.User))
	parent := fmt.Sprint("u", 0)
	for i, run := range runs {
		call, own := fmt.Sprint("toolu_", i), fmt.Sprint("c", i)
		input := map[string]any{"command": run.Command, "description": "Run it"}
		log = append(log, line(tree(id, "assistant", own, parent, at, map[string]any{"message": map[string]any{
			"id": "msg_run", "role": "assistant", "model": "claude-opus-5-5", "content": []any{map[string]any{"type": "tool_use", "id": call, "name": "Bash", "input": input}},
		}}))...)
		block := map[string]any{"type": "tool_result", "tool_use_id": call, "content": "out", "is_error": false}
		result := any(map[string]any{"stdout": "out", "stderr": "", "interrupted": false, "isImage": false})
		if run.Exit != 0 {
			text := fmt.Sprintf("Exit code %d\nout", run.Exit)
			block["content"], block["is_error"], result = text, true, "Error: "+text
		}
		parent = fmt.Sprint("r", i)
		log = append(log, line(tree(id, "user", parent, own, at, map[string]any{"message": map[string]any{"role": "user", "content": []any{block}}, "toolUseResult": result}))...)
	}
	write(t, logOf(dir, id), append(log, line(answer(id, 0, parent, at, turn.Answer))...))
}

func logOf(dir, id string) string {
	return filepath.Join(dir, "projects", "-home-dev-src-widget", id+".jsonl")
}

func slugOf(id string) string { return "plan-" + id[:8] }

// perTurn is how many lines a turn has.
const perTurn = 4

// lines writes the lines of turns, a minute apart.
func lines(id string, at time.Time, n int, turns []sourcetest.Turn) (out []byte) {
	for i, turn := range turns {
		when := at.Add(time.Duration(n+i) * time.Minute)
		out = append(out, line(prompt(id, n+i, when, turn.User))...)
		out = append(out, line(map[string]any{"type": "last-prompt", "lastPrompt": "", "leafUuid": fmt.Sprint(id, "u", n+i), "sessionId": id})...)
		out = append(out, line(answer(id, n+i, fmt.Sprint("u", n+i), when.Add(time.Second), turn.Answer))...)
		out = append(out, line(tree(id, "system", fmt.Sprint("d", n+i), fmt.Sprint("a", n+i), when.Add(time.Second), map[string]any{"subtype": "turn_duration", "durationMs": 1000}))...)
	}
	return out
}

func prompt(id string, n int, at time.Time, text string) map[string]any {
	parent := ""
	if n > 0 {
		parent = fmt.Sprint("d", n-1)
	}
	return tree(id, "user", fmt.Sprint("u", n), parent, at, map[string]any{
		"message": map[string]any{"role": "user", "content": text}, "origin": map[string]any{"kind": "human"}, "promptSource": "typed", "permissionMode": "acceptEdits",
	})
}

func answer(id string, n int, parent string, at time.Time, text string) map[string]any {
	return tree(id, "assistant", fmt.Sprint("a", n), parent, at, map[string]any{"message": said(fmt.Sprint("msg_", n), text)})
}

func said(id, text string) map[string]any {
	return map[string]any{"id": id, "type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": []any{map[string]any{"type": "text", "text": text}},
		"stop_reason": "end_turn", "usage": map[string]any{"input_tokens": 3, "output_tokens": 5}}
}

// tree is a line of the tree; the ids of lines are told apart by the session.
func tree(id, kind, own, parent string, at time.Time, more map[string]any) map[string]any {
	all := map[string]any{
		"parentUuid": nil, "isSidechain": false, "type": kind, "uuid": id + own, "timestamp": at.Format("2006-01-02T15:04:05.000Z"), "userType": "external",
		"entrypoint": "cli", "cwd": cwd, "sessionId": id, "version": "2.1.330", "gitBranch": "main",
	}
	if parent != "" {
		all["parentUuid"] = id + parent
	}
	for name, value := range more {
		all[name] = value
	}
	return all
}

func line(v map[string]any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return append(b, '\n')
}

var must, read, write = sourcetest.Must, sourcetest.Read, sourcetest.Write
