// Package query answers questions in SQL about the sessions in a ledger.
//
// A statement cannot reach the ledger's file: the views that it names are filled, for the time of the
// question, into a read-only database in memory.
package query

import "strings"

// Version is the version of the views. It is raised when a view or column is removed or changes its meaning,
// not for a new one.
const Version = 1

// View is a view that a statement may read.
type View struct {
	Name    string   `json:"name"`
	Says    string   `json:"row"` // content of a row
	Columns []Column `json:"columns"`
	made    string   // the statement that makes it from others; empty: it is filled
}

// Column is a column of a view.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // TEXT, INTEGER
	Says string `json:"says"` // its content
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

// Views returns all views, in the order in which they are shown.
func Views() []View {
	return []View{
		{Name: "sessions", Says: "one conversation with an agent", Columns: columns(sessionColumns)},
		{Name: "turns", Says: "one prompt with its answer", Columns: columns(turnColumns)},
		{Name: "messages", Says: "one event of a session, in order", Columns: columns(messageColumns)},
		{Name: "tool_calls", Says: "one tool call", Columns: columns(callColumns)},
		{Name: "commands", Says: "one shell command run by an agent", Columns: columns(commandColumns)},
		{Name: "checkpoints", Says: "one summary an agent made of its session so far", Columns: columns(checkpointColumns)},
		{Name: "plans", Says: "one plan, with its text", Columns: columns(planColumns)},
		{Name: "todos", Says: "one item of an agent's task list", Columns: columns(todoColumns)},
		{Name: "files", Says: "one project file changed in a session", Columns: columns(fileColumns)},
		{Name: "refs", Says: "one commit, pull request or issue a session mentions", Columns: columns(refColumns)},
		{Name: "memories", Says: "one memory an agent stores for a project, a user or a session", Columns: columns(memoryColumns)},
		{Name: "decisions", Says: "one decision made in a session", Columns: columns(decisionColumns)},
		{Name: "open_ends", Says: "one item a session left open or closed", Columns: columns(endColumns)},
		{Name: "distilled", Says: "one line of an agent's answer about a session", Columns: columns(distilledColumns)},
		{Name: "projects", Says: "one project with the totals of its sessions", Columns: columns(projectColumns), made: projectsMade},
		{Name: "days", Says: "one day of work on one project", Columns: columns(dayColumns), made: daysMade},
		{Name: "stats", Says: "one statistic over all sessions", Columns: columns(statColumns), made: statsMade},
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

// The columns of the views: name, type, and a sentence. Unknown values are NULL.
