package escape

import (
	"strings"
	"unicode/utf8"
)

// Version names what all escapers write; it grows with every change of that, so that
// pages made by others are known to be old.
const Version = "4"

const (
	maxHeading = 300 // bytes of a heading before escaping
	maxLabel   = 60  // bytes of a label in a diagram
)

// Heading escapes the text of a heading; empty text becomes "Untitled".
func Heading(s string) string {
	s = OneLine(s)
	if s == "" {
		return "Untitled"
	}
	out := appendInline(nil, Cut(s, maxHeading), false)
	if n := len(out); out[n-1] == '#' && (n < 2 || out[n-2] != '\\') {
		out = append(out[:n-1], '\\', '#') // no closing sequence
	}
	return string(out)
}

// Cell escapes text for a cell of a table.
func Cell(s string) string { return escapeBars(Inline(s)) }

// CellCode is [Code] for a cell of a table.
func CellCode(s string) string { return escapeBars(Code(s)) }

// Label escapes text for a quoted label of a Mermaid diagram by leaving out all
// but letters, digits and a few signs.
func Label(s string) string {
	keep := func(r rune) rune {
		switch {
		case r < utf8.RuneSelf && (isAlpha(byte(r)) || isDigit(byte(r))), strings.ContainsRune(" -._,/+", r),
			r >= 0xa0 && r != utf8.RuneError:
			return r
		}
		return -1
	}
	return Cut(strings.Map(keep, OneLine(s)), maxLabel)
}

// Quote escapes markdown as [Block] does and puts it into quotes or callouts,
// depth levels deep.
func Quote(depth int, s string) string {
	return prefixLines(Block(s), strings.Repeat("> ", depth))
}
