package brief

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Tokens counts the tokens of a text with caution, for whichever model reads it: a third of one for
// an ASCII letter or blank, two thirds for any other ASCII character (ids and dates fall into short
// tokens), one for any other character, two for one beyond the Basic Multilingual Plane (emoji);
// the sum is rounded up. The tokens of two texts together are never more than those of each added up.
func Tokens(text string) int {
	thirds := 0
	for _, r := range text {
		switch {
		case r == ' ', 'a' <= r|0x20 && r|0x20 <= 'z':
			thirds++
		case r < utf8.RuneSelf:
			thirds += 2
		case r > 0xffff:
			thirds += 6
		default:
			thirds += 3
		}
	}
	return (thirds + 2) / 3
}

// section are lines below a heading, the most valuable first.
type section struct {
	heading     string // empty: none
	first, step int    // rank of the first line, and how much further down each next one is
	lines       []string
}

// ranked is a line of a section.
type ranked struct{ rank, section int }

// fit chooses lines by their rank as long as they cost no more tokens than a budget has, and puts
// them into the order of their sections. It stops at the first line that does not fit, so that a
// larger budget only adds lines. With a budget of 0 all lines fit.
func fit(sections []section, budget int) (out []string) {
	var order []ranked
	for i, s := range sections {
		for k := range s.lines {
			order = append(order, ranked{s.first + k*s.step, i})
		}
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return cmp.Or(a.rank-b.rank, a.section-b.section) })
	shown, cost := make([]int, len(sections)), 0
	for _, r := range order {
		s := sections[r.section]
		if shown[r.section] == 0 {
			cost += Tokens("\n") + headingCost(s)
		}
		cost += Tokens(s.lines[shown[r.section]] + "\n")
		if budget > 0 && cost > budget {
			break
		}
		shown[r.section]++
	}
	for i, s := range sections {
		if shown[i] == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		if s.heading != "" {
			out = append(out, "## "+s.heading, "")
		}
		out = append(out, s.lines[:shown[i]]...)
	}
	return out
}

func headingCost(s section) int {
	if s.heading == "" {
		return 0
	}
	return Tokens("## " + s.heading + "\n\n")
}
