package pages

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// tokenRows returns the tokens that a session used on each day, with its sub-agents. A fork's inherited turns
// count for its parent.
func tokenRows(s *sources.Session, zone *time.Location) []facts.Row {
	var rows []facts.Row
	var began time.Time // the first turn of its own
	add := func(at time.Time, t *sources.Tokens) {
		if t == nil {
			return
		}
		day := at.In(zone).Format(time.DateOnly)
		i := slices.IndexFunc(rows, func(r facts.Row) bool { return r.At.In(zone).Format(time.DateOnly) == day })
		if i < 0 {
			i, rows = len(rows), append(rows, facts.Row{Key: facts.RowTokens, At: at})
		}
		rows[i].What = strconv.Itoa(facts.Tokens(rows[i:i+1]) + int(t.In+t.Out))
		if at.After(rows[i].At) {
			rows[i].At = at
		}
	}
	for _, t := range s.Turns {
		if t.Inherited {
			continue
		}
		began = cmp.Or(began, t.At)
		add(cmp.Or(t.End, t.At), t.Tokens)
	}
	for _, d := range s.Delegated {
		if s.Parent == "" || !d.At.Before(began) {
			add(d.At, d.Tokens)
		}
	}
	return rows
}

// modelsOf returns the models of a session, or of a fork's own turns if known.
func modelsOf(s *sources.Session) []string {
	var own []string
	for _, t := range s.Turns {
		if s.Parent != "" && !t.Inherited && t.Model != "" {
			own = append(own, t.Model)
		}
	}
	if own == nil {
		own = s.Models
	}
	return own
}

// usage returns the models of sessions, the most frequent first, and the tokens in rows.
func usage(sessions []facts.Facts, rows []facts.Row) templates.Usage {
	u := templates.Usage{Tokens: facts.Tokens(rows)}
	for _, s := range sessions {
		for _, model := range s.Models {
			i := slices.IndexFunc(u.Models, func(m templates.ModelUse) bool { return m.Model == templates.Code(model) })
			if i < 0 {
				i, u.Models = len(u.Models), append(u.Models, templates.ModelUse{Model: templates.Code(model)})
			}
			u.Models[i].Sessions++
		}
	}
	slices.SortFunc(u.Models, func(a, b templates.ModelUse) int {
		return cmp.Or(b.Sessions-a.Sessions, cmp.Compare(a.Model, b.Model))
	})
	return u
}
