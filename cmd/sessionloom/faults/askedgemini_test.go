//go:build unix

package faults

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

var geminiCLI = flag.String("faults.gemini", "", "version of the Gemini CLI to install with npm and to ask; empty: none")

func TestRealAskedGemini(t *testing.T) { askAgent(t, geminiBaits, *geminiCLI) }

var geminiBaits = baits{
	driver: driver{
		label:   "Gemini CLI",
		named:   "--gemini-home",
		folder:  ".gemini",
		pkg:     "@google/gemini-cli",
		program: ".bin/gemini",
		answers: (*model).generates,
		env: func(a *agent) []string {
			return []string{"GOOGLE_GENAI_USE_VERTEXAI=true", "GOOGLE_API_KEY=unused", "GOOGLE_VERTEX_BASE_URL=" + a.URL, "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		settles: func(*agent) {},
		args: func(_ way, _, words string) []string {
			return []string{"--approval-mode", "yolo", "--prompt", words}
		},
		writes: func(path, text string) toolCall {
			return toolCall{"write_file", map[string]any{"file_path": path, "content": text}}
		},
		shell: func(command string) toolCall {
			return toolCall{"run_shell_command", map[string]any{"command": command, "description": "Run it"}}
		},
	},
	also: func(*asked) string { return "-m gemini-2.5-pro" },
	mcp:  "mcp_kestrel_look",
	files: func(a *asked) map[string]string {
		settings := `{"security": {"auth": {"selectedType": "vertex-ai"}}, "general": {"enableAutoUpdate": false}, "tools": {"core": ["run_shell_command", "write_file", "read_file"]}, ` +
			a.hooks(nestedHook, "SessionStart", "BeforeAgent", "BeforeModel", "BeforeTool", "SessionEnd") + ", " + a.servers(`, "trust": true`) + "}"
		return map[string]string{
			".gemini/settings.json":           settings,
			".gemini/GEMINI.md":               "kestrel in instructions",
			".gemini/skills/kestrel/SKILL.md": baitSkill,
			".gemini/agents/kestrel.md":       baitSkill,
			"tmp/.gemini/settings.json":       settings,
			"tmp/GEMINI.md":                   "kestrel in instructions above\n",
		}
	},
}

// generates speaks as the Gemini API does.
func (m *model) generates(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.URL.Path, "countTokens") {
		_, _ = fmt.Fprint(w, `{"totalTokens": 1000}`)
		return
	}
	var req request
	if json.NewDecoder(r.Body).Decode(&req) != nil || !strings.Contains(r.URL.Path, "enerateContent") {
		http.Error(w, "not here", http.StatusNotFound)
		return
	}
	s, _ := m.next(req)
	defer m.leave()
	var parts []map[string]any
	if s.text != "" {
		parts = append(parts, map[string]any{"text": s.text})
	}
	for _, c := range s.calls {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"name": c.tool, "args": c.args}})
	}
	if s.hangs {
		m.hang(r)
		return
	}
	text, _ := json.Marshal(map[string]any{"candidates": []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]int{"promptTokenCount": 1000, "candidatesTokenCount": 100, "totalTokenCount": 1100}})
	if strings.Contains(r.URL.Path, "stream") {
		w.Header().Set("Content-Type", "text/event-stream")
		text = fmt.Appendf(nil, "data: %s\n\n", text)
	}
	_, _ = w.Write(text)
}
