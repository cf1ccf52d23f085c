package redact

import (
	"fmt"
	"math/bits"
	"strings"
)

// rule finds one kind of secret, by find or search.
type rule struct {
	name  string // of letters, digits and "-"; part of the mask
	weak  bool   // what others find counts before what it finds
	least int    // bytes of the shortest secret, where that is known
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
	next  []uint16   // row and column → row
	first uint16     // rows from here on have words
	words [][]keyHit // of row first + i
}

// keyHit says that a key of a rule ends here.
type keyHit struct{ rule, length int }

// trieNode is a prefix of keys while the table is built.
type trieNode struct {
	child map[uint8]int
	fail  int
	words []keyHit
}

// newAutomaton fails when the keys are too many.
func newAutomaton(rules []rule) (*automaton, error) {
	a := &automaton{width: 1}
	nodes := []*trieNode{{child: map[uint8]int{}}}
	for n, r := range rules {
		for _, key := range r.keys {
			at := 0
			for i := range len(key) {
				c := a.column(key[i])
				if nodes[at].child[c] == 0 {
					nodes[at].child[c] = len(nodes)
					nodes = append(nodes, &trieNode{child: map[uint8]int{}})
				}
				at = nodes[at].child[c]
			}
			nodes[at].words = append(nodes[at].words, keyHit{n, len(key)})
		}
	}
	if len(nodes) > 1<<16 {
		return nil, fmt.Errorf("keywords have %d different beginnings, which is too many", len(nodes))
	}
	a.bits = bits.Len(uint(a.width - 1))
	a.fill(nodes)
	return a, nil
}

// column gives a byte of a key its column.
func (a *automaton) column(c byte) uint8 {
	if a.class[c] == 0 {
		a.class[c] = uint8(a.width)
		if isLower(c) {
			a.class[c-'a'+'A'] = uint8(a.width)
		}
		a.width++
	}
	return a.class[c]
}

// fill makes the table of the trie, breadth first: the way back of a node is
// known before its children are reached.
func (a *automaton) fill(nodes []*trieNode) {
	full := make([]int, len(nodes)*a.width) // node and column → node
	queue := []int{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		n := nodes[at]
		next := full[at*a.width : (at+1)*a.width]
		if at != 0 {
			n.words = append(n.words, nodes[n.fail].words...)
			copy(next, full[n.fail*a.width:])
		}
		for c, child := range n.child {
			nodes[child].fail, next[c] = next[c], child
			queue = append(queue, child)
		}
	}
	row := a.order(nodes)
	a.next = make([]uint16, len(nodes)<<a.bits)
	for at := range nodes {
		for c := range a.width {
			a.next[row[at]<<a.bits|c] = uint16(row[full[at*a.width+c]])
		}
	}
}

// order gives the nodes their rows, those with words last: one comparison per
// byte tells them apart. The root has row 0.
func (a *automaton) order(nodes []*trieNode) []int {
	row := make([]int, len(nodes))
	at := 0
	for i, n := range nodes {
		if len(n.words) == 0 {
			row[i] = at
			at++
		}
	}
	a.first = uint16(at)
	for i, n := range nodes {
		if len(n.words) > 0 {
			row[i] = at
			at++
			a.words = append(a.words, n.words)
		}
	}
	return row
}

// hits calls found for every key in s, in order of their ends. It goes on at
// the offset found returns where that is not 0.
func (a *automaton) hits(s string, found func(hit) (resume int)) {
	next, first, shift := a.next, a.first, a.bits
	state := uint16(0)
	for i := 0; i < len(s); i++ {
		state = next[int(state)<<shift|int(a.class[s[i]])]
		if state < first {
			continue
		}
		for _, w := range a.words[state-first] {
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
