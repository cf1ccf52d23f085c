package session

import (
	"strconv"

	"github.com/sessionloom/sessionloom/sources"
)

// isParallel tells whether a layer is another log of the session that the base is one
// of: its folder was copied, to a second machine say, and went on in both places.
// After a rewind it is none, for it may hold what was taken back.
func (m *merger) isParallel(layer, base int) bool {
	a, b := m.layers[layer], m.layers[base]
	return a.Name == b.Name && a.Rank == sources.RankLog && b.Rank == sources.RankLog && !b.Session.Rewound
}

// nameOf is what a layer is called in a note. Of several logs of the session each
// has a name of its own: a note that was made from all is not made from fewer.
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

// joinOne makes one of two accounts of a turn, the one that says more; false where each
// says something of its own.
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

// matchIDs gives for each turn of a twin the turn of the list with its id, -1 for
// none: where several have it the one that says the same, else the first. Both run
// in one order.
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
