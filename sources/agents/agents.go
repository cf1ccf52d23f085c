// Package agents is the one table of what people call the agents whose history is read, and
// of where those that keep a home folder of one layout have it.
package agents

import (
	"path/filepath"
	"slices"
	"strings"
)

// Agent is an agent as people know it.
type Agent struct {
	Name    string // of its source, and in sessions
	Title   string
	Program string // in which it runs; empty: one of its own
	// Resume is the command by which it takes a session up again, in place of whose word ID
	// stands the session's; empty: there is none.
	Resume string
	Home   Home
}

// Home is how the home of an agent is named. The settings of a source follow from it. The
// zero value is that of an agent whose places have settings of their own.
type Home struct {
	Flag     string // that names a home
	Variable string // of the environment, that names the home, or the folder that holds it: "X/.gemini"
	Usual    string // its home, from the folder of the user
	Prompts  bool   // it keeps a list of prompts, which may be all that is left of a session
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

// Named is the home that the environment names, empty if it names none.
func (h Home) Named(env func(string) string) string {
	name, below, _ := strings.Cut(h.Variable, "/")
	if above := env(name); above != "" {
		return filepath.Join(above, below)
	}
	return ""
}

// AtHome returns those that keep a home folder.
func AtHome() []Agent {
	return slices.DeleteFunc(All(), func(a Agent) bool { return a.Home == Home{} })
}

// Named returns the agent of a name, the zero value where nobody knows it.
func Named(name string) Agent {
	all := All()
	if i := slices.IndexFunc(all, func(a Agent) bool { return a.Name == name }); i >= 0 {
		return all[i]
	}
	return Agent{}
}
