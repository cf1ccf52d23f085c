package redact

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// rule finds one kind of secret, by find or search.
type rule struct {
	name          string // of letters, digits and "-"; part of the mask
	lowConfidence bool   // what others find counts before what it finds
	least         int    // bytes of the shortest secret, where that is known
	// keys are the words, in lower case, that every secret of the kind has at or
	// before its start. They are looked for without regard to case.
	keys []string
	// find returns the secret that belongs to the key found at s[from:to], or an
	// empty span. It looks at a bounded stretch or at the secret itself only, so
	// that a text is read in linear time.
	find func(s string, from, to int) span
	// search is the other way to find one: around the key, but not before lo.
	// It has seen all secrets that belong to keys up to stretch bytes behind.
	search func(s string, lo, from, to int) span
}

// span is a stretch of the text.
type span struct{ from, to int }

// hit is a key found at s[from:to].
type hit struct{ rule, from, to int }

// automaton finds all keys at once (Aho and Corasick, 1975), as a table:
// one look-up per byte.
type automaton struct {
	class [256]uint8 // byte → column; letters of both cases share one
	width int        // columns in use
	bits  int        // of a column: the place of a row is a shift
	next  []uint32   // row and column → row, with endsKey where keys end there
	words [][]keyHit // by row
}

// endsKey is set in what leads to a row where keys end.
const endsKey = 1 << 31

// keyHit says that a key of a rule ends here.
type keyHit struct{ rule, length int }

func newAutomaton(rules []rule) *automaton {
	a := &automaton{width: 1}
	for _, r := range rules {
		for _, key := range r.keys {
			for i := range len(key) {
				a.column(key[i])
			}
		}
	}
	a.bits = bits.Len(uint(a.width - 1))
	a.addRow()
	for n, r := range rules {
		for _, key := range r.keys {
			at := 0
			for i := range len(key) {
				place := at<<a.bits | int(a.class[key[i]])
				if a.next[place] == 0 {
					a.next[place] = a.addRow()
				}
				at = int(a.next[place])
			}
			a.words[at] = append(a.words[at], keyHit{n, len(key)})
		}
	}
	a.link()
	return a
}

// addRow adds an empty row.
func (a *automaton) addRow() uint32 {
	a.next = append(a.next, make([]uint32, 1<<a.bits)...)
	a.words = append(a.words, nil)
	return uint32(len(a.words) - 1)
}

// column gives a byte of a key its column.
func (a *automaton) column(c byte) {
	if a.class[c] == 0 {
		a.class[c] = uint8(a.width)
		if isLower(c) {
			a.class[c-'a'+'A'] = uint8(a.width)
		}
		a.width++
	}
}

// link completes the rows, which have the keys alone, breadth first: the way back of a
// row is known before those behind it are reached.
func (a *automaton) link() {
	back := make([]uint32, len(a.words))
	for queue := []uint32{0}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at != 0 {
			a.words[at] = append(a.words[at], a.words[back[at]]...)
		}
		for c := range uint32(1) << a.bits {
			to, otherwise := &a.next[at<<a.bits|c], a.next[back[at]<<a.bits|c]
			switch {
			case *to == 0:
				*to = otherwise
			case at != 0:
				back[*to] = otherwise
				queue = append(queue, *to)
			default:
				queue = append(queue, *to)
			}
		}
	}
	for i, to := range a.next {
		if len(a.words[to]) > 0 {
			a.next[i] |= endsKey
		}
	}
}

// hits calls found for every key in s, in order of their ends. It goes on at
// the offset found returns where that is not 0.
func (a *automaton) hits(s string, found func(hit) (resume int)) {
	next, shift := a.next, a.bits
	state := uint32(0)
	for i := 0; i < len(s); i++ {
		state = next[int(state)<<shift|int(a.class[s[i]])]
		if state < endsKey {
			continue
		}
		state &^= endsKey
		for _, w := range a.words[state] {
			if to := found(hit{w.rule, i + 1 - w.length, i + 1}); to > 0 {
				i, state = to-1, 0
				break
			}
		}
	}
}

func lower(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}

// ruleSet is all rules of a Masker, ready for use.
type ruleSet struct {
	rules []rule
	scan  *automaton
	whole []rule // of the user, without a key: a text is searched as a whole
}

// builtIn names the rules this release has. It goes up whenever one of ours
// finds other secrets than before, or the file of gitleaks is another.
const builtIn = "10 gitleaks 8.30.1"

// builtInRules are the rules where the user has none. They never change: all
// Maskers of a process share them.
var builtInRules = sync.OnceValues(func() (*ruleSet, error) { return loadRules(nil) })

// loadRules reads all rules. Where two have a key at one place, the first wins:
// those of the user before ours, ours before those of gitleaks, tokens before
// what is known by the words around it.
func loadRules(own []rule) (*ruleSet, error) {
	theirs, named, err := readGitleaks()
	if err != nil {
		return nil, err
	}
	set := &ruleSet{}
	for _, r := range own {
		if len(r.keys) == 0 {
			set.whole = append(set.whole, r)
		} else {
			set.rules = append(set.rules, r)
		}
	}
	slices.SortStableFunc(theirs, func(a, b rule) int { return b.least - a.least })
	tokens := slices.Concat(tokenRules(), vendorRules(), serviceRules(), theirs)
	slices.SortStableFunc(tokens, func(a, b rule) int { // the newer tokens of GitLab start as the older ones and go on
		return order(strings.HasSuffix(b.name, "-routable")) - order(strings.HasSuffix(a.name, "-routable"))
	})
	set.rules = slices.Concat(set.rules, tokens, placeRules(), addressRules(), commandRules(), named, contextRules(tokens))
	slices.SortStableFunc(set.rules, func(a, b rule) int { return order(a.lowConfidence) - order(b.lowConfidence) })
	set.scan = newAutomaton(set.rules)
	return set, nil
}

func order(first bool) int {
	if first {
		return 1
	}
	return 0
}

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

// searchAll adds what a rule without keys finds.
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

// scan adds what the rules find at their keys.
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
