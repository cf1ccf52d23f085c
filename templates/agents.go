package templates

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources/agents"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// ProgramOf is what people call the program in which an agent runs, the agent's raw name where
// nobody knows it.
func ProgramOf(name string) string {
	a := agents.Named(name)
	return cmp.Or(a.Program, a.Title, name)
}

// ResumeCommand is the command by which an agent takes a session up again, as a list of
// arguments; nil where it has none.
func ResumeCommand(agent, id string) (words []string) {
	for w := range strings.FieldsSeq(agents.Named(agent).Resume) {
		words = append(words, strings.Replace(w, "ID", id, 1))
	}
	return words
}

func agentNames(names []string) string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		out = append(out, agent(name))
	}
	return strings.Join(out, ", ")
}

func agent(name string) string {
	return cmp.Or(agents.Named(name).Title, escape.Inline(short(name)))
}
