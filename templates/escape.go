package templates

import (
	"strings"
	"unicode/utf8"
)

// escapers names the version of all escapers; it is part of [Set.Fingerprint]
// and grows with every change of what they write.
const escapers = "3"

const (
	maxHeading = 300 // bytes of a heading before escaping
	maxLabel   = 60  // bytes of a label in a diagram
)

// heading escapes the text of a heading; empty text becomes "Untitled".
func heading(s string) string {
	s = oneLine(s)
	if s == "" {
		return "Untitled"
	}
	out := appendInline(nil, cut(s, maxHeading), false)
	if n := len(out); out[n-1] == '#' && (n < 2 || out[n-2] != '\\') {
		out = append(out[:n-1], '\\', '#') // no closing sequence
	}
	return string(out)
}

// cell escapes text for a cell of a table.
func cell(s string) string { return escapeBars(inline(s)) }

// cellCode is [code] for a cell of a table.
func cellCode(s string) string { return escapeBars(code(s)) }

// escapeBars puts a backslash before every bar that has none; it holds inside
// code spans, too.
func escapeBars(s string) string {
	if strings.IndexByte(s, '|') < 0 {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	escaped := false
	for i := range len(s) {
		if s[i] == '|' && !escaped {
			out = append(out, '\\')
		}
		escaped = s[i] == '\\' && !escaped
		out = append(out, s[i])
	}
	return string(out)
}

// label escapes text for a quoted label of a Mermaid diagram by leaving out all
// but letters, digits and a few signs.
func label(s string) string {
	keep := func(r rune) rune {
		switch {
		case r < utf8.RuneSelf && (isAlpha(byte(r)) || isDigit(byte(r))), strings.ContainsRune(" -._,/+", r),
			r >= 0xa0 && r != utf8.RuneError:
			return r
		}
		return -1
	}
	return cut(strings.Map(keep, oneLine(s)), maxLabel)
}

// quote escapes markdown as [block] does and puts it into quotes or callouts,
// depth levels deep.
func quote(depth int, s string) string {
	return prefixLines(block(s), strings.Repeat("> ", depth))
}

// prefixLines puts prefix before every line of s, without its blanks before an
// empty one. Empty text stays empty.
func prefixLines(s, prefix string) string {
	if s == "" {
		return ""
	}
	bare := strings.TrimRight(prefix, " ")
	var b strings.Builder
	b.Grow(len(s) + (strings.Count(s, "\n")+1)*len(prefix))
	for {
		text, rest, more := strings.Cut(s, "\n")
		if text == "" {
			b.WriteString(bare)
		} else {
			b.WriteString(prefix)
			b.WriteString(text)
		}
		if !more {
			return b.String()
		}
		b.WriteByte('\n')
		s = rest
	}
}

// cut shortens s to about limit bytes, at a blank where there is one near the end,
// and shows it by "…". A mask of a redacted secret is never cut in two.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	if i := strings.LastIndexByte(s[:end], ' '); i > limit/2 {
		end = i
	}
	return strings.TrimRight(s[:beforeMask(s, end)], " ") + "…"
}

// beforeMask moves the cut at end before the mask it would split.
func beforeMask(s string, end int) int {
	if i := strings.LastIndex(s[:end], maskOpen); i >= 0 && !strings.Contains(s[i:end], maskClose) &&
		strings.Contains(s[end:], maskClose) {
		return i
	}
	return end
}
