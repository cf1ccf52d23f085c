package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// edit replaces s[from:to].
type edit struct {
	from, to int
	with     string
}

// secret is one that was found at s[from:to].
type secret struct {
	span
	rule string
	text string // without what it was torn apart by
	weak bool   // see rule
}

// mask is Text; offsets into s are moved along, and each secret is counted
// under its rule.
func (m *Masker) mask(s string, offsets []int, counts map[string]int) (out string, err error) {
	defer failClosed(&err)
	set, err := m.rules()
	if err != nil {
		return "", err
	}
	// A mask may lay bare the start of another secret, so a changed text is looked
	// at again. Honest text needs one more look; the bound is for hostile text.
	const looks = 6
	if strays := strays(s); len(strays) > 0 {
		s = apply(s, strays, offsets)
	}
	for range looks {
		found := m.secrets(set, s)
		if len(found) == 0 {
			break
		}
		edits := make([]edit, len(found))
		for i, f := range found {
			edits[i] = edit{f.from, f.to, m.token(f.rule, f.text)}
			if counts != nil {
				counts[f.rule]++
			}
		}
		s = apply(s, edits, offsets)
	}
	return s, nil
}

// secrets finds what is to be masked, in order and without overlap.
func (m *Masker) secrets(set *ruleSet, s string) []secret {
	var found []secret
	for i := range set.whole {
		found = m.searchAll(found, &set.whole[i], s)
	}
	found = m.hidden(found, set, s)
	found = m.scan(found, set, s)
	found = m.encoded(found, set, s)
	return inOrder(found)
}

// inOrder sorts by place. Of two that overlap the longer one stays, of equal ones
// that which was found first; but a weak one stays only where there is no other.
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
		case f.weak != kept[n-1].weak && kept[n-1].weak, f.weak == kept[n-1].weak && f.to-f.from > kept[n-1].to-kept[n-1].from:
			kept[n-1] = f
		}
	}
	return kept
}

// searchAll adds what a rule without keys finds.
func (m *Masker) searchAll(found []secret, r *rule, s string) []secret {
	for p := newPieces(s); p.next(); {
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

// add adds a secret that the user does not allow.
func (m *Masker) add(found []secret, r *rule, s string, sp span) []secret {
	text := s[sp.from:sp.to]
	if m.allow != nil && m.allow.MatchString(text) {
		return found
	}
	return append(found, secret{sp, r.name, text, r.weak})
}

// scan adds what the rules find at their keys.
func (m *Masker) scan(found []secret, set *ruleSet, s string) []secret {
	p := newPieces(s)
	p.next()
	floor := p.from // what lies before it is masked already
	var weak []secret
	var seen map[int]int // by rule: up to where a search has seen it all
	set.scan.hits(s, func(h hit) (resume int) {
		for h.from >= p.to && p.to < len(s) {
			p.next()
			floor = max(floor, p.from)
		}
		if h.from < floor || h.to > p.to {
			return 0
		}
		r := &set.rules[h.rule]
		var sp span
		if r.find != nil {
			sp = r.find(s[:p.to], h.from, h.to)
		} else if h.from >= seen[h.rule] {
			if sp = r.search(s[:p.to], floor, h.from, h.to); sp.to == 0 {
				if seen == nil {
					seen = make(map[int]int)
				}
				seen[h.rule] = h.from + stretch
			}
		}
		if sp.from >= sp.to || sp.from < floor {
			return 0
		}
		if r.weak {
			weak = m.add(weak, r, s, sp)
			return 0
		}
		n := len(found)
		if found = m.add(found, r, s, sp); len(found) == n {
			return 0
		}
		floor = sp.to
		return sp.to
	})
	return append(found, weak...)
}

// pieces are the stretches of a text between its masks.
type pieces struct {
	s        string
	from, to int
}

func newPieces(s string) *pieces { return &pieces{s: s, to: -1} }

// next goes to the next piece, which may be empty; false behind the last one.
func (p *pieces) next() bool {
	switch {
	case p.to >= len(p.s):
		return false
	case p.to >= 0:
		k, _ := parseMask(p.s, p.to)
		p.from = k.end
	}
	p.to = len(p.s)
	for i := nextMark(p.s, p.from); i >= 0; i = nextMark(p.s, i+len(maskOpen)) {
		if _, ok := parseMask(p.s, i); ok {
			p.to = i
			break
		}
	}
	return true
}

// token is the mask of a secret.
func (m *Masker) token(rule, secret string) string {
	h := hmac.New(sha256.New, m.key)
	h.Write([]byte(secret))
	return maskOpen + rule + "~" + hex.EncodeToString(h.Sum(nil))[:hashLen] + maskClose
}

// strays finds the runes of masks that belong to no mask of ours. In a text
// that has any, bytes that are no UTF-8 are taken out as well, or what is left
// could make a new one.
func strays(s string) []edit {
	var edits []edit
	last, found := 0, false
	for i := nextMark(s, 0); i >= 0; i = nextMark(s, last) {
		edits = appendInvalid(edits, s, last, i)
		if k, ok := parseMask(s, i); ok {
			last = k.end
			continue
		}
		last, found = i+len(maskOpen), true
		edits = append(edits, edit{from: i, to: last})
	}
	if !found {
		return nil
	}
	return appendInvalid(edits, s, last, len(s))
}

// appendInvalid replaces the bytes of s[from:to] that are no UTF-8.
func appendInvalid(edits []edit, s string, from, to int) []edit {
	for from < to {
		r, n := utf8.DecodeRuneInString(s[from:to])
		if r == utf8.RuneError && n == 1 {
			edits = append(edits, edit{from, from + 1, string(utf8.RuneError)})
		}
		from += n
	}
	return edits
}

// apply makes the edits, which are in order, and moves the offsets, which may
// be in any: one within an edit to its end.
func apply(s string, edits []edit, offsets []int) string {
	var b strings.Builder
	b.Grow(len(s) + 16*len(edits))
	moved := append([]int(nil), offsets...)
	last := 0
	for _, e := range edits {
		b.WriteString(s[last:e.from])
		b.WriteString(e.with)
		for i, at := range offsets {
			switch {
			case at >= e.to:
				moved[i] += len(e.with) - (e.to - e.from)
			case at > e.from:
				moved[i] += e.from + len(e.with) - at
			}
		}
		last = e.to
	}
	b.WriteString(s[last:])
	copy(offsets, moved)
	return b.String()
}
