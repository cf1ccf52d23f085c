package pages

import (
	"cmp"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// Limits of what is shown beside the conversation; the newest are kept.
const (
	listedSubAgents = 30
	listedActions   = 60
	listedTakenBack = 20
)

func subAgents(s *sources.Session, turn func(number int) templates.Link) (out []templates.SubAgent) {
	for _, d := range newest(s.Delegated, listedSubAgents) {
		row := templates.SubAgent{Name: templates.Text(cmp.Or(d.Name, "sub-agent")), Calls: d.Calls, Task: templates.Text(d.Task), Answer: templates.Text(d.Answer)}
		if at := turnAt(s.Turns, d.At); at >= 0 {
			row.Turn = shown(turn(at + 1))
		}
		out = append(out, row)
	}
	return out
}

func userActions(s *sources.Session, turn func(number int) templates.Link) (out []templates.Action) {
	for _, a := range newest(s.Actions, listedActions) {
		row := templates.Action{Line: templates.Code(a.Text)}
		if a.Turn >= 0 {
			row.Turn = shown(turn(a.Turn + 1))
		}
		out = append(out, row)
	}
	return out
}

func takenBack(s *sources.Session, local func(time.Time) time.Time) (out []templates.Turn) {
	for _, t := range newest(s.TakenBack, listedTakenBack) {
		out = append(out, templates.Turn{At: local(t.At), Prompt: templates.Text(t.User), Answer: templates.Text(t.Assistant)})
	}
	return out
}

// shown returns a link with a target, or nothing: without the conversation a number means nothing.
func shown(l templates.Link) templates.Link {
	if l.Path == "" {
		return templates.Link{}
	}
	return l
}

func newest[T any](all []T, most int) []T { return all[max(0, len(all)-most):] }

// turnAt returns the index of the turn at a time, or -1.
func turnAt(turns []sources.Turn, at time.Time) int {
	for i := len(turns) - 1; i >= 0 && !at.IsZero(); i-- {
		if !turns[i].At.IsZero() && !turns[i].At.After(at) {
			return i
		}
	}
	return -1
}
