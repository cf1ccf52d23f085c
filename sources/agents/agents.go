// Package agents is the table of the agents: their display names, and the places of their home folders.
package agents

import (
	"path/filepath"
	"slices"
	"strings"
)

// Agent is an agent that people know by name.
type Agent struct {
	Name    string // name of its source, also in sessions
	Title   string
	Program string // program that runs it; empty: its own
	// Resume is the command that resumes a session, with ID for its id, or "".
	Resume string
	Home   Home
}

// Home describes the home of an agent. The settings of a source follow from it. It is zero for an agent whose
// places have settings of their own.
type Home struct {
	Flag     string // flag for a home
	Variable string // environment variable for the home, or for the folder that holds it: "X/.gemini"
	Usual    string // default home, relative to the user's folder
	Prompts  bool   // a list of prompts may be all that is left of a session
}

// All returns the agents, in the order in which their sources are shown.
func All() []Agent {
	return []Agent{
		{Name: "copilot-cli", Title: "Copilot CLI", Resume: "copilot --resume=ID"},
		{Name: "vscode-copilot", Title: "VS Code Copilot", Program: "VS Code"},
		{Name: "claude-code", Title: "Claude Code", Resume: "claude --resume ID", Home: Home{"claude-home", "CLAUDE_CONFIG_DIR", ".claude", true}},
		{Name: "codex-cli", Title: "Codex", Resume: "codex resume ID", Home: Home{"codex-home", "CODEX_HOME", ".codex", true}},
		{Name: "opencode", Title: "opencode", Resume: "opencode --session ID", Home: Home{"opencode-home", "XDG_DATA_HOME/opencode", ".local/share/opencode", false}},
		{Name: "gemini-cli", Title: "Gemini CLI", Resume: "gemini --resume ID", Home: Home{"gemini-home", "GEMINI_CLI_HOME/.gemini", ".gemini", true}},
		{Name: "antigravity-cli", Title: "Antigravity CLI", Resume: "agy --conversation ID"},
		{Name: "antigravity", Title: "Antigravity"},
		{Name: "cursor", Title: "Cursor", Program: "Cursor", Home: Home{"cursor-home", "CURSOR_CONFIG_DIR", ".cursor", true}},
		{Name: "cursor-cli", Title: "Cursor CLI", Resume: "cursor-agent --resume=ID"},
	}
}

// Named returns the home in the environment, or "".
func (h Home) Named(env func(string) string) string {
	name, below, _ := strings.Cut(h.Variable, "/")
	if above := env(name); above != "" {
		return filepath.Join(above, below)
	}
	return ""
}

// AtHome returns the agents with a home folder.
func AtHome() []Agent {
	return slices.DeleteFunc(All(), func(a Agent) bool { return a.Home == Home{} })
}

// Named returns the agent with a name, or the zero value.
func Named(name string) Agent {
	all := All()
	if i := slices.IndexFunc(all, func(a Agent) bool { return a.Name == name }); i >= 0 {
		return all[i]
	}
	return Agent{}
}
