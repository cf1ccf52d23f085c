package codexcli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

func TestConformance(t *testing.T) {
	for name, h := range map[string]history{"Paginated": {paginated: true}, "Enveloped": {}} {
		t.Run(name, func(t *testing.T) {
			sourcetest.Run(t, sourcetest.Suite{Open: func(dir string) sources.Source { return open(t, dir) }, History: h})
		})
	}
}

func open(t *testing.T, homes ...string) *codexcli.Source {
	t.Helper()
	return codexcli.New(codexcli.Config{Homes: homes})
}

// history writes rollouts as Codex 0.169 does, which are paginated, or as 0.128 did.
type history struct{ paginated bool }

// Lines of a turn without calls, and the place of the prompt and the answer among them.
const (
	turnLines  = 8
	promptLine = 3
	answerLine = 4
)

func (h history) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	w := h.begin(id, at)
	w.turns(id, at, 0, turns)
	write(t, logOf(dir, id), w.Bytes())
	names, err := json.Marshal(map[string]any{"id": id, "thread_name": "A name by a model", "updated_at": stampOf(at)})
	must(t, err)
	write(t, filepath.Join(dir, "session_index.jsonl"), append(names, '\n'))
}

func (h history) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	w := &rollout{paginated: h.paginated, ordinal: 1 + n*turnLines}
	w.turns(id, at, n, turns)
	sourcetest.Append(t, logOf(dir, id), w.Bytes())
}

func (history) Tear(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	torn := len(lines) - 1 - turnLines + answerLine
	write(t, logOf(dir, id), append(bytes.Join(lines[:torn], nil), lines[torn][:len(lines[torn])/2]...))
}

func (history) Break(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	lines[1+turnLines+promptLine] = []byte("{\"timestamp\":\"2026-04-02T09:01:00.000Z\",\"type\":\"event_msg\",\"payload\":{\n")
	write(t, logOf(dir, id), bytes.Join(lines, nil))
}

func (history) Log(dir, id string) string { return logOf(dir, id) }

func (history) OnlyAppends() {}

// Behead leaves the last turn.
func (history) Behead(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	write(t, logOf(dir, id), bytes.Join(lines[len(lines)-1-turnLines:], nil))
}

// Run writes the calls before the answer that follows them.
func (h history) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	w := h.begin(id, at)
	w.prompt(id, at, 0, turn.User)
	for i, run := range runs {
		call, status := fmt.Sprint("call_", i), "completed"
		if run.Exit != 0 {
			status = "failed"
		}
		arguments, err := json.Marshal(map[string]any{"cmd": run.Command})
		must(t, err)
		w.add(at, "response_item", map[string]any{"type": "function_call", "name": "exec_command", "arguments": string(arguments), "call_id": call})
		ended := map[string]any{"command": []string{"/bin/bash", "-lc", run.Command}, "source": "unified_exec_startup", "status": status,
			"aggregated_output": "", "exit_code": run.Exit}
		if h.paginated {
			ended["id"] = call
			w.item(id, at, "CommandExecution", ended)
		} else {
			ended["type"], ended["call_id"] = "exec_command_end", call
			w.add(at, "event_msg", ended)
		}
		w.add(at, "response_item", map[string]any{"type": "function_call_output", "call_id": call, "output": fmt.Sprintf("Process exited with code %d\nOutput:\n", run.Exit)})
	}
	w.answer(id, at, 0, turn.Answer)
	write(t, logOf(dir, id), w.Bytes())
}

// rollout is a file under way.
type rollout struct {
	bytes.Buffer
	paginated bool
	ordinal   int
}

func (h history) begin(id string, at time.Time) *rollout {
	w := &rollout{paginated: h.paginated}
	meta := map[string]any{"id": id, "timestamp": stampOf(at), "cwd": "/home/dev/src/widget", "originator": "codex-tui", "cli_version": "0.128.0", "source": "cli"}
	if h.paginated {
		meta["history_mode"], meta["cli_version"], meta["session_id"] = "paginated", "0.169.0", id
	}
	w.add(at, "session_meta", meta)
	return w
}

// turns writes them a minute apart.
func (w *rollout) turns(id string, at time.Time, n int, turns []sourcetest.Turn) {
	for i, turn := range turns {
		when := at.Add(time.Duration(n+i) * time.Minute)
		w.prompt(id, when, n+i, turn.User)
		w.answer(id, when.Add(time.Second), n+i, turn.Answer)
	}
}

func (w *rollout) prompt(id string, at time.Time, n int, text string) {
	w.add(at, "event_msg", map[string]any{"type": "task_started", "turn_id": fmt.Sprint("turn-", n), "started_at": at.Unix()})
	w.add(at, "turn_context", map[string]any{"turn_id": fmt.Sprint("turn-", n), "cwd": "/home/dev/src/widget", "model": "gpt-5.5"})
	w.add(at, "response_item", message("user", "input_text", text))
	if w.paginated {
		w.item(id, at, "UserMessage", map[string]any{"id": fmt.Sprint("item-", n), "content": []any{map[string]any{"type": "text", "text": text}}})
		return
	}
	w.add(at, "event_msg", map[string]any{"type": "user_message", "message": text, "images": []any{}, "local_images": []any{}})
}

func (w *rollout) answer(id string, at time.Time, n int, text string) {
	if w.paginated {
		w.item(id, at, "AgentMessage", map[string]any{"id": fmt.Sprint("msg-", n), "content": []any{map[string]any{"type": "Text", "text": text}}, "phase": "final_answer"})
	} else {
		w.add(at, "event_msg", map[string]any{"type": "agent_message", "message": text, "phase": "final_answer"})
	}
	w.add(at, "response_item", message("assistant", "output_text", text))
	w.add(at, "event_msg", map[string]any{"type": "token_count", "info": nil})
	w.add(at, "event_msg", map[string]any{"type": "task_complete", "turn_id": fmt.Sprint("turn-", n), "last_agent_message": text})
}

func message(role, kind, text string) map[string]any {
	return map[string]any{"type": "message", "role": role, "content": []any{map[string]any{"type": kind, "text": text}}}
}

func (w *rollout) item(id string, at time.Time, kind string, item map[string]any) {
	fields, err := json.Marshal(item)
	if err != nil {
		panic(err) // plain data
	}
	w.add(at, "event_msg", json.RawMessage(fmt.Sprintf(`{"type":"item_completed","thread_id":%q,"turn_id":"turn","item":{"type":%q,%s}`, id, kind, fields[1:])))
}

// add writes a record in the order of members that Codex keeps.
func (w *rollout) add(at time.Time, kind string, payload any) {
	body, err := json.Marshal(payload)
	if err != nil {
		panic(err) // plain data
	}
	if m, ok := payload.(map[string]any); ok && m["type"] != nil { // it stands first
		kind := m["type"]
		delete(m, "type")
		rest, _ := json.Marshal(m)
		body = fmt.Appendf(nil, `{"type":%q,%s`, kind, rest[1:])
	}
	ordinal := ""
	if w.paginated {
		ordinal = fmt.Sprintf(`"ordinal":%d,`, w.ordinal)
	}
	fmt.Fprintf(w, `{"timestamp":%q,%s"type":%q,"payload":%s}`+"\n", stampOf(at), ordinal, kind, body)
	w.ordinal++
}

func logOf(dir, id string) string {
	return filepath.Join(dir, "sessions", "2026", "04", "02", "rollout-2026-04-02T09-00-00-"+id+".jsonl")
}

func stampOf(at time.Time) string { return at.Format("2006-01-02T15:04:05.000Z") }

var must, read, write = sourcetest.Must, sourcetest.Read, sourcetest.Write
