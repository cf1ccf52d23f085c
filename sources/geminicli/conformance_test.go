package geminicli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

func TestConformance(t *testing.T) {
	t.Run("Chats", func(t *testing.T) {
		sourcetest.Run(t, sourcetest.Suite{Open: func(dir string) sources.Source { return named{open(dir)} }, History: chats{}})
	})
	t.Run("Transcripts", func(t *testing.T) {
		sourcetest.Run(t, sourcetest.Suite{Open: func(dir string) sources.Source { return open(dir) }, History: transcripts{}})
	})
}

func open(homes ...string) *geminicli.Source { return geminicli.New(geminicli.Config{Homes: homes}) }

// named is the source with items that name their sessions: the suite looks for them, and a chat
// names its session only inside.
type named struct{ *geminicli.Source }

func (s named) List(ctx context.Context) (sources.Listing, error) {
	l, err := s.Source.List(ctx)
	for i, it := range l.Items {
		if it.Kind == sources.KindSession && it.Session == "" {
			if r, err := s.Source.Read(ctx, it); err == nil && len(r.Sessions) > 0 {
				l.Items[i].Session = r.Sessions[0].ID
			}
		}
	}
	return l, err
}

func (s named) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	id := it.Session
	it.Session = ""
	r, err := s.Source.Read(ctx, it)
	if id != "" {
		for _, of := range r.Sessions {
			r.Layers = append(r.Layers, of.Layers...)
		}
		r.Sessions = nil
	}
	return r, err
}

// chats writes the chats of Gemini CLI 0.61.
type chats struct{}

// Lines of a turn without calls, those before the first one, and the place of the prompt and
// the answer among them.
const (
	headLines  = 2
	turnLines  = 4
	promptLine = 0
	answerLine = 2
)

func (chats) Log(dir, id string) string {
	return filepath.Join(dir, "tmp", "widget", "chats", "session-2026-04-02T09-00-"+id[:8]+".jsonl")
}

func (h chats) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	w := begin(id, at)
	w.turns(at, 0, turns)
	write(t, h.Log(dir, id), w.Bytes())
	write(t, filepath.Join(dir, "tmp", "widget", ".project_root"), []byte("/home/dev/src/widget"))
}

func (h chats) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	w := &log{id: id}
	w.turns(at, n, turns)
	sourcetest.Append(t, h.Log(dir, id), w.Bytes())
}

func (h chats) Tear(t *testing.T, dir, id string) { tear(t, h.Log(dir, id), turnLines-answerLine) }

func (h chats) Break(t *testing.T, dir, id string) {
	lines := linesOf(t, h.Log(dir, id))
	lines[headLines+turnLines+promptLine] = []byte("{\"id\":\"x\",\"type\":\"user\",\n")
	write(t, h.Log(dir, id), bytes.Join(lines, nil))
}

func (chats) Expiring(t *testing.T, dir, id string, _ time.Time, _ []sourcetest.Turn) []string {
	plan := filepath.Join(dir, "tmp", "widget", id, "plans", "rotation.md")
	write(t, plan, []byte("# Rotation\n\nOne key after the other.\n"))
	return []string{plan}
}

func (h chats) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	w := begin(id, at)
	w.prompt(at, 0, turn.User)
	var calls []any
	for i, run := range runs {
		calls = append(calls, shellCall(fmt.Sprint("call_", i), at, run))
	}
	message := map[string]any{"type": "gemini", "content": "", "toolCalls": calls}
	w.message("calls", at, message)
	w.answer(at, 0, turn.Answer)
	write(t, h.Log(dir, id), w.Bytes())
}

func shellCall(id string, at time.Time, run sourcetest.Ran) map[string]any {
	output := "<untrusted_context>\nOutput: (empty)\n"
	if run.Exit != 0 {
		output += fmt.Sprintf("Exit Code: %d\n", run.Exit)
	}
	return call(id, "run_shell_command", at, map[string]any{"command": run.Command, "description": "Run it"}, "success", output+"Process Group PGID: 7\n</untrusted_context>")
}

func call(id, name string, at time.Time, args map[string]any, status, output string) map[string]any {
	kind := "output"
	if status != "success" {
		kind = "error"
	}
	return map[string]any{"id": id, "name": name, "args": args, "status": status, "timestamp": stampOf(at),
		"result": []any{map[string]any{"functionResponse": map[string]any{"id": id, "name": name, "response": map[string]any{kind: output}}}}}
}

// log is a chat under way.
type log struct {
	bytes.Buffer
	id string
}

func begin(id string, at time.Time) *log {
	w := &log{id: id}
	w.head(id, at)
	w.put(map[string]any{"$set": map[string]any{"messages": []any{map[string]any{"id": "context", "timestamp": stampOf(at), "type": "user",
		"content": []any{map[string]any{"text": "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n</session_context>"}}}}}})
	return w
}

func (w *log) head(id string, at time.Time) {
	fmt.Fprintf(w, `{"sessionId":%q,"projectHash":"97dfbcf365a54407d43284375e055a6bcf49820a8845497edffbdf5b604a1c8f","startTime":%q,"lastUpdated":%q,"kind":"main"}`+"\n", id, stampOf(at), stampOf(at))
}

// turns writes them a minute apart.
func (w *log) turns(at time.Time, n int, turns []sourcetest.Turn) {
	for i, turn := range turns {
		when := at.Add(time.Duration(n+i) * time.Minute)
		w.prompt(when, n+i, turn.User)
		w.answer(when.Add(time.Second), n+i, turn.Answer)
	}
}

func (w *log) prompt(at time.Time, n int, text string) {
	w.message(fmt.Sprint("prompt-", n), at, map[string]any{"type": "user", "content": []any{map[string]any{"text": text}}})
}

func (w *log) answer(at time.Time, n int, text string) {
	w.message(fmt.Sprint("answer-", n), at, map[string]any{"type": "gemini", "content": text, "thoughts": []any{}, "model": "gemini-2.5-pro",
		"tokens": map[string]any{"input": 100, "output": 10, "cached": 0, "thoughts": 5, "tool": 0, "total": 115}})
}

// message writes a message in the order of members that the program keeps, and when that was.
func (w *log) message(id string, at time.Time, fields map[string]any) {
	kind := fields["type"]
	rest, err := json.Marshal(without(fields, "type"))
	if err != nil {
		panic(err) // plain data
	}
	fmt.Fprintf(w, `{"id":%q,"timestamp":%q,"type":%q,%s`+"\n", id, stampOf(at), kind, rest[1:])
	fmt.Fprintf(w, `{"$set":{"lastUpdated":%q}}`+"\n", stampOf(at))
}

func (w *log) put(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	w.Write(append(body, '\n'))
}

func without(fields map[string]any, name string) map[string]any {
	out := map[string]any{}
	for key, value := range fields {
		if key != name {
			out[key] = value
		}
	}
	return out
}

// transcripts writes those of agy.
type transcripts struct{}

// Steps of a turn of agy.
const stepsOfTurn = 2

func (transcripts) Log(dir, id string) string {
	return filepath.Join(dir, "antigravity-cli", "brain", id, ".system_generated", "logs", "transcript_full.jsonl")
}

func (h transcripts) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	w := &steps{}
	w.turns(at, turns)
	write(t, h.Log(dir, id), w.Bytes())
}

func (h transcripts) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	w := &steps{n: n * stepsOfTurn}
	w.turns(at, turns)
	sourcetest.Append(t, h.Log(dir, id), w.Bytes())
}

func (h transcripts) Tear(t *testing.T, dir, id string) { tear(t, h.Log(dir, id), 1) }

func (h transcripts) Break(t *testing.T, dir, id string) {
	lines := linesOf(t, h.Log(dir, id))
	lines[stepsOfTurn] = []byte("{\"step_index\":2,\"source\":\n")
	write(t, h.Log(dir, id), bytes.Join(lines, nil))
}

func (h transcripts) Behead(t *testing.T, dir, id string) {
	lines := linesOf(t, h.Log(dir, id))
	write(t, h.Log(dir, id), bytes.Join(lines[len(lines)-1-stepsOfTurn:], nil))
}

func (h transcripts) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	w := &steps{}
	w.prompt(at, turn.User)
	for _, run := range runs {
		w.step(at, "MODEL", "PLANNER_RESPONSE", map[string]any{"tool_calls": []any{map[string]any{"name": "run_command", "args": map[string]any{"CommandLine": run.Command, "Cwd": "/home/dev/src/widget"}}}})
		w.step(at, "MODEL", "RUN_COMMAND", map[string]any{"content": fmt.Sprintf("The command exited with code %d.\nOutput:\n", run.Exit)})
	}
	w.step(at, "MODEL", "PLANNER_RESPONSE", map[string]any{"content": turn.Answer})
	write(t, h.Log(dir, id), w.Bytes())
}

// steps are those of a transcript under way.
type steps struct {
	bytes.Buffer
	n int
}

func (w *steps) turns(at time.Time, turns []sourcetest.Turn) {
	for _, turn := range turns {
		when := at.Add(time.Duration(w.n/stepsOfTurn) * time.Minute)
		w.prompt(when, turn.User)
		w.step(when.Add(time.Second), "MODEL", "PLANNER_RESPONSE", map[string]any{"content": turn.Answer})
	}
}

func (w *steps) prompt(at time.Time, text string) {
	w.step(at, "USER_EXPLICIT", "USER_INPUT", map[string]any{"content": "<USER_REQUEST>\n" + text + "\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe current local time is: 2026-04-02T11:00:00+02:00.\n</ADDITIONAL_METADATA>"})
}

func (w *steps) step(at time.Time, source, kind string, fields map[string]any) {
	rest, err := json.Marshal(fields)
	if err != nil {
		panic(err) // plain data
	}
	fmt.Fprintf(w, `{"step_index":%d,"source":%q,"type":%q,"status":"DONE","created_at":%q,%s`+"\n", w.n, source, kind, stampOf(at), rest[1:])
	w.n++
}

func stampOf(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func linesOf(t *testing.T, path string) [][]byte {
	t.Helper()
	return bytes.SplitAfter(read(t, path), []byte("\n"))
}

// tear leaves half of the line that stands so many lines before the end, and nothing behind it.
func tear(t *testing.T, path string, before int) {
	t.Helper()
	lines := linesOf(t, path)
	torn := len(lines) - 1 - before
	write(t, path, append(bytes.Join(lines[:torn], nil), lines[torn][:len(lines[torn])/2]...))
}

var must, read, write = sourcetest.Must, sourcetest.Read, sourcetest.Write
