package texts

import (
	"strings"
	"unicode/utf8"
)

// CutWords shortens a line to at most limit bytes, at a blank where the last
// word is not most of it, and says so with an ellipsis.
func CutWords(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := CutRunes(s, limit-len("…"))
	if r, _ := utf8.DecodeRuneInString(s[len(cut):]); r != ' ' {
		if i := strings.LastIndexByte(cut, ' '); i > limit/3 {
			cut = cut[:i]
		}
	}
	return strings.TrimRight(cut, " ,;:–-") + "…"
}

// CutRunes cuts s to at most limit bytes between two runes.
func CutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// CutLines shortens markdown to about max bytes, at the end of a line.
func CutLines(s string, max int) string {
	if len(s) <= max {
		return s
	}
	end := strings.LastIndexByte(s[:max], '\n')
	if end < max/2 {
		return Cut(s, max)
	}
	return s[:end] + "\n\n…"
}

// Cut shortens s to at most max bytes, at a word where there is one, and says so
// with an ellipsis.
func Cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	s = CutRunes(s, max-len("…"))
	if i := strings.LastIndexAny(s, " \n\t"); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " \n\t") + "…"
}

// FirstSentence is the start of a text, at most about a line.
func FirstSentence(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n\n")
	s = OneLine(s)
	if i := strings.Index(s, ". "); i > 20 && i < 200 {
		s = s[:i+1]
	}
	return Cut(s, 200)
}
