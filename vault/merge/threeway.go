package merge

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/sessionloom/sessionloom/vault/note"
)

// mergedText is what became of two versions of a text that were made from one.
type mergedText struct {
	text string
	// base is the common version with what was taken of ours: the base of the
	// next merge. Where nothing was refused it is ours.
	base     string
	unmerged string // text, had nothing been refused
	rejected []conflict
}

type conflict struct {
	base, theirs, ours string
	at                 int // in the base
}

const maxMerges = 4

// threeWay merges by line. Insertions at one place stand both there, theirs first; where both
// changed the same lines theirs stays. Merging the result again gives the result: where repeated
// lines let that come to no rest, nothing of ours is taken.
func threeWay(base, theirs, ours string) mergedText {
	m := mergeOnce(base, theirs, ours)
	for range maxMerges {
		again := mergeOnce(m.base, m.text, ours)
		if again.text == m.text && again.base == m.base {
			return again
		}
		m = again
	}
	return mergedText{text: theirs, base: base, unmerged: ours, rejected: []conflict{{base: base, theirs: theirs, ours: ours}}}
}

func mergeOnce(base, theirs, ours string) mergedText {
	switch {
	case theirs == ours || base == theirs:
		return mergedText{text: ours, base: ours, unmerged: ours}
	case base == ours:
		return mergedText{text: theirs, base: base, unmerged: theirs}
	}
	g := merging{base: base, theirs: diffLines(base, theirs), ours: diffLines(base, ours)}
	for len(g.theirs)+len(g.ours) > 0 {
		g.step()
	}
	g.keep(base[g.at:])
	return mergedText{text: g.text.String(), base: g.next.String(), unmerged: g.unmerged.String(), rejected: g.rejected}
}

// merging goes through the edits of both sides from the start of the base.
type merging struct {
	base         string
	at           int // up to here the base is done with
	theirs, ours []udiff.Edit
	rejected     []conflict
	onConflict   func(conflict) string // what is to stand for a conflict; nil: theirs

	text, next, unmerged strings.Builder
}

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
		m.put(a, old, a)
	case len(theirs) == 0 || a == b:
		m.put(b, b, b)
	case start == end:
		m.put(a+b, b, a+b)
	default:
		c := conflict{base: old, theirs: a, ours: b, at: start}
		m.rejected = append(m.rejected, c)
		if m.onConflict != nil {
			a = m.onConflict(c)
		}
		m.put(a, old, b)
	}
}

func (m *merging) keep(text string) { m.put(text, text, text) }

func (m *merging) put(text, next, unmerged string) {
	m.text.WriteString(text)
	m.next.WriteString(next)
	m.unmerged.WriteString(unmerged)
}

// first is the stretch of the first edit, insertions before replacements.
func (m *merging) first() (start, end int) {
	e := slices.MinFunc(slices.Concat(m.theirs[:min(1, len(m.theirs))], m.ours[:min(1, len(m.ours))]), byPlace)
	return e.Start, e.End
}

func byPlace(a, b udiff.Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) }

// takeEdits moves overlapping edits to another list and widens the stretch. Insertions at one place
// overlap, at the edge of a stretch they do not.
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

// splitLines cuts a text behind each line feed; the lines joined are the text.
func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

// mergeLines merges by line; clean: both changed no line that onConflict had to settle.
func mergeLines(base, ours, theirs string, onConflict func(conflict) string) (text string, clean bool) {
	m := merging{base: base, theirs: diffLines(base, ours), ours: diffLines(base, theirs), onConflict: onConflict}
	for len(m.theirs)+len(m.ours) > 0 {
		m.step()
	}
	m.text.WriteString(base[m.at:])
	return m.text.String(), len(m.rejected) == 0
}

// withMarkers shows a conflict as git does. Its first side is called theirs.
func withMarkers(c conflict) string {
	return "<<<<<<< ours\n" + closed(c.theirs) + "=======\n" + closed(c.ours) + ">>>>>>> theirs\n"
}

func closed(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// bothStand keeps one side and adds lines that only the other has.
func bothStand(c conflict) string {
	known := slices.Concat(splitLines(c.base), splitLines(c.theirs))
	var b strings.Builder
	b.WriteString(closed(c.theirs))
	for _, line := range splitLines(c.ours) {
		if !slices.Contains(known, line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func commonLines(a, b string) string {
	edits := diffLines(a, b)
	for i := range edits {
		edits[i].New = ""
	}
	return apply(a, 0, len(a), edits)
}

// plainLines is a text without byte order mark, in LF line ends if all were CRLF.
func plainLines(b []byte) string {
	b = bytes.TrimPrefix(b, note.ByteOrderMark)
	if allCRLF(b) {
		b = note.ToLF(b)
	}
	return string(b)
}

func allCRLF(b []byte) bool {
	n := bytes.Count(b, []byte("\n"))
	return n > 0 && n == bytes.Count(b, []byte("\r\n"))
}

// spelledLike gives a text the line ends of a file, and its byte order mark.
func spelledLike(file []byte, text string) []byte {
	if allCRLF(file) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if bytes.HasPrefix(file, note.ByteOrderMark) {
		text = string(note.ByteOrderMark) + text
	}
	return []byte(text)
}
