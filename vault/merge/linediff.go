package merge

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// LineEdits are the edits by whole lines that make one text the other, in
// order. Lines that stand once in either text hold the two together, as in a
// patience diff: headings and prompts of a note that grew by hundreds of lines
// stay where they are, and what changed between them stays apart.
func LineEdits(from, to string) []udiff.Edit {
	d := lineDiff{from: splitLines(from), to: splitLines(to)}
	d.offsets = make([]int, len(d.from)+1)
	for i, line := range d.from {
		d.offsets[i+1] = d.offsets[i] + len(line)
	}
	d.compare(span{0, len(d.from)}, span{0, len(d.to)})
	return d.edits
}

// splitLines cuts a text behind each line feed; the lines joined are the text.
func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

// span is a stretch of lines.
type span struct{ start, end int }

func (s span) empty() bool { return s.start == s.end }

type lineDiff struct {
	from, to []string
	offsets  []int // of the lines of from
	edits    []udiff.Edit
}

// compare adds the edits between two stretches.
func (d *lineDiff) compare(a, b span) {
	for !a.empty() && !b.empty() && d.from[a.start] == d.to[b.start] {
		a.start, b.start = a.start+1, b.start+1
	}
	for !a.empty() && !b.empty() && d.from[a.end-1] == d.to[b.end-1] {
		a.end, b.end = a.end-1, b.end-1
	}
	switch {
	case a.empty() && b.empty():
		return
	case a.empty() || b.empty():
		d.edits = append(d.edits, udiff.Edit{Start: d.offsets[a.start], End: d.offsets[a.end], New: strings.Join(d.to[b.start:b.end], "")})
		return
	}
	anchors := d.anchors(a, b)
	if len(anchors) == 0 {
		d.search(a, b)
		return
	}
	for _, at := range anchors {
		d.compare(span{a.start, at.a}, span{b.start, at.b})
		a.start, b.start = at.a+1, at.b+1
	}
	d.compare(a, b)
}

// search compares stretches that have no line to hold on to.
func (d *lineDiff) search(a, b span) {
	edits := udiff.Lines(strings.Join(d.from[a.start:a.end], ""), strings.Join(d.to[b.start:b.end], ""))
	for _, e := range edits {
		e.Start, e.End = e.Start+d.offsets[a.start], e.End+d.offsets[a.start]
		d.edits = append(d.edits, e)
	}
}

// anchor is a line that stands once in both stretches.
type anchor struct{ a, b int }

// anchors are the most such lines that stand in one order in both.
func (d *lineDiff) anchors(a, b span) []anchor {
	type places struct{ inA, inB, a, b int }
	seen := make(map[string]places, a.end-a.start)
	for i := a.start; i < a.end; i++ {
		p := seen[d.from[i]]
		p.inA, p.a = p.inA+1, i
		seen[d.from[i]] = p
	}
	for i := b.start; i < b.end; i++ {
		if p, ok := seen[d.to[i]]; ok {
			p.inB, p.b = p.inB+1, i
			seen[d.to[i]] = p
		}
	}
	var all []anchor
	for i := a.start; i < a.end; i++ {
		if p := seen[d.from[i]]; p.inA == 1 && p.inB == 1 {
			all = append(all, anchor{i, p.b})
		}
	}
	return longestRise(all)
}

// longestRise is the longest part of a list in which b rises too.
func longestRise(list []anchor) []anchor {
	var ends []int // of the best rise of each length: index of its last entry
	before := make([]int, len(list))
	for i, at := range list {
		n, _ := slices.BinarySearchFunc(ends, at.b, func(end, b int) int { return list[end].b - b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	rise := make([]anchor, len(ends))
	at := ends[len(ends)-1]
	for n := len(ends) - 1; n >= 0; n-- {
		rise[n], at = list[at], before[at]
	}
	return rise
}
