package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// mergeBesides merges what stands beside the turns: whose session it is, what sub-agents did
// for it, and what its user did and took back. An account without turns does not tell whose
// session it is where another has some.
func (m *merger) mergeBesides() {
	for i := range m.layers {
		s := m.session(i)
		if len(s.Turns) > 0 || len(m.out.Turns) == 0 {
			m.out.Class = s.Class
			break
		}
	}
	helpers := map[string]int{} // places of sub-agents in what is merged
	for i := range m.layers {
		s := m.session(i)
		if i < m.besides {
			m.mergeDelegated(i, helpers)
		}
		if i < m.believed {
			takeFrom(m, i, &m.out.Actions, s.Actions, func(a *sources.Action) *int { return &a.Turn })
			takeFrom(m, i, &m.out.Acts, s.Acts, func(a *sources.Act) *int { return &a.Turn })
		}
		if len(m.out.TakenBack) == 0 && len(s.TakenBack) > 0 {
			m.out.TakenBack = slices.Clone(s.TakenBack)
			m.use(i)
		}
	}
	slices.SortStableFunc(m.out.Delegated, func(a, b sources.Delegation) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
	})
}

// mergeDelegated unites the work of sub-agents by their ids, and by their tasks where one of two has
// no id; at are places in what is merged.
func (m *merger) mergeDelegated(layer int, at map[string]int) {
	for _, d := range m.session(layer).Delegated {
		byID, byTask := "id "+d.ID, "task "+d.Task
		k, known := at[byID]
		if known = known && d.ID != ""; !known {
			k, known = at[byTask]
			known = known && (d.ID == "" || m.out.Delegated[k].ID == "")
		}
		if !known {
			at[byID], at[byTask] = len(m.out.Delegated), len(m.out.Delegated)
			m.out.Delegated = append(m.out.Delegated, d)
			m.use(layer)
			continue
		}
		have, before := &m.out.Delegated[k], m.out.Delegated[k]
		have.ID, have.Name, have.Task, have.Answer = cmp.Or(have.ID, d.ID), cmp.Or(have.Name, d.Name), cmp.Or(have.Task, d.Task), cmp.Or(have.Answer, d.Answer)
		have.Calls, have.Tokens = cmp.Or(have.Calls, d.Calls), cmp.Or(have.Tokens, d.Tokens)
		have.At = cmp.Or(have.At, d.At)
		have.End = latest(have.End, d.End)
		if *have != before {
			m.use(layer)
		}
	}
}

// takeFrom takes a list from the first layer that has one, at the turns of the merged session.
func takeFrom[T any](m *merger, layer int, to *[]T, list []T, turn func(*T) *int) {
	if len(*to) > 0 || len(list) == 0 {
		return
	}
	*to = slices.Clone(list)
	for i := range *to {
		if at := turn(&(*to)[i]); *at >= 0 {
			*at = m.turnOf(layer, *at)
		}
	}
	m.use(layer)
}
