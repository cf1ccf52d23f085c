package chat

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// maxMarks is how many requests back a conversion can be resumed.
const maxMarks = 64

// state is what a resumed conversion must know beside the session: how much of
// it came from which requests. It holds numbers and ids only.
type state struct {
	Marks  []mark          `json:"m,omitempty"` // ascending
	Spans  map[string]span `json:"s,omitempty"`
	Shapes int             `json:"x,omitempty"` // requests of an unknown shape
}

// mark is a place to resume at: the lengths of the session's lists when so many
// requests were in.
type mark struct {
	Requests  int `json:"n"`
	Turns     int `json:"t,omitempty"`
	Files     int `json:"f,omitempty"`
	Refs      int `json:"r,omitempty"`
	Summaries int `json:"s,omitempty"`
	Models    int `json:"m,omitempty"`
	Aka       int `json:"a,omitempty"`
	Shapes    int `json:"x,omitempty"`
}

// span is the first and last request that told something of which the last one
// counts.
type span struct {
	First int `json:"f"`
	Last  int `json:"l"`
}

// What spans are kept of. Of todos, plan and branch the last one counts, of the
// others whether there was any.
const (
	spanTodos      = "todos"
	spanPlan       = "plan"
	spanBranch     = "branch"
	spanDiscarded  = "discarded"
	spanRepo       = "repo"
	spanRepoBranch = "repo branch"
	spanCache      = "cache"
	spanContext    = "context"
	spanFolders    = "folders"
)

func (st *state) has(what string) bool {
	_, ok := st.Spans[what]
	return ok
}

// note says that a request told something.
func (c *converter) note(what string, request int) {
	s, ok := c.st.Spans[what]
	if !ok {
		s.First, s.Last = request, request
	}
	if replaceable(what) {
		s.Last = request
	}
	c.st.Spans[what] = s
	delete(c.lost, what)
}

// dropMarks takes away the places where the turns were as many as now: the last
// of them was not finished there after all.
func (st *state) dropMarks(turns int) {
	st.Marks = slices.DeleteFunc(st.Marks, func(m mark) bool { return m.Turns == turns })
}

// setMark makes a place to resume at behind so many requests.
func (c *converter) setMark(requests int) {
	s := c.session
	c.st.Marks = append(c.st.Marks, mark{Requests: requests, Turns: len(s.Turns), Files: len(s.Files), Refs: len(s.Refs),
		Summaries: len(c.summaries), Models: len(s.Models), Aka: len(s.Aka), Shapes: c.st.Shapes})
	if n := len(c.st.Marks); n > maxMarks {
		c.st.Marks = slices.Delete(c.st.Marks, 0, n-maxMarks)
	}
}

// sealed is the last place to resume at with only finished requests before it.
func (st *state) sealed(finished int) int {
	for _, m := range slices.Backward(st.Marks) {
		if m.Requests <= finished && st.knows(m.Requests) {
			return m.Requests
		}
	}
	return 0
}

// knows tells whether the session can still say what held when so many requests
// were in. What Prior's Place was made of cannot be taken out of it.
func (st *state) knows(requests int) bool {
	for what, s := range st.Spans {
		if s.First >= requests && !replaceable(what) && what != spanDiscarded {
			return false
		}
	}
	return true
}

// replaceable tells of what the last one counts.
func replaceable(what string) bool {
	return what == spanTodos || what == spanPlan || what == spanBranch
}

// cut brings the state back to where so many requests were in, if it can. What
// held then is lost where a later request replaced it: one of those that follow
// must do so again.
func (st *state) cut(requests int) (at mark, lost map[string]bool, ok bool) {
	i := slices.IndexFunc(st.Marks, func(m mark) bool { return m.Requests == requests })
	if i < 0 || !st.knows(requests) {
		return mark{}, nil, false
	}
	at, lost = st.Marks[i], map[string]bool{}
	st.Marks, st.Shapes = st.Marks[:i+1], at.Shapes
	for what, s := range st.Spans {
		switch {
		case s.Last < requests:
			continue
		case s.First < requests:
			st.Spans[what] = span{s.First, s.First}
		default:
			delete(st.Spans, what)
		}
		lost[what] = s.First < requests || what == spanBranch
	}
	maps.DeleteFunc(lost, func(_ string, is bool) bool { return !is })
	return at, lost, true
}

// resume takes over what Prior holds of the sealed requests. Its texts may have
// been masked, so only their number is looked at.
func (c *converter) resume(in Input) bool {
	p := in.Prior
	if p == nil || in.ID != "" && in.ID != p.ID || json.Unmarshal(in.Carry, &c.st) != nil {
		return false
	}
	if c.st.Spans == nil {
		c.st.Spans = map[string]span{}
	}
	at, lost, ok := c.st.cut(in.Sealed)
	var summaries, plans []sources.Artifact
	for _, a := range p.Artifacts {
		switch a.Kind {
		case sources.Summary:
			summaries = append(summaries, a)
		case sources.Plan:
			plans = append(plans, a)
		}
	}
	if !ok || !at.within(p, len(summaries)) || c.st.has(spanPlan) && len(plans) == 0 {
		return false
	}
	c.resumed, c.hints.Kept, c.finished, c.lost = true, true, in.Sealed, lost
	s := c.session
	s.ID, s.Title, s.TitleFrom, s.Created = p.ID, p.Title, p.TitleFrom, p.Created
	s.Turns, s.Files = slices.Clone(p.Turns[:at.Turns]), slices.Clone(p.Files[:at.Files])
	s.Refs, s.Models, s.Aka = slices.Clone(p.Refs[:at.Refs]), slices.Clone(p.Models[:at.Models]), slices.Clone(p.Aka[:at.Aka])
	c.summaries = summaries[:at.Summaries:at.Summaries]
	if c.st.has(spanTodos) {
		s.Todos = slices.Clone(p.Todos)
	}
	if c.st.has(spanPlan) {
		c.plan = &plans[len(plans)-1]
	}
	if n := at.Summaries; n > 0 && n == len(summaries) {
		s.Summary, s.SummaryFrom = p.Summary, p.SummaryFrom
	} else if n > 0 {
		s.Summary, s.SummaryFrom = shortSummary(summaries[n-1].Text), sources.TrustDerived
	}
	return true
}

// within tells whether a session has all that was there at the mark.
func (m mark) within(s *sources.Session, summaries int) bool {
	for _, pair := range [][2]int{{m.Turns, len(s.Turns)}, {m.Files, len(s.Files)}, {m.Refs, len(s.Refs)},
		{m.Models, len(s.Models)}, {m.Aka, len(s.Aka)}, {m.Summaries, summaries}} {
		if pair[0] < 0 || pair[0] > pair[1] {
			return false
		}
	}
	return true
}
