package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// history is a home of GitHub Copilot CLI that a test fills as the CLI does, so
// that a scenario reads like the days of its user. Its files carry the time of
// the scenario as modification time.
type history struct {
	t     *testing.T
	home  string
	clock time.Time
	count int       // ids given so far
	rows  *store    // nil: this version of the CLI keeps none
	wrote time.Time // when a file was last changed, by the machine's clock
}

func newHistory(t *testing.T) *history {
	return &history{t: t, home: filepath.Join(t.TempDir(), "copilot"), clock: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
}

// later lets time pass.
func (h *history) later(d time.Duration) { h.clock = h.clock.Add(d) }

// rests waits until what was written is old enough to be trusted: what changed as
// a pass looked is looked at again by the next one.
func (h *history) rests() {
	const young = 25 * time.Millisecond
	time.Sleep(young - time.Since(h.wrote))
}

// id makes the next id of an event, in the form of a UUID.
func (h *history) id() string {
	h.count++
	return fmt.Sprintf("0000%04x-1111-4222-8333-444444444444", h.count)
}

func (h *history) check(err error) {
	h.t.Helper()
	expect.OK(h.t, err)
}

// write replaces a file of the home.
func (h *history) write(path, text string) {
	h.t.Helper()
	h.put(filepath.Join(h.home, path), text)
}

// put replaces a file, as a program does that saves it again.
func (h *history) put(path, text string) {
	h.t.Helper()
	h.check(os.MkdirAll(filepath.Dir(path), 0o700))
	h.check(os.WriteFile(path+".new", []byte(text), 0o600))
	h.check(os.Rename(path+".new", path))
	h.check(os.Chtimes(path, h.clock, h.clock))
	h.wrote = time.Now()
}

// extend appends to a file of the home.
func (h *history) extend(path, text string) {
	h.t.Helper()
	h.add(filepath.Join(h.home, path), text)
}

// add appends to a file.
func (h *history) add(path, text string) {
	h.t.Helper()
	h.check(os.MkdirAll(filepath.Dir(path), 0o700))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	h.check(err)
	_, err = f.WriteString(text)
	h.check(err)
	h.check(f.Close())
	h.check(os.Chtimes(path, h.clock, h.clock))
	h.wrote = time.Now()
}

func (h *history) remove(path string) {
	h.t.Helper()
	h.check(os.RemoveAll(filepath.Join(h.home, path)))
}

func (h *history) text(path string) string {
	h.t.Helper()
	b := expect.Value(os.ReadFile(filepath.Join(h.home, path)))(h.t)
	return string(b)
}

// The places the people of the scenarios work in.
const (
	widget  = "/home/ada/src/widget" // octo-org/widget on github.com
	latency = "/home/ada/lab/latency"
)

// fields are the data of an event.
type fields map[string]any

// whole is a number the CLI writes as 1.0 and, after a rewind, as 1.
func whole(n int) json.RawMessage { return json.RawMessage(fmt.Sprintf("%d.0", n)) }

func encode(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	expect.OK(t, e.Encode(v))
	return string(bytes.TrimSpace(b.Bytes()))
}

// event makes a line of a log. A sub-agent's carry its id.
func (h *history) event(kind, agent string, data fields) string {
	h.later(time.Second)
	e := fields{"type": kind, "data": data, "id": h.id(), "timestamp": h.clock.Format("2006-01-02T15:04:05.000Z"), "parentId": nil}
	if agent != "" {
		e["agentId"] = agent
	}
	return encode(h.t, e) + "\n"
}

func workplace(dir string) fields {
	if dir != widget {
		return fields{"cwd": dir}
	}
	return fields{
		"cwd": dir, "gitRoot": dir, "repository": "octo-org/widget", "hostType": "github",
		"repositoryHost": "github.com", "branch": "main",
	}
}

// talk is one session and what the CLI keeps of it.
type talk struct {
	*history
	uuid        string
	cwd         string
	began       time.Time
	name        string
	named       bool // by the user
	prompts     int
	checkpoints []string // titles, by number
	calls       int
	edited      []edit

	waiting exchange // the turn whose row the store gets with the next prompt
	next    int      // index of that row
}

// begins opens a session in a folder.
func (h *history) begins(uuid, cwd string) *talk {
	h.later(time.Minute)
	s := &talk{history: h, uuid: uuid, cwd: cwd, began: h.clock}
	s.log("session.start", fields{
		"sessionId": uuid, "version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.102",
		"startTime": h.clock, "selectedModel": "gpt-5", "context": workplace(cwd),
	})
	s.index()
	s.workspace()
	h.rows.session(s)
	return s
}

// edit is a file that was changed after the n-th prompt.
type edit struct {
	path   string
	prompt int
}

func (s *talk) path(name string) string { return "session-state/" + s.uuid + "/" + name }

// log appends an event of the root agent.
func (s *talk) log(kind string, data fields) {
	s.t.Helper()
	s.extend(s.path("events.jsonl"), s.event(kind, "", data))
}

// asks is a prompt of the person. It names the session until somebody else does.
func (s *talk) asks(prompt string) *talk {
	s.t.Helper()
	s.later(time.Minute)
	s.rows.turn(s)
	s.log("user.message", fields{
		"content": prompt, "delivery": "idle", "interactionId": s.id(),
		"transformedContent": "<current_datetime>2026</current_datetime>\n\n" + prompt,
	})
	s.waiting = exchange{user: prompt, at: s.clock}
	if s.prompts++; s.prompts == 1 && s.name == "" {
		s.name = prompt
		s.workspace()
		s.rows.session(s)
	}
	return s
}

// says is an answer of the root agent.
func (s *talk) says(answer string) *talk {
	s.t.Helper()
	s.log("assistant.turn_start", fields{"turnId": "0"})
	s.log("assistant.message", fields{"messageId": s.id(), "model": "gpt-5", "content": answer, "toolRequests": []any{}})
	s.log("assistant.turn_end", fields{"turnId": "0"})
	s.waiting.answer = answer
	return s
}

// call is a tool call of the root agent, with its result.
func (s *talk) call(tool string, args, end fields) {
	s.t.Helper()
	s.calls++
	id := fmt.Sprintf("call_%s_%d", s.uuid[:8], s.calls)
	s.log("assistant.message", fields{"messageId": s.id(), "model": "gpt-5", "content": "",
		"toolRequests": []any{fields{"toolCallId": id, "name": tool, "arguments": args, "type": "function"}}})
	s.log("tool.execution_start", fields{"toolCallId": id, "toolName": tool, "arguments": args})
	end["toolCallId"], end["success"], end["toolTelemetry"] = id, true, fields{"metrics": fields{"commandTimeout": whole(30000)}}
	s.log("tool.execution_complete", end)
}

// edits changes a file of the project.
func (s *talk) edits(path string) *talk {
	s.t.Helper()
	path = s.cwd + "/" + path
	s.call("edit", fields{"path": path, "old_str": "a", "new_str": "b"},
		fields{"result": fields{"content": "edited"}, "fileEdits": []any{fields{"path": path, "kind": "edit"}}})
	s.edited = append(s.edited, edit{path, s.prompts})
	s.rows.file(s, path)
	return s
}

// commits runs git in the shell.
func (s *talk) commits(hash, subject string) *talk {
	s.t.Helper()
	s.call("bash", fields{"command": "git commit -am '" + subject + "'", "description": "Commit"},
		fields{"result": fields{"content": "[main " + hash + "] " + subject + "\n 1 file changed"}})
	s.rows.ref(s, hash)
	return s
}

// leaves ends the process: the log gets its last event, the store its last row.
func (s *talk) leaves() *talk {
	s.t.Helper()
	var paths []string
	for _, e := range s.edited {
		paths = append(paths, e.path)
	}
	s.log("session.shutdown", fields{"shutdownType": "routine", "codeChanges": fields{"linesAdded": 1, "filesModified": paths}})
	s.rows.turn(s)
	return s
}

// resumes continues with the session in a new process.
func (s *talk) resumes() *talk {
	s.t.Helper()
	s.later(time.Hour)
	s.log("session.resume", fields{"resumeTime": s.clock, "eventCount": s.count, "context": workplace(s.cwd)})
	s.workspace()
	s.rows.session(s)
	return s
}
