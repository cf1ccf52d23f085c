package vscode_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/sources/vscode"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Both ways of storing a chat are held to the contract.
func TestConformance(t *testing.T) {
	for name, history := range map[string]sourcetest.History{"MutationLog": logs{}, "Document": documents{}} {
		t.Run(name, func(t *testing.T) {
			sourcetest.Run(t, sourcetest.Suite{
				Open:    func(dir string) sources.Source { return vscode.New(vscode.Config{UserDirs: []string{dir}}) },
				History: history,
			})
		})
	}
}

const hash = "91d02856b2c8539899cef2051ef7a195"

// logs writes <id>.jsonl as VS Code does since 1.109: an initial entry, then a
// push for each request, whose answer streams in by further entries.
type logs struct{}

func (logs) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	body := line(map[string]any{"kind": 0, "v": header(id, at, []any{})})
	write(t, logOf(dir, id), append(body, pushes(at, 0, turns)...))
	workspaceOf(t, dir)
}

func (logs) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	sourcetest.Append(t, logOf(dir, id), pushes(at, n, turns))
}

// Tear cuts within the entry that brings the last answer.
func (logs) Tear(t *testing.T, dir, id string) {
	all := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	last := len(all) - 3 // the state of the request and what follows the last newline come behind it
	all[last] = all[last][:len(all[last])-20]
	write(t, logOf(dir, id), bytes.Join(all[:last+1], nil))
}

// Break spoils the entry that pushes the second request.
func (logs) Break(t *testing.T, dir, id string) {
	all := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	all[4] = []byte("{\"kind\":2,\"k\":[\"requests\"],\"v\":[{\"requestId\":\"request_\n")
	write(t, logOf(dir, id), bytes.Join(all, nil))
}

func (logs) Log(dir, id string) string { return logOf(dir, id) }

// Behead leaves the entries of the last request.
func (logs) Behead(t *testing.T, dir, id string) {
	all := bytes.SplitAfter(read(t, logOf(dir, id)), []byte("\n"))
	write(t, logOf(dir, id), bytes.Join(all[len(all)-4:], nil)) // nothing follows the last newline
}

func (logs) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	header := line(map[string]any{"kind": 0, "v": header(id, at, []any{ranIn(at, turn, runs)})})
	write(t, logOf(dir, id), header)
	workspaceOf(t, dir)
}

// ranIn is a request in whose answer terminals ran commands.
func ranIn(at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) ordered {
	var parts []any
	for i, run := range runs {
		parts = append(parts, map[string]any{"kind": "toolInvocationSerialized", "toolId": "run_in_terminal", "toolCallId": fmt.Sprint("c", i), "isComplete": true,
			"toolSpecificData": map[string]any{"kind": "terminal", "commandLine": map[string]any{"original": run.Command}, "terminalCommandState": map[string]any{"exitCode": run.Exit}}})
	}
	r := request(at, 0, turn, true)
	r["response"] = append(parts, answer(turn)...)
	return r
}

// Expiring writes a memory of the session and its transcript.
func (logs) Expiring(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) []string {
	memory := storageFile(dir, "GitHub.copilot-chat", "memory-tool", "memories", base64.StdEncoding.EncodeToString([]byte(id)), "plan.md")
	write(t, memory, []byte("- [ ] conform\n"))
	transcript := storageFile(dir, "GitHub.copilot-chat", "transcripts", id+".jsonl")
	var body []byte
	note := func(kind string, when time.Time, data map[string]any) {
		body = append(body, line(map[string]any{"type": kind, "data": data, "id": fmt.Sprint(len(body)), "timestamp": when.Format(time.RFC3339), "parentId": nil})...)
	}
	note("session.start", at, map[string]any{"sessionId": id, "version": 1, "producer": "copilot-agent", "startTime": at.Format(time.RFC3339)})
	for i, turn := range turns {
		note("user.message", minute(at, i), map[string]any{"content": turn.User, "attachments": []any{}})
		note("assistant.message", minute(at, i).Add(time.Second), map[string]any{"messageId": fmt.Sprint("m", i), "content": turn.Answer, "toolRequests": []any{}})
	}
	write(t, transcript, body)
	return []string{memory, transcript}
}

// documents writes <id>.json as VS Code did before: one object, rewritten whole.
type documents struct{}

func (documents) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	requests := []any{}
	for i, turn := range turns {
		requests = append(requests, request(at, i, turn, true))
	}
	body := expect.Value(json.MarshalIndent(header(id, at, requests), "", "  "))(t)
	write(t, documentOf(dir, id), body)
	workspaceOf(t, dir)
}

func (d documents) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	var state map[string]any
	must(t, json.Unmarshal(read(t, documentOf(dir, id)), &state))
	requests := []any{}
	for _, r := range state["requests"].([]any) {
		requests = append(requests, ordered(r.(map[string]any)))
	}
	for i, turn := range turns {
		requests = append(requests, request(at, n+i, turn, true))
	}
	state["requests"] = requests
	body := expect.Value(json.MarshalIndent(state, "", "  "))(t)
	write(t, documentOf(dir, id), body)
}

func (documents) Tear(t *testing.T, dir, id string) {
	body := read(t, documentOf(dir, id))
	write(t, documentOf(dir, id), body[:bytes.LastIndex(body, []byte(`"response"`))])
}

// Break leaves another object in place of the second request: what is no JSON nobody reads behind.
func (documents) Break(t *testing.T, dir, id string) {
	var state map[string]any
	must(t, json.Unmarshal(read(t, documentOf(dir, id)), &state))
	state["requests"].([]any)[1] = map[string]any{"request": 2}
	body := expect.Value(json.Marshal(state))(t)
	write(t, documentOf(dir, id), body)
}

func (documents) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	body := expect.Value(json.Marshal(header(id, at, []any{ranIn(at, turn, runs)})))(t)
	write(t, documentOf(dir, id), body)
	workspaceOf(t, dir)
}

func (documents) Log(dir, id string) string { return documentOf(dir, id) }

func header(id string, at time.Time, requests []any) map[string]any {
	return map[string]any{
		"version": 3, "creationDate": at.UnixMilli(), "initialLocation": "panel", "responderUsername": "GitHub Copilot",
		"sessionId": id, "hasPendingEdits": false, "requests": requests, "pendingRequests": []any{},
	}
}

// pushes writes three lines a turn, a minute apart.
func pushes(at time.Time, n int, turns []sourcetest.Turn) []byte {
	var out []byte
	for i, turn := range turns {
		r := request(at, n+i, turn, false)
		out = append(out, line(map[string]any{"kind": 2, "k": []any{"requests"}, "v": []any{r}})...)
		out = append(out, line(map[string]any{"kind": 2, "k": []any{"requests", n + i, "response"}, "v": answer(turn), "i": 0})...)
		out = append(out, line(map[string]any{"kind": 1, "k": []any{"requests", n + i, "modelState"}, "v": state(at, n+i)})...)
	}
	return out
}

// ordered is a request, with its id first as VS Code writes it.
type ordered map[string]any

func (r ordered) MarshalJSON() ([]byte, error) {
	rest := maps.Clone(map[string]any(r))
	delete(rest, "requestId")
	body, err := json.Marshal(rest)
	return append(fmt.Appendf(nil, `{"requestId":%q,`, r["requestId"]), body[1:]...), err
}

func request(at time.Time, n int, turn sourcetest.Turn, done bool) ordered {
	r := ordered{
		"requestId": fmt.Sprintf("request_%d", n+1), "timestamp": minute(at, n).UnixMilli(), "modelId": "copilot/gpt-5.2",
		"message": map[string]any{"text": turn.User, "parts": []any{}}, "variableData": map[string]any{"variables": []any{}},
		"response": []any{}, "modelState": map[string]any{"value": 0},
	}
	if done {
		r["response"], r["modelState"] = answer(turn), state(at, n)
	}
	return r
}

func answer(turn sourcetest.Turn) []any { return []any{map[string]any{"value": turn.Answer}} }

func state(at time.Time, n int) map[string]any {
	return map[string]any{"value": 1, "completedAt": minute(at, n).Add(time.Second).UnixMilli()}
}

func minute(at time.Time, n int) time.Time { return at.Add(time.Duration(n) * time.Minute) }

func line(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return append(b, '\n')
}

func logOf(dir, id string) string {
	return filepath.Join(dir, "workspaceStorage", hash, "chatSessions", id+".jsonl")
}

func documentOf(dir, id string) string {
	return filepath.Join(dir, "workspaceStorage", hash, "chatSessions", id+".json")
}

func workspaceOf(t *testing.T, dir string) {
	path := filepath.Join(dir, "workspaceStorage", hash, "workspace.json")
	if _, err := os.Stat(path); err != nil {
		write(t, path, []byte(`{"folder": "file:///home/dev/src/widget"}`))
	}
}

var must, read, write = sourcetest.Must, sourcetest.Read, sourcetest.Write
