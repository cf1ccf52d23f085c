// Package agents is the one table of what people call the agents whose history is read, and
// of where those that keep a home folder of one layout have it.
package agents

import (
	"path"
	"slices"
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
	Variable string // of the environment, that names the home
	Usual    string // its home, from the folder of the user
	Below    string // the home, from the folder that Variable names; empty: it is that folder
}

// All returns the agents, in the order in which their sources are shown.
func All() []Agent {
	return []Agent{
		{Name: "copilot-cli", Title: "Copilot CLI", Resume: "copilot --resume=ID"},
		{Name: "vscode-copilot", Title: "VS Code Copilot", Program: "VS Code"},
		{Name: "claude-code", Title: "Claude Code", Resume: "claude --resume ID", Home: Home{Flag: "claude-home", Variable: "CLAUDE_CONFIG_DIR", Usual: ".claude"}},
		{Name: "codex-cli", Title: "Codex", Resume: "codex resume ID", Home: Home{Flag: "codex-home", Variable: "CODEX_HOME", Usual: ".codex"}},
		{Name: "opencode", Title: "opencode", Resume: "opencode --session ID",
			Home: Home{Flag: "opencode-home", Variable: "XDG_DATA_HOME", Below: "opencode", Usual: ".local/share/opencode"}},
	}
}

// Told is the home as the variable tells it: "$CODEX_HOME", "$XDG_DATA_HOME/opencode".
func (h Home) Told() string { return path.Join("$"+h.Variable, h.Below) }

// AtHome returns those that keep a home folder: of their deleted sessions a list of prompts
// may be left.
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
