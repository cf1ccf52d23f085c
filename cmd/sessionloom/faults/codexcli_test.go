//go:build unix

package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// codexDriver drives Codex by its command exec.
var codexDriver = driver{
	label:   "Codex",
	named:   "--codex-home",
	folder:  ".codex",
	pkg:     "@openai/codex",
	program: ".bin/codex",
	answers: (*model).responses,
	env:     func(*agent) []string { return []string{"SCRIPTED_API_KEY=unused", "CODEX_API_KEY=unused"} },
	settles: func(a *agent) {
		a.must(os.WriteFile(filepath.Join(a.home, "config.toml"), fmt.Appendf(nil, codexSettings, a.URL, a.project), 0o600))
	},
	args: func(how way, session, words string) []string {
		flags := []string{"--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"}
		switch how {
		case resumed:
			return append(append([]string{"exec", "resume"}, flags...), session, words)
		case forked:
			return append(append([]string{"exec", "fork"}, flags...), session, words)
		}
		return append(append([]string{"exec"}, flags...), words)
	},
	writes: func(path, text string) toolCall {
		lines := strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n+")
		return toolCall{applyPatch, map[string]any{"input": "*** Begin Patch\n*** Add File: " + path + "\n+" + lines + "\n*** End Patch\n"}}
	},
	shell: func(command string) toolCall {
		return toolCall{"exec_command", map[string]any{"cmd": command}}
	},
}

// codexSettings name the scripted model as the only one. Which tools it is offered goes
// by the name of a model.
const codexSettings = `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "%s/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."%s"]
trust_level = "trusted"

[features]
daemon_auto_start = false

[analytics]
enabled = false

[feedback]
enabled = false
`

// applyPatch is the tool that takes a text in place of arguments.
const applyPatch = "apply_patch"

// responses speaks as OpenAI's Responses API does.
func (m *model) responses(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model string
		Input []struct{ Content json.RawMessage }
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/responses" || json.NewDecoder(r.Body).Decode(&req) != nil {
		http.Error(w, `{"error":{"message":"not here"}}`, http.StatusNotFound)
		return
	}
	s, n := m.responds(len(req.Input) > 0 && strings.Contains(string(req.Input[len(req.Input)-1].Content), "Generate a concise, single-line task title"))
	defer m.leave()
	var items []map[string]any
	if s.text != "" {
		items = append(items, map[string]any{"id": fmt.Sprintf("msg_%06d", n), "type": "message", "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": s.text, "annotations": []any{}}}})
	}
	for i, c := range s.calls {
		id := fmt.Sprintf("%06d_%02d", n, i)
		item := map[string]any{"id": "fc_" + id, "type": "function_call", "status": "completed", "call_id": "call_" + id, "name": c.tool}
		if c.tool == applyPatch {
			item["type"], item["input"] = "custom_tool_call", c.args["input"]
		} else {
			args, _ := json.Marshal(c.args)
			item["arguments"] = string(args)
		}
		items = append(items, item)
	}
	whole := map[string]any{"id": fmt.Sprintf("resp_%06d", n), "object": "response", "created_at": time.Now().Unix(), "model": req.Model,
		"status": "in_progress", "output": []any{}}
	send := events(w)
	send("response.created", map[string]any{"response": whole})
	for i, item := range items {
		send("response.output_item.added", map[string]any{"output_index": i, "item": item})
		if item["type"] == "message" {
			send("response.output_text.delta", map[string]any{"output_index": i, "item_id": item["id"], "content_index": 0, "delta": s.text})
		}
		if s.hangs {
			m.hang(r)
			return
		}
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	whole["status"], whole["output"] = "completed", items
	whole["usage"] = map[string]any{"input_tokens": 1000, "output_tokens": 100, "total_tokens": 1100,
		"input_tokens_details": map[string]int{"cached_tokens": 500}, "output_tokens_details": map[string]int{"reasoning_tokens": 0}}
	send("response.completed", map[string]any{"response": whole})
}

// responds takes the next step, unless a title for the session is asked for.
func (m *model) responds(title bool) (step, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy++
	if title {
		m.summaries++
		return step{text: fmt.Sprintf(`{"title":"Task number %d"}`, m.summaries)}, 900000 + m.summaries
	}
	return m.take()
}
