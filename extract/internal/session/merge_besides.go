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
		if len(m.out.Actions) == 0 && len(s.Actions) > 0 && i < m.believed {
			m.takeActions(i)
		}
		if len(m.out.Acts) == 0 && len(s.Acts) > 0 && i < m.believed {
			m.takeActs(i)
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
		if have.At.IsZero() {
			have.At = d.At
		}
		have.End = latest(have.End, d.End)
		if *have != before {
			m.use(layer)
		}
	}
}

// takeActions takes what the user did from one layer, at the turns of the merged session.
func (m *merger) takeActions(layer int) {
	m.out.Actions = slices.Clone(m.session(layer).Actions)
	for i := range m.out.Actions {
		if a := &m.out.Actions[i]; a.Turn >= 0 {
			a.Turn = m.turnOf(layer, a.Turn)
		}
	}
	m.use(layer)
}

// takeActs takes acts from one layer, at the turns of the merged session.
func (m *merger) takeActs(layer int) {
	m.out.Acts = slices.Clone(m.session(layer).Acts)
	for i := range m.out.Acts {
		if a := &m.out.Acts[i]; a.Turn >= 0 {
			a.Turn = m.turnOf(layer, a.Turn)
		}
	}
	m.use(layer)
}
