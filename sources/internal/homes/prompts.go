package homes

import (
	"maps"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Prompts is a list of what was typed in sessions of which nothing else is left, by their ids.
// Their users may have deleted them.
type Prompts map[string]*sources.Session

// Add takes in a line that was typed in a session: a prompt, or an action of a kind. Versions of
// some programs write one several times within milliseconds.
func (p Prompts) Add(id string, place sources.Place, action, text string, at time.Time) {
	if text == "" {
		return
	}
	s := p[id]
	if s == nil {
		s = &sources.Session{Created: at, Place: place}
		p[id] = s
	}
	n := len(s.Turns)
	switch {
	case action != "":
		s.Actions = append(s.Actions, sources.Action{Kind: action, Text: text, Turn: n - 1, At: at})
	case n > 0 && s.Turns[n-1].User == text && at.Sub(s.Turns[n-1].At).Abs() <= time.Second:
	default:
		s.Turns = append(s.Turns, sources.Turn{Index: n, At: at, User: text})
	}
}

// Left returns the ids of the sessions with a prompt: another one was a probe, or nothing but
// commands.
func (p Prompts) Left() []string {
	maps.DeleteFunc(p, func(_ string, s *sources.Session) bool { return len(s.Turns) == 0 })
	return slices.Sorted(maps.Keys(p))
}

// GiveTo names the sessions with a prompt, and gives them as a layer of a name where they are
// asked for.
func (p Prompts) GiveTo(r *files.Reading, layer string, asked bool) {
	for _, id := range p.Left() {
		r.Out.RowsOnly = append(r.Out.RowsOnly, id)
		if asked {
			p[id].Damage = []string{"only the list of prompts is left"}
			r.Give(id, sources.Layer{Name: layer, Rank: sources.RankIndex, Session: p[id]})
		}
	}
}
