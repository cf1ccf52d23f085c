package vault

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// merged is what became of two versions of a text that were made from one.
type merged struct {
	text string
	// base is the common version with what was taken of ours: the base of the
	// next merge. Where nothing was refused it is ours.
	base    string
	refused []clash
}

// clash is a stretch that both sides changed, each in another way.
type clash struct{ base, theirs, ours string }

// merge3 brings theirs and ours together line by line. What only one side
// changed is taken from that side, what both insert at one place stands there
// twice, theirs first. Where both changed the same lines theirs stays.
func merge3(base, theirs, ours string) merged {
	switch {
	case theirs == ours || base == theirs:
		return merged{text: ours, base: ours}
	case base == ours:
		return merged{text: theirs, base: base}
	}
	m := merging{base: base, theirs: lineEdits(base, theirs), ours: lineEdits(base, ours)}
	for len(m.theirs)+len(m.ours) > 0 {
		m.step()
	}
	rest := base[m.at:]
	m.text.WriteString(rest)
	m.next.WriteString(rest)
	return merged{text: m.text.String(), base: m.next.String(), refused: m.refused}
}

// lineEdits are the edits that make one text the other, in order.
func lineEdits(from, to string) []udiff.Edit {
	edits := udiff.Lines(from, to)
	slices.SortStableFunc(edits, func(a, b udiff.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return edits
}

// merging goes through the edits of both sides from the start of the base.
type merging struct {
	base         string
	at           int // up to here the base is done with
	theirs, ours []udiff.Edit
	text, next   strings.Builder
	refused      []clash
	clashed      func(clash) string // what is to stand for a clash; nil: theirs
}

// step deals with the next edit and all that overlap it.
func (m *merging) step() {
	start, end := m.first()
	var theirs, ours []udiff.Edit
	for grown := true; grown; {
		grown = takeEdits(&m.theirs, &theirs, start, &end)
		grown = takeEdits(&m.ours, &ours, start, &end) || grown
	}
	m.keep(m.base[m.at:start])
	m.at = end
	old := m.base[start:end]
	a, b := apply(m.base, start, end, theirs), apply(m.base, start, end, ours)
	switch {
	case len(ours) == 0:
		m.put(a, old)
	case len(theirs) == 0 || a == b:
		m.put(b, b)
	case start == end:
		m.put(a+b, b)
	default:
		c := clash{base: old, theirs: a, ours: b}
		m.refused = append(m.refused, c)
		if m.clashed != nil {
			a = m.clashed(c)
		}
		m.put(a, old)
	}
}

func (m *merging) keep(text string) { m.put(text, text) }

func (m *merging) put(text, next string) {
	m.text.WriteString(text)
	m.next.WriteString(next)
}

// first is the stretch of the edit that comes first; of two that begin at one
// place an insertion, for it stands before what the other replaces.
func (m *merging) first() (start, end int) {
	switch {
	case len(m.ours) == 0:
		return m.theirs[0].Start, m.theirs[0].End
	case len(m.theirs) == 0:
		return m.ours[0].Start, m.ours[0].End
	}
	a, b := m.theirs[0], m.ours[0]
	if c := cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)); c <= 0 {
		return a.Start, a.End
	}
	return b.Start, b.End
}

// takeEdits moves the edits that overlap the stretch from one list to the other
// and widens the stretch by them. Two insertions at one place overlap; an
// insertion at the edge of a stretch does not.
func takeEdits(from, to *[]udiff.Edit, start int, end *int) (grown bool) {
	for len(*from) > 0 {
		e := (*from)[0]
		inside := e.Start < *end || start == *end && e.Start == start && e.End == start
		if !inside {
			return grown
		}
		*to, *from, *end = append(*to, e), (*from)[1:], max(*end, e.End)
		grown = true
	}
	return grown
}

// apply is a stretch of the base after the edits in it.
func apply(base string, start, end int, edits []udiff.Edit) string {
	var b strings.Builder
	at := start
	for _, e := range edits {
		b.WriteString(base[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(base[at:end])
	return b.String()
}
