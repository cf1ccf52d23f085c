//go:build unix

package faults

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/askagent"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestRealAskedClaude(t *testing.T) { askAgent(t, claudeBaits, *claudeCode) }

// Which tools Codex offers goes by the name of the model; without one it chooses.
func TestRealAskedCodex(t *testing.T) {
	for _, model := range []string{"", "gpt-5.5", "gpt-6-sol", "unknown"} {
		t.Run("model "+model, func(t *testing.T) {
			b := codexBaits
			b.chosen = model
			askAgent(t, b, *codexCLI)
		})
	}
}

func TestRealAskedCopilot(t *testing.T) { askAgent(t, copilotBaits, *copilot) }

// askAgent has a genuine agent, whose user configured all that can be, answer a prompt
// as "sessionloom distil" asks it, while the model answers, tries tools, or hangs. What
// the user configured works where the agent is run as usual.
func askAgent(t *testing.T, b baits, version string) {
	const answer = `{"lines": []}`
	a := newAsked(t, b, version)
	tries := []step{
		{calls: []toolCall{b.shell(a.touch("shell"))}},
		{calls: []toolCall{b.writes(filepath.Join(a.ran, "written"), "one\n")}},
		{calls: []toolCall{{b.mcp, map[string]any{}}}},
		{text: answer},
	}
	a.asUsual(tries)

	file := filepath.Join(a.user, "file.txt")
	a.must(os.WriteFile(file, []byte(bait+" in a file\n"), 0o600))
	prompt := askagent.Mark + " 1\nWhat is in @" + file + " and @~/file.txt?\n" + strings.Repeat("One line of a long session.\n", 8000) + "The end."
	a.bare = true
	for _, steps := range [][]step{{{text: answer}}, tries, {{text: "I am about to", hangs: true}}} {
		a.clear()
		before := tree(t, a.home)
		a.will(steps...)
		asked := expect.Value(askagent.Find([]string{a.shim}, false, exec.LookPath))(a.t)
		hangs := steps[0].hangs
		if hangs {
			asked.Patience = 40 * time.Second
		}
		got, err := asked.Ask(t.Context(), prompt)
		if hangs != (err != nil) || !hangs && got != answer || hangs && !strings.Contains(err.Error(), "no answer within") {
			t.Errorf("%d steps: the answer is %q, the error %v", len(steps), got, err)
		}
		expect.Is(t, len(a.requests), len(steps), "steps", "requests")
		if ran := list(a.ran); len(ran) > 0 {
			t.Errorf("%d steps: it ran %v", len(steps), ran)
		}
		for _, r := range a.requests {
			expect.Has(t, r, "The end.", "a request without the end of the prompt")
			if tools := offered(t, r); len(tools) > 0 {
				t.Errorf("a request offers %v", tools)
			}
			if at := strings.Index(r, bait+" in "); at >= 0 {
				t.Errorf("a request with what the user configured: %.200s", r[max(0, at-100):])
			}
		}
		if left := differences(before, tree(t, a.home), false); !hangs && strings.Contains(left, "+ ") { // Claude Code notes which of its processes live
			t.Errorf("it left behind in its home:\n%s", left)
		}
		if found, err := grep(a.user, askagent.Mark+" 1"); err != nil || found != "" {
			t.Errorf("the prompt was kept in %s %v", found, err)
		}
		a.ended()
	}
	proved(t, a.version()+", asked", 3, 1, "no tool offered or run, no hook, no MCP server, no instructions, no session left")
}

// asUsual expects that the baits work: the agent of the user runs what they configured.
func (a *asked) asUsual(steps []step) {
	a.t.Helper()
	a.clear()
	a.will(steps...)
	cmd := exec.Command(a.shim, a.agent.args(begun, "", "Do as you like.")...)
	cmd.Dir = a.project
	if out, err := cmd.CombinedOutput(); err != nil || len(a.requests) != len(steps) {
		a.t.Fatalf("as usual: %d requests, %v %s", len(a.requests), err, out)
	}
	ran := strings.Join(list(a.ran), " ")
	for _, what := range []string{"hook-", "mcp", "shell"} {
		expect.Has(a.t, ran, what, "as usual, nothing", "runs, only")
	}
	if first := a.requests[0]; !strings.Contains(first, bait+" in instructions") || len(offered(a.t, first)) == 0 {
		a.t.Errorf("as usual, no instructions or no tools %v", offered(a.t, first))
	}
}

// ended expects that no process of the agent lives on.
func (a *asked) ended() {
	a.t.Helper()
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline") // elsewhere: none
	for _, path := range commands {
		if text, _ := os.ReadFile(path); strings.Contains(string(text), a.program) {
			a.t.Errorf("%s lives on: %q", filepath.Dir(path), text)
		}
	}
}
