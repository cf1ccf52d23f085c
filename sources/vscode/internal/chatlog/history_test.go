package chatlog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// history writes a log as VS Code does: it changes a session and notes the
// difference. It also makes changes VS Code does not.
type history struct {
	*rand.Rand
	state map[string]any
	log   strings.Builder
	next  int
}

type object = map[string]any

func newHistory(seed uint64) *history {
	h := &history{Rand: rand.New(rand.NewPCG(seed, 1))}
	h.state = object{"version": 3, "sessionId": "s", "requests": []any{}, "inputState": object{"mode": object{"id": "agent", "kind": "agent"}}}
	for range h.IntN(4) {
		h.state["requests"] = append(h.requests(), h.request())
	}
	h.line(object{"kind": 0, "v": h.state})
	return h
}

func (h *history) line(entry object) { h.log.WriteString(encode(entry) + "\n") }

func (h *history) requests() []any { return h.state["requests"].([]any) }

func (h *history) text() string {
	return strings.Repeat(string(rune('a'+h.IntN(26))), 1+h.IntN(5))
}

func (h *history) request() object {
	h.next++
	return object{"requestId": fmt.Sprintf("r%d", h.next), "message": object{"text": h.text()}, "response": []any{},
		"modeInfo": object{"kind": "agent"}, "modelId": "copilot/m", "modelState": object{"value": 0},
		"agent": object{"name": "agent", "metadata": h.text()}}
}

func (h *history) part() any {
	switch h.IntN(6) {
	case 0:
		return object{"kind": "thinking", "value": h.text()}
	case 1:
		return object{"kind": "inlineReference", "inlineReference": object{"path": "/" + h.text(), "scheme": "file", "fsPath": "x"}}
	case 2:
		return object{"kind": "textEditGroup", "uri": object{"path": "/x"}, "edits": []any{[]any{object{"text": h.text()}}, []any{}}}
	}
	return object{"value": h.text()}
}

// set changes a value at a path and writes it down.
func (h *history) set(value any, path ...any) {
	var node any = h.state
	for _, step := range path[:len(path)-1] {
		node = at(node, step)
	}
	entry := object{"kind": 1, "k": path, "v": value}
	switch last := path[len(path)-1].(type) {
	case string:
		if value == nil {
			delete(node.(object), last)
			entry = object{"kind": 1 + 2*h.IntN(2), "k": path}
		} else {
			node.(object)[last] = value
		}
	case int:
		node.([]any)[last] = value
	}
	h.line(entry)
}

func at(node, step any) any {
	if i, ok := step.(int); ok {
		return node.([]any)[i]
	}
	return node.(object)[step.(string)]
}

// push replaces what follows the first n elements of an array.
func (h *history) push(n int, values []any, path ...any) {
	var parent any = h.state
	for _, step := range path[:len(path)-1] {
		parent = at(parent, step)
	}
	old, _ := at(parent, path[len(path)-1]).([]any)
	entry := object{"kind": 2, "k": path}
	if n != len(old) || h.IntN(4) == 0 {
		entry["i"] = n
	}
	if len(values) > 0 {
		entry["v"] = values
	}
	parent.(object)[path[len(path)-1].(string)] = append(slices.Clone(old[:n]), values...)
	h.line(entry)
}

// step does one thing that happens in a chat, seldom one that does not.
func (h *history) step() {
	n := len(h.requests())
	i := n - 1
	if h.IntN(12) == 0 && n > 0 {
		i = h.IntN(n)
	}
	switch c := h.IntN(41); {
	case c < 7 || n == 0:
		h.push(n, []any{h.request()}, "requests")
	case c < 20:
		response := h.requests()[i].(object)["response"].([]any)
		keep := len(response) - h.IntN(min(2, len(response))+1)
		h.push(keep, []any{h.part(), h.part()}[:1+h.IntN(2)], "requests", i, "response")
	case c < 24:
		h.set(object{"metadata": object{"sessionId": h.text(), "toolCallResults": h.text()}}, "requests", i, "result")
	case c < 29:
		h.set(object{"value": 1 + h.IntN(3)}, "requests", i, "modelState")
	case c < 31:
		h.set(h.text(), "customTitle")
	case c < 33:
		h.set(object{"mode": object{"id": h.text()}, "inputText": h.text()}, "inputState")
	case c == 33:
		h.set(nil, []string{"inputState", "customTitle", "computedTitle"}[h.IntN(3)])
	case c == 34:
		h.set(object{"remoteUrl": h.text()}, "repoData")
	case c == 35:
		h.push(h.IntN(n+1), []any{h.request(), h.request()}[:h.IntN(3)], "requests")
	case c == 36:
		h.line(object{"kind": 0, "v": h.state})
	case c == 37:
		h.log.Reset()
		h.line(object{"kind": 0, "v": h.state})
	case c == 38:
		if response := h.requests()[i].(object)["response"].([]any); len(response) > 0 {
			h.set(h.part(), "requests", i, "response", h.IntN(len(response)))
		}
	case c == 39:
		h.set(h.text(), "requests", i, []string{"confirmation", "unheardOf", "timestamp"}[h.IntN(3)])
		h.set(h.text(), "requests", i, "message", "text")
		h.set(h.text(), "requests", i, "agent", []string{"metadata", "name"}[h.IntN(2)])
		for j, part := range h.requests()[i].(object)["response"].([]any) {
			if _, ok := part.(object)["value"]; ok {
				h.set(h.text(), "requests", i, "response", j, "value")
			}
		}
	default:
		r := h.request()
		if h.IntN(2) == 0 {
			delete(r, []string{"modeInfo", "modelId"}[h.IntN(2)])
		}
		h.push(n, []any{r}, "requests")
	}
}

// Replaying what was written for the changes of a session gives what is kept of
// the session.
func TestReplayGivesTheSession(t *testing.T) {
	for seed := range uint64(120) {
		h := newHistory(seed)
		for range 30 {
			h.step()
		}
		f := readText(t, h.log.String())
		if got, want := dump(f.State), kept(t, encode(h.state)); got != want || len(f.Damage) > 0 {
			t.Fatalf("seed %d: %v\ngot  %s\nwant %s\n%s", seed, f.Damage, got, want, h.log.String())
		}
	}
}
