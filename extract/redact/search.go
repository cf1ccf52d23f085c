package redact

import (
	"iter"
	"slices"
)

// secret is one that was found at s[from:to].
type secret struct {
	span
	rule          string
	text          string // without what it was torn apart by
	lowConfidence bool   // see rule
}

// inOrder sorts by place. Of two that overlap the longer one stays, of equal ones
// that which was found first; but one of low confidence stays only where there is no other.
// What the other has beyond it is found with the next look.
func inOrder(found []secret) []secret {
	if len(found) < 2 {
		return found
	}
	slices.SortStableFunc(found, func(a, b secret) int { return a.from - b.from })
	kept := found[:0]
	for _, f := range found {
		n := len(kept)
		switch {
		case n == 0 || f.from >= kept[n-1].to:
			kept = append(kept, f)
		case f.lowConfidence != kept[n-1].lowConfidence && kept[n-1].lowConfidence, f.lowConfidence == kept[n-1].lowConfidence && f.to-f.from > kept[n-1].to-kept[n-1].from:
			kept[n-1] = f
		}
	}
	return kept
}

// searchAll adds the matches of a rule without keys.
func (m *Masker) searchAll(found []secret, r *rule, s string) []secret {
	for p := range pieces(s) {
		for lo := p.from; lo < p.to; {
			sp := r.search(s[:p.to], lo, 0, 0)
			if sp.from >= sp.to {
				break
			}
			found = m.add(found, r, s, sp)
			lo = sp.to
		}
	}
	return found
}

func (m *Masker) add(found []secret, r *rule, s string, sp span) []secret {
	text := s[sp.from:sp.to]
	if m.allow != nil && m.allow.MatchString(text) {
		return found
	}
	return append(found, secret{sp, r.name, text, r.lowConfidence})
}

// scan adds the matches of the rules at their keys.
func (m *Masker) scan(found []secret, set *ruleSet, s string) []secret {
	masks := Masks(s) // but for those in front of the key
	floor := 0        // what lies before it is masked already
	var lowConfidence []secret
	var seen map[int]int // by rule: up to where a search has seen it all
	set.scan.hits(s, func(h hit) (resume int) {
		for len(masks) > 0 && h.from >= masks[0].From {
			floor = max(floor, masks[0].To)
			masks = masks[1:]
		}
		end := len(s)
		if len(masks) > 0 {
			end = masks[0].From
		}
		if h.from < floor || h.to > end {
			return 0
		}
		r := &set.rules[h.rule]
		var sp span
		if r.find != nil {
			sp = r.find(s[:end], h.from, h.to)
		} else if h.from >= seen[h.rule] {
			if sp = r.search(s[:end], floor, h.from, h.to); sp.to == 0 {
				if seen == nil {
					seen = make(map[int]int)
				}
				seen[h.rule] = h.from + stretch
			}
		}
		if sp.from >= sp.to || sp.from < floor {
			return 0
		}
		if r.lowConfidence {
			lowConfidence = m.add(lowConfidence, r, s, sp)
			return 0
		}
		n := len(found)
		if found = m.add(found, r, s, sp); len(found) == n {
			return 0
		}
		floor = sp.to
		return sp.to
	})
	return append(found, lowConfidence...)
}

// pieces are the stretches of a text between its masks; some may be empty.
func pieces(s string) iter.Seq[span] {
	return func(yield func(span) bool) {
		from := 0
		for _, k := range Masks(s) {
			if !yield(span{from, k.From}) {
				return
			}
			from = k.To
		}
		yield(span{from, len(s)})
	}
}
