package templates

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// agents is what people call an agent, and the command by which it takes a session up again,
// in place of whose word ID stands the session's; none: there is no such command.
func agents() map[string]known {
	return map[string]known{
		"copilot-cli":    {title: "Copilot CLI", resume: "copilot --resume=ID"},
		"vscode-copilot": {title: "VS Code Copilot", program: "VS Code"},
		"claude-code":    {title: "Claude Code", resume: "claude --resume ID"},
		"codex-cli":      {title: "Codex", resume: "codex resume ID"},
	}
}

// known is an agent as people know it.
type known struct {
	title, resume string
	program       string // in which it runs; empty: one of its own
}

// ProgramOf is what people call the program in which an agent runs, the agent's raw name where
// nobody knows it.
func ProgramOf(name string) string {
	a := agents()[name]
	return cmp.Or(a.program, a.title, name)
}

// ResumeCommand is the command by which an agent takes a session up again, as a list of
// arguments; nil where it has none.
func ResumeCommand(agent, id string) []string {
	words := strings.Fields(agents()[agent].resume)
	if len(words) == 0 {
		return nil
	}
	for i, w := range words {
		words[i] = strings.Replace(w, "ID", id, 1)
	}
	return slices.Clip(words)
}

// agentNames names several.
func agentNames(names []string) string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		out = append(out, agent(name))
	}
	return strings.Join(out, ", ")
}

// agent names the program that held the session.
func agent(name string) string {
	return cmp.Or(agents()[name].title, escape.Inline(short(name)))
}
