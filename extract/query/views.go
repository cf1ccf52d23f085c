// Package query answers questions in SQL about the sessions that a ledger keeps.
//
// Nothing of the ledger's file is within reach of a statement: the views that it names are
// filled, for the time of the question, into a database in memory that can only be read.
package query

import "strings"

// Version is that of the views. It is raised when a view or column goes, or means something
// else; one that is new does not raise it.
const Version = 1

// View is something that a statement may read.
type View struct {
	Name    string
	Says    string // what a row of it is
	Columns []Column
	made    string // the statement it is made by of others; empty: it is filled
}

// Column is one of a view.
type Column struct {
	Name string
	Type string // TEXT, INTEGER
	Says string // what it holds
}

func columns(lines string) (out []Column) {
	for line := range strings.Lines(lines) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		kind, says, ok := strings.Cut(rest, " ")
		if !ok {
			continue
		}
		out = append(out, Column{Name: name, Type: map[string]string{"text": "TEXT", "int": "INTEGER"}[kind], Says: says})
	}
	return out
}

// Views are all that can be asked, in the order in which they are shown.
func Views() []View {
	return []View{
		{Name: "sessions", Says: "one conversation with an agent", Columns: columns(sessionColumns)},
		{Name: "turns", Says: "one prompt with all that answered it", Columns: columns(turnColumns)},
		{Name: "messages", Says: "one thing that happened in a session, in order", Columns: columns(messageColumns)},
		{Name: "tool_calls", Says: "one call of a tool", Columns: columns(callColumns)},
		{Name: "commands", Says: "one command that an agent ran in a shell", Columns: columns(commandColumns)},
		{Name: "checkpoints", Says: "one summary that an agent made of its session so far", Columns: columns(checkpointColumns)},
		{Name: "plans", Says: "one plan, with its text", Columns: columns(planColumns)},
		{Name: "todos", Says: "one item of an agent's own list", Columns: columns(todoColumns)},
		{Name: "files", Says: "one file that a session changed in its project", Columns: columns(fileColumns)},
		{Name: "refs", Says: "one commit, pull request or issue that a session names", Columns: columns(refColumns)},
		{Name: "memories", Says: "one text that an agent keeps for a project, a person or a session", Columns: columns(memoryColumns)},
		{Name: "decisions", Says: "one thing that was decided in a session", Columns: columns(decisionColumns)},
		{Name: "open_ends", Says: "one thing that a session left open, or shows as done", Columns: columns(endColumns)},
		{Name: "projects", Says: "one project with what its sessions sum up to", Columns: columns(projectColumns), made: projectsMade},
		{Name: "days", Says: "one day of work on one project", Columns: columns(dayColumns), made: daysMade},
		{Name: "stats", Says: "one number about all sessions", Columns: columns(statColumns), made: statsMade},
	}
}

func (v View) definition() string {
	if v.made != "" {
		return "CREATE VIEW " + v.Name + " AS " + v.made
	}
	parts := make([]string, 0, len(v.Columns))
	for _, c := range v.Columns {
		parts = append(parts, c.Name+" "+c.Type)
	}
	return "CREATE TABLE " + v.Name + "(" + strings.Join(parts, ", ") + ")"
}

// The columns of the views: name, type, and a sentence. What is not known is NULL.
