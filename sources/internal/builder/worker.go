package builder

import (
	"cmp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// WorkOf is the conversation of a sub-agent as work that was done for another session: a layer of
// that. What it edited and committed counts there, of no turn. Task and Answer of d go before those of the conversation.
func WorkOf(s *sources.Session, d sources.Delegation) *sources.Session {
	if d.At.IsZero() {
		d.At = s.Created
	}
	for _, t := range s.Turns {
		d.Task = cmp.Or(d.Task, t.User)
		if d.At.IsZero() {
			d.At = t.At
		}
		if t.End.After(d.End) {
			d.End = t.End
		}
		d.Calls += len(t.Tools)
		if t.Tokens != nil {
			d.Tokens = cmp.Or(d.Tokens, &sources.Tokens{})
			d.Tokens.In, d.Tokens.Out = d.Tokens.In+t.Tokens.In, d.Tokens.Out+t.Tokens.Out
		}
	}
	d.Task = strings.TrimSpace(d.Task)
	for i := len(s.Turns) - 1; i >= 0 && d.Answer == ""; i-- {
		d.Answer = lastOf(s.Turns[i])
	}
	out := &sources.Session{Class: sources.Automatic, Place: s.Place, Updated: s.Updated, Delegated: []sources.Delegation{d}, Damage: s.Damage}
	for _, f := range s.Files {
		if f.Turn, f.TurnID = -1, ""; f.Kind != sources.Viewed && f.Kind != sources.Mentioned {
			out.Files = append(out.Files, f)
		}
	}
	for _, r := range s.Refs {
		r.Turn, r.At = -1, time.Time{}
		out.Refs = append(out.Refs, r)
	}
	return out
}

// Employ takes in the conversations of sub-agents whose records stand among those of the session, as
// [WorkOf] has them; nil ones are none. A call that asked one the same is its work. What they edited
// and committed counts, a commit in the turn of the call.
func (b *Builder) Employ(all []*sources.Session) {
	asked := map[string][]noted[*sources.Delegation]{}
	for _, w := range b.workers {
		if w.what != nil {
			asked[w.what.Task] = append(asked[w.what.Task], w)
		}
	}
	for _, s := range all {
		if s == nil {
			continue
		}
		d := s.Delegated[0]
		same := asked[d.Task]
		var by *Turn
		if len(same) > 0 {
			by = same[0].turn
		}
		for _, f := range s.Files {
			b.employed = append(b.employed, noted[sources.FileTouch]{f, by})
		}
		for _, r := range s.Refs {
			b.refs = append(b.refs, noted[sources.Ref]{r, by})
		}
		if len(same) == 0 {
			b.Delegate(d)
			continue
		}
		w := same[0].what
		asked[d.Task] = same[1:]
		w.Answer, w.Calls, w.Tokens = cmp.Or(w.Answer, d.Answer), max(w.Calls, d.Calls), d.Tokens
		if d.End.After(w.End) {
			w.End = d.End
		}
	}
}

// lastOf is what was said last in a turn: all behind the last call, all of it where that is nothing.
func lastOf(t sources.Turn) string {
	at := 0
	for _, c := range t.Tools {
		at = max(at, c.After)
	}
	return cmp.Or(strings.TrimSpace(t.Assistant[at:]), strings.TrimSpace(t.Assistant))
}
