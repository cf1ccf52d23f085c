//go:build unix

package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// claudeDriver drives Claude Code in print mode.
var claudeDriver = driver{
	label:   "Claude Code",
	named:   "--claude-home",
	folder:  ".claude",
	pkg:     "@anthropic-ai/claude-code",
	program: "@anthropic-ai/claude-code-*/claude", // what the package's script would link to
	answers: (*model).messages,
	env: func(a *agent) []string {
		return []string{"ANTHROPIC_BASE_URL=" + a.URL, "ANTHROPIC_API_KEY=unused", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
			"DISABLE_ERROR_REPORTING=1", "DISABLE_INSTALLATION_CHECKS=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	},
	settles: func(*agent) {},
	args: func(how way, session, words string) []string {
		args := []string{"-p", words, "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"}
		switch how {
		case resumed:
			args = append(args, "--resume", session)
		case forked:
			args = append(args, "--resume", session, "--fork-session")
		}
		return append(args, "--allowedTools", "Bash,Write")
	},
	writes: func(path, text string) toolCall {
		return toolCall{"Write", map[string]any{"file_path": path, "content": text}}
	},
	shell: func(command string) toolCall {
		return toolCall{"Bash", map[string]any{"command": command, "description": "Run it"}}
	},
}

// messages speaks as Anthropic's Messages API does.
func (m *model) messages(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		return // it looks whether we are there
	}
	if strings.HasSuffix(r.URL.Path, "/count_tokens") {
		_, _ = fmt.Fprint(w, `{"input_tokens":1000}`)
		return
	}
	var req struct {
		request
		Model string
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/v1/messages" {
		http.Error(w, "not here", http.StatusNotFound)
		return
	}
	s, n := m.next(req.request)
	defer m.leave()
	var blocks []map[string]any
	if s.text != "" || len(s.calls) == 0 {
		blocks = append(blocks, map[string]any{"type": "text", "text": s.text})
	}
	why := "end_turn"
	for i, c := range s.calls {
		why = "tool_use"
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%06d_%02d", n, i), "name": c.tool, "input": c.args})
	}
	message := map[string]any{"id": fmt.Sprintf("msg_%06d", n), "type": "message", "role": "assistant", "model": req.Model, "content": blocks,
		"stop_reason": why, "stop_sequence": nil, "usage": map[string]int{"input_tokens": 1000, "output_tokens": 100}}
	if !req.Stream {
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	send := events(w)
	message["content"], message["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": message})
	for i, b := range blocks {
		start, delta := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": b["text"]}
		if b["type"] == "tool_use" {
			args, _ := json.Marshal(b["input"])
			start = map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(args)}
		}
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		if s.hangs {
			m.hang(r)
			return
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": why, "stop_sequence": nil}, "usage": map[string]int{"output_tokens": 100}})
	send("message_stop", map[string]any{})
}

// events begins an answer that is sent piece by piece, and returns what sends a piece.
func events(w http.ResponseWriter) func(kind string, event map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	return func(kind string, event map[string]any) {
		event["type"] = kind
		text, _ := json.Marshal(event)
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text)
		_ = http.NewResponseController(w).Flush()
	}
}
