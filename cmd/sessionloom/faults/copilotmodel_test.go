//go:build unix

package faults

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// step is one answer of the scripted model: words, then calls of tools. The last
// step of a prompt calls none.
type step struct {
	text  string
	calls []toolCall
	hangs bool // after the words nothing comes any more
}

// toolCall is a tool that the model wants to be run.
type toolCall struct {
	tool string
	args map[string]any
}

// calling is a step with one call and no words.
func calling(tool string, args map[string]any) step {
	return step{calls: []toolCall{{tool, args}}}
}

// model is a scripted model on loopback, spoken to as one speaks to OpenAI's.
type model struct {
	*httptest.Server
	mu        sync.Mutex
	steps     []step
	bare      bool          // prompts offer no tools
	served    int           // answers to a prompt so far
	summaries int           // answers to a request to sum up the conversation
	busy      int           // answers under way
	hanging   chan struct{} // gets one when an answer hangs
	done      chan struct{} // lets go of those that hang
}

func newModel(t *testing.T) *model { return modelOf(t, (*model).handle) }

// modelOf is a model that is spoken to as handle does.
func modelOf(t *testing.T, handle func(*model, http.ResponseWriter, *http.Request)) *model {
	m := &model{hanging: make(chan struct{}, 8), done: make(chan struct{})}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(m, w, r) }))
	t.Cleanup(func() {
		close(m.done)
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

// will sets the model's answer to the next prompt.
func (m *model) will(steps ...step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps = slices.Clone(steps)
}

// count returns how many answers there were, how many are left and under way.
func (m *model) count() (served, summaries, left int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.served, m.summaries, len(m.steps) + m.busy
}

// request is what the model looks at of what it is asked.
type request struct {
	Stream   bool
	Tools    []json.RawMessage
	Messages []struct {
		Role    string
		Content json.RawMessage
	}
}

func (m *model) handle(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"scripted","object":"model"}]}`)
		return
	}
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s, n := m.next(req)
	defer m.leave()
	m.answer(w, r, req.Stream, s, n)
}

// next takes the step that answers a request.
func (m *model) next(req request) (step, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy++
	last := ""
	if len(req.Messages) > 0 {
		last = string(req.Messages[len(req.Messages)-1].Content)
	}
	switch {
	case strings.Contains(last, "checkpoint_title"):
		m.summaries++
		return step{text: fmt.Sprintf("<overview>\nWhat was done until summary %d.\n</overview>\n\n<history>\n1. Files were made.\n</history>\n\n"+
			"<checkpoint_title>Summary number %[1]d</checkpoint_title>", m.summaries)}, m.summaries
	case len(req.Tools) == 0 && !m.bare: // it wants a title, or to know whether we are there
		return step{text: "OK"}, 0
	}
	return m.take()
}

// take is the next step that was given.
func (m *model) take() (step, int) {
	m.served++
	if len(m.steps) == 0 {
		return step{text: "Done."}, m.served
	}
	s := m.steps[0]
	m.steps = m.steps[1:]
	return s, m.served
}

// unsaid is how many steps were not asked for.
func (m *model) unsaid() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.steps)
}

// leave ends the answer that take begins.
func (m *model) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy--
}

// hang stops in the middle of an answer until who asked is gone.
func (m *model) hang(r *http.Request) {
	m.hanging <- struct{}{}
	select {
	case <-r.Context().Done():
	case <-m.done:
	}
}

func (m *model) answer(w http.ResponseWriter, r *http.Request, stream bool, s step, n int) {
	var calls []map[string]any
	for i, c := range s.calls {
		args, err := json.Marshal(c.args)
		if err != nil {
			panic(err) // a map of strings
		}
		calls = append(calls, map[string]any{"index": i, "id": fmt.Sprintf("call_%06d_%02d", n, i), "type": "function",
			"function": map[string]any{"name": c.tool, "arguments": string(args)}})
	}
	why := "stop"
	if len(calls) > 0 {
		why = "tool_calls"
	}
	whole := map[string]any{"id": fmt.Sprintf("chatcmpl-%06d", n), "object": "chat.completion", "created": time.Now().Unix(), "model": "scripted",
		"usage": map[string]int{"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}}
	if !stream {
		message := map[string]any{"role": "assistant", "content": s.text}
		if len(calls) > 0 {
			message["tool_calls"] = calls
		}
		whole["choices"] = []any{map[string]any{"index": 0, "message": message, "finish_reason": why}}
		_ = json.NewEncoder(w).Encode(whole)
		return
	}
	whole["object"] = "chat.completion.chunk"
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, finish any) {
		whole["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
		text, _ := json.Marshal(whole)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", text)
		_ = http.NewResponseController(w).Flush()
	}
	send(map[string]any{"role": "assistant", "content": s.text}, nil)
	if s.hangs {
		m.hang(r)
		return
	}
	if len(calls) > 0 {
		send(map[string]any{"tool_calls": calls}, nil)
	}
	send(map[string]any{}, why)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
