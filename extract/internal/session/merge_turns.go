package session

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// nearTurns is how far apart two layers may date one turn.
const nearTurns = 10 * time.Minute

// placedTurn is a turn being merged, with its layers.
type placedTurn struct {
	turn sources.Turn
	key  string // normalised prompt; "" if there is nothing to compare
	from []turnRef
}

type turnRef struct{ layer, index int }

// mergeTurns merges the turns of the best layer that has any. Lower layers fill in missing turns and answers
// only if that layer is damaged or incomplete; after a rewind never. Another log of the session is not a
// lower layer.
func (m *merger) mergeTurns() {
	base := slices.IndexFunc(m.layers, func(l sources.Layer) bool { return len(l.Session.Turns) > 0 })
	if base < 0 || base >= m.believed {
		m.out.Complete = len(m.layers) > 0 && m.session(0).Complete
		return
	}
	s := m.session(base)
	m.out.Complete = s.Complete
	m.use(base)
	list := make([]placedTurn, 0, len(s.Turns))
	for _, t := range s.Turns {
		list = append(list, placedTurn{turn: t, from: []turnRef{{base, t.Index}}})
	}
	fill := !s.Complete || len(s.Damage) > 0
	for i := base + 1; i < m.believed; i++ {
		switch {
		case len(m.session(i).Turns) == 0:
		case m.isParallel(i, base):
			list = m.weave(list, i, matchIDs(list, m.session(i).Turns), m.joinOne, func(sources.Turn) bool { return true })
		default:
			list = m.alignTurns(list, i, fill)
		}
	}
	for n, p := range list {
		p.turn.Index = n
		m.out.Turns = append(m.out.Turns, p.turn)
		for _, r := range p.from {
			if m.turnAt[r.layer] == nil {
				m.turnAt[r.layer] = make(map[int]int)
			}
			m.turnAt[r.layer][r.index] = n
		}
	}
}

// alignTurns matches the turns of a lower layer with the list. With fill, missing ones are inserted.
func (m *merger) alignTurns(list []placedTurn, layer int, fill bool) []placedTurn {
	for i := range list {
		if list[i].key == "" {
			list[i].key = turnKey(list[i].turn.User)
		}
	}
	lower := m.session(layer).Turns
	join := func(p *placedTurn, t sources.Turn, ref turnRef) bool {
		m.joinTurn(p, t, ref, fill)
		return true
	}
	lacks := func(t sources.Turn) bool { return fill && !repeatsTurn(list, t) }
	return m.weave(list, layer, matchTurns(list, lower), join, lacks)
}

// weave joins the turns of a layer to the matching ones of the list. Others are inserted between their
// neighbours in their own layer, sorted by time.
func (m *merger) weave(list []placedTurn, layer int, match []int, join func(*placedTurn, sources.Turn, turnRef) bool, lacks func(sources.Turn) bool) []placedTurn {
	theirs := m.session(layer).Turns
	out := make([]placedTurn, 0, len(list)+len(theirs))
	next, anchored := 0, false
	for j, t := range theirs {
		ref, limit := turnRef{layer, t.Index}, nextMatch(match[j:], len(list))
		if k := match[j]; k >= 0 {
			out = append(out, list[next:k+1]...)
			next, anchored = k+1, true
			if join(&out[len(out)-1], t, ref) {
				continue
			}
			limit = nextMatch(match[j+1:], len(list))
		} else if !lacks(t) {
			continue
		}
		if t.At.IsZero() && !anchored && limit == len(list) {
			out, next = append(out, list[next:]...), len(list)
		}
		for next < limit && !list[next].turn.At.IsZero() && !t.At.IsZero() && !list[next].turn.At.After(t.At) {
			out = append(out, list[next])
			next++
		}
		out = append(out, placedTurn{turn: t, from: []turnRef{ref}})
		m.use(layer)
	}
	return append(out, list[next:]...)
}

// joinTurn adds the data of a turn that only a lower layer has.
func (m *merger) joinTurn(p *placedTurn, t sources.Turn, ref turnRef, fill bool) {
	p.from = append(p.from, ref)
	have, says := texts.OneLine(p.turn.Assistant), texts.OneLine(t.Assistant)
	switch {
	case fill && isTailOf(p.turn, t):
		p.turn, p.key = t, turnKey(t.User)
		m.use(ref.layer)
	case have == "" && says != "" && fill:
		p.turn.Assistant, p.turn.Last, p.turn.End = t.Assistant, t.Last, latest(p.turn.End, t.End)
		p.turn.Tools = slices.Clone(p.turn.Tools)
		for i := range p.turn.Tools {
			p.turn.Tools[i].After = 0 // the calls came before the answer
		}
		if p.turn.Status == sources.Pending {
			p.turn.Status = sources.Complete
		}
		m.use(ref.layer)
	}
}

// matchTurns returns for each turn of a lower layer the matching turn of the list, or -1. Both have one
// order, and no turn is matched twice.
func matchTurns(list []placedTurn, lower []sources.Turn) []int {
	match := make([]int, len(lower))
	next := 0
	for j, t := range lower {
		match[j] = -1
		key := turnKey(t.User)
		for k := next; k < len(list); k++ {
			if sameTurn(list, k, t, key) {
				match[j], next = k, k+1
				break
			}
		}
	}
	return match
}

// sameTurn compares by id, or by prompt and time. A store dates a turn when it was written, which may be as
// late as the next prompt.
func sameTurn(list []placedTurn, k int, t sources.Turn, key string) bool {
	p := &list[k]
	if p.turn.ID != "" && p.turn.ID == t.ID || isTailOf(p.turn, t) {
		return true
	}
	if key != p.key && !isCutLine(key, p.key) {
		return false
	}
	if t.At.IsZero() || p.turn.At.IsZero() {
		return key != ""
	}
	if t.At.Before(p.turn.At.Add(-nearTurns)) {
		return false
	}
	for _, later := range list[k+1:] {
		if !later.turn.At.IsZero() {
			return !t.At.After(later.turn.At.Add(nearTurns))
		}
	}
	return true
}

// isTailOf reports whether a turn is the end of another, as its log was cut within it.
func isTailOf(tail, whole sources.Turn) bool {
	says := texts.OneLine(tail.Assistant)
	return strings.TrimSpace(tail.User) == "" && says != "" && strings.TrimSpace(whole.User) != "" && strings.HasSuffix(texts.OneLine(whole.Assistant), says)
}

// repeatsTurn reports whether an unmatched turn is a second copy of one in the list, as rebuilt stores have:
// the same prompt at the same time or with the same answer.
func repeatsTurn(list []placedTurn, t sources.Turn) bool {
	key, answer := turnKey(t.User), texts.OneLine(t.Assistant)
	return slices.ContainsFunc(list, func(p placedTurn) bool {
		if p.key != key && !isCutLine(key, p.key) {
			return false
		}
		if t.At.IsZero() || p.turn.At.IsZero() || t.At.Sub(p.turn.At).Abs() <= nearTurns {
			return true
		}
		return answer != "" && strings.HasSuffix(texts.OneLine(p.turn.Assistant), answer)
	})
}

func nextMatch(match []int, none int) int {
	for _, k := range match {
		if k >= 0 {
			return k
		}
	}
	return none
}

func turnKey(user string) string { return texts.OneLine(user) }

// turnOf translates a layer's turn number, or returns -1 if the layer's own turns could not be matched.
func (m *merger) turnOf(layer, index int) int {
	if n, ok := m.turnAt[layer][index]; ok {
		return n
	}
	return -1
}

func lastTurnTime(turns []sources.Turn) time.Time {
	var last time.Time
	for _, t := range turns {
		last = latest(last, t.At, t.End)
	}
	return last
}

// isParallel reports whether a layer and the base are parallel logs of a session: its folder was copied,
// perhaps to a second machine, and continued in both places. After a rewind it is not, as it may hold rewound
// turns.
func (m *merger) isParallel(layer, base int) bool {
	a, b := m.layers[layer], m.layers[base]
	return a.Name == b.Name && a.Rank == sources.RankLog && b.Rank == sources.RankLog && !b.Session.Rewound
}

// nameOf returns the name of a layer in a note. Each of several logs of a session has its own, so that a note
// made from all is not made from fewer.
func (m *merger) nameOf(layer int) string {
	l, n := m.layers[layer], 1
	if l.Rank == sources.RankLog {
		for _, better := range m.layers[:layer] {
			if better.Rank == l.Rank && better.Name == l.Name {
				n++
			}
		}
	}
	if n == 1 {
		return l.Name
	}
	return l.Name + "/" + strconv.Itoa(n)
}

// joinOne keeps the version of a turn that says more, or returns false if each says something of its own.
func (m *merger) joinOne(p *placedTurn, t sources.Turn, ref turnRef) bool {
	switch {
	case repeats(t, p.turn):
	case repeats(p.turn, t):
		p.turn = t
		m.use(ref.layer)
	default:
		return false
	}
	p.from = append(p.from, ref)
	return true
}

// matchIDs returns for each turn of a parallel log the turn of the list with its id, or -1: among several the
// equal one, else the first. Both have one order.
func matchIDs(list []placedTurn, theirs []sources.Turn) []int {
	at := make(map[string][]int, len(list))
	for k, p := range list {
		at[p.turn.ID] = append(at[p.turn.ID], k)
	}
	match := make([]int, len(theirs))
	next := 0
	for j, t := range theirs {
		match[j] = -1
		if t.ID == "" {
			continue
		}
		for _, k := range at[t.ID] {
			same := repeats(t, list[k].turn) || repeats(list[k].turn, t)
			if k >= next && (match[j] < 0 || same) {
				if match[j] = k; same {
					break
				}
			}
		}
		if match[j] >= 0 {
			next = match[j] + 1
		}
	}
	return match
}
