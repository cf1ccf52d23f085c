package redact

import (
	"math/bits"
	"strings"
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

// keyHit is a rule with a key that ends here.
type keyHit struct{ rule, length int }

func newAutomaton(rules []rule) *automaton {
	a, most := &automaton{width: 1}, 1
	for _, r := range rules {
		for _, key := range r.keys {
			most += len(key)
			for i := range len(key) {
				a.column(key[i])
			}
		}
	}
	a.bits = bits.Len(uint(a.width - 1))
	a.next = make([]uint32, 0, most<<a.bits)
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

// column returns a byte of a key its column.
func (a *automaton) column(c byte) {
	if a.class[c] == 0 {
		a.class[c] = uint8(a.width)
		if isLower(c) {
			a.class[c-'a'+'A'] = uint8(a.width)
		}
		a.width++
	}
}

// link completes the rows, which have only keys, breadth first: the way back of a row is known
// before the rows after it.
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

// hits calls found for every key in s, in order of their ends. It continues at
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
