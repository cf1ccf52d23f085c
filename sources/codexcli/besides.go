package codexcli

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// compacted takes in what the agent summed up of the thread so far. A summary that the
// provider made is encrypted: there is no text then.
func (p *parser) compacted(r *record) {
	text := strings.TrimSpace(r.Payload.Message)
	if strings.HasPrefix(text, "Another language model started to solve this problem") { // 0.169: a preamble in one line
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimSpace(text)
	}
	s := p.session
	c := sources.Checkpoint{Number: len(s.Checkpoints) + 1, At: p.now, Raw: text, Title: titleOf(text), Inherited: p.copying}
	if text == "" {
		c.Title, c.Raw = "Context compacted", "The summary is not in the file."
	}
	s.Checkpoints = append(s.Checkpoints, c)
}

// titleOf is the first heading of a summary, else its first line.
func titleOf(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.HasPrefix(heading, " ") {
			return words.OneLine(heading, 120)
		}
		if first == "" {
			first = line
		}
	}
	return words.OneLine(first, 120)
}

// goalUpdated takes in a goal: what its user set is an action, what is left of it is open.
func (p *parser) goalUpdated(r *record) {
	g := r.Payload.Goal
	if g == nil || strings.TrimSpace(g.Objective) == "" {
		return
	}
	if p.goal == nil || p.goal.Description != g.Objective {
		p.act(sources.ActionGoal, "/goal "+g.Objective, p.now)
	}
	p.goal = &sources.Todo{
		ID: "goal", Title: words.OneLine(g.Objective, 500), Description: g.Objective, Status: goalStatus(g.Status), Raw: g.Status, Origin: "goal", At: p.now,
	}
}

func goalStatus(raw string) string {
	switch raw {
	case "active":
		return sources.TodoInProgress
	case "usage_limited", "budget_limited":
		return sources.TodoBlocked
	}
	return words.TodoStatus(raw)
}

// planned takes in a plan that the agent proposed, of which the last one counts.
func (p *parser) planned(r *record) {
	text := strings.TrimSpace(r.Payload.Item.Text)
	if text == "" {
		return
	}
	p.session.Artifacts = append(p.session.Artifacts, sources.Artifact{Kind: sources.Plan, Name: "plan.md", At: p.now, Text: text, Size: int64(len(text))})
}
