//go:build unix

package faults

import (
	"fmt"
	"path/filepath"
	"strings"
)

// bait is a word that is in all that the user of an agent configured.
const bait = "kestrel"

// baits are what that is: instructions, hooks, skills, an MCP server. What runs shows
// that it ran.
type baits struct {
	driver
	files  func(*asked) map[string]string // by their paths in the home folder; in tmp is what lies above the folder in which it is asked
	also   func(*asked) string            // arguments without which it knows no model
	chosen string                         // model
	mcp    string                         // name of the tool of the MCP server
}

// baitServer is an MCP server with one tool.
const baitServer = `
const fs = require("fs"), dir = process.argv[2]
fs.writeFileSync(dir + "/mcp", "")
require("readline").createInterface({input: process.stdin}).on("line", line => {
  const {id, method, params} = JSON.parse(line)
  const results = {
    initialize: () => ({protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: "kestrel", version: "1"}}),
    "tools/list": () => ({tools: [{name: "look", description: "kestrel in a tool", inputSchema: {type: "object", properties: {}}}]}),
    "tools/call": () => { fs.writeFileSync(dir + "/mcp-call", ""); return {content: [{type: "text", text: "seen"}]} },
  }
  if (id !== undefined) console.log(JSON.stringify({jsonrpc: "2.0", id, result: (results[method] || (() => ({})))()}))
})
`

const baitSkill = "---\nname: kestrel\ndescription: kestrel in a skill\n---\nLook.\n"

// servers has the MCP server in the JSON of Claude Code and Copilot.
func (a *asked) servers(more string) string {
	return fmt.Sprintf(`"mcpServers": {"kestrel": {"command": "node", "args": [%q, %q]%s}}`, filepath.Join(a.user, "bait.js"), a.ran, more)
}

// hooks has a hook for each event; form holds the command.
func (a *asked) hooks(form string, events ...string) string {
	var all []string
	for _, event := range events {
		all = append(all, fmt.Sprintf("%q: [%s]", event, fmt.Sprintf(form, a.touch("hook-"+event))))
	}
	return `"hooks": {` + strings.Join(all, ", ") + `}`
}

const nestedHook = `{"hooks": [{"type": "command", "command": %q}]}` // as Claude Code and Codex have them

var claudeBaits = baits{
	driver: claudeDriver,
	also:   func(*asked) string { return "" },
	mcp:    "mcp__kestrel__look",
	files: func(a *asked) map[string]string {
		settings := `{"permissions": {"allow": ["Bash", "Write", "mcp__kestrel"]}, "enableAllProjectMcpServers": true, ` +
			a.hooks(nestedHook, "SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd") + "}"
		return map[string]string{
			".claude.json":                    "{" + a.servers("") + "}",
			".claude/settings.json":           settings,
			".claude/CLAUDE.md":               "kestrel in instructions",
			".claude/skills/kestrel/SKILL.md": baitSkill,
			".claude/agents/kestrel.md":       baitSkill,
			".claude/commands/kestrel.md":     "kestrel in a command\n",
			"tmp/.claude/settings.json":       settings,
			"tmp/CLAUDE.md":                   "kestrel in instructions above\n",
			"tmp/.mcp.json":                   "{" + a.servers("") + "}",
		}
	},
}

var codexBaits = baits{
	driver: codexDriver,
	also: func(a *asked) string {
		model := ""
		if a.chosen != "" {
			model = " -c model=" + a.chosen
		}
		return fmt.Sprintf(`--dangerously-bypass-hook-trust%s -c model_provider=scripted -c 'model_providers.scripted={name="scripted",base_url="%s/v1",wire_api="responses",`+
			`env_key="CODEX_API_KEY",request_max_retries=0,stream_max_retries=0}'`, model, a.URL)
	},
	mcp: "mcp__kestrel__look",
	files: func(a *asked) map[string]string {
		hooks := "{" + a.hooks(nestedHook, "SessionStart", "UserPromptSubmit", "PreToolUse", "Stop") + "}"
		return map[string]string{
			".codex/config.toml": fmt.Sprintf(codexSettings, a.URL, a.project) +
				fmt.Sprintf("\n[mcp_servers.kestrel]\ncommand = \"node\"\nargs = [%q, %q]\n", filepath.Join(a.user, "bait.js"), a.ran),
			".codex/hooks.json":               hooks,
			".codex/AGENTS.md":                "kestrel in instructions",
			".codex/skills/kestrel/SKILL.md":  baitSkill,
			".agents/skills/kestrel/SKILL.md": baitSkill,
			"tmp/.codex/hooks.json":           hooks,
			"tmp/AGENTS.md":                   "kestrel in instructions above\n",
		}
	},
}

var copilotBaits = baits{
	driver: copilotDriver,
	also:   func(*asked) string { return "" },
	mcp:    "kestrel-look",
	files: func(a *asked) map[string]string {
		hooks := a.hooks(`{"type": "command", "bash": %q}`, "sessionStart", "userPromptSubmitted", "preToolUse", "sessionEnd", "agentStop")
		servers := a.servers(`, "type": "local", "tools": ["*"]`)
		return map[string]string{
			".copilot/config.json":                "{" + hooks + ", " + servers + "}",
			".copilot/hooks/kestrel.json":         `{"version": 1, ` + hooks + "}",
			".copilot/mcp-config.json":            "{" + servers + "}",
			".copilot/copilot-instructions.md":    "kestrel in instructions",
			".copilot/skills/kestrel/SKILL.md":    baitSkill,
			".copilot/agents/kestrel.agent.md":    baitSkill,
			"tmp/.github/hooks/kestrel.json":      `{"version": 1, ` + hooks + "}",
			"tmp/.github/copilot-instructions.md": "kestrel in instructions above\n",
			"tmp/AGENTS.md":                       "kestrel in instructions above\n",
			"tmp/.mcp.json":                       "{" + servers + "}",
		}
	},
}

// copilotDriver drives the Copilot CLI in print mode.
var copilotDriver = driver{
	label:   "Copilot CLI",
	named:   "--copilot-home",
	folder:  ".copilot",
	pkg:     "@github/copilot",
	program: ".bin/copilot",
	answers: (*model).handle,
	env: func(a *agent) []string {
		return (&cli{place: a.place, model: a.model, user: a.user}).env()
	},
	settles: func(*agent) {},
	args: func(_ way, _, words string) []string {
		return []string{"-p", words, "--allow-all-tools", "--allow-all-paths", "--no-color"}
	},
	writes: func(path, text string) toolCall {
		return toolCall{"create", map[string]any{"path": path, "file_text": text}}
	},
	shell: func(command string) toolCall {
		return toolCall{"bash", map[string]any{"command": command, "description": "Run it"}}
	},
}
