// Package oneline makes any text of a transcript fit for one line.
package oneline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip gives text as one line of at most limit bytes, cut between words where
// there are any: half a word may be half a secret, which nobody finds.
func Clip(text string, limit int) string {
	text = text[:min(len(text), 16*limit)]
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError
	})
	line := strings.Join(words, " ")
	if len(line) <= limit {
		return line
	}
	const more = "…"
	cut := limit - len(more)
	if i := strings.LastIndexByte(line[:cut+1], ' '); i > 0 {
		return line[:i] + more
	}
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + more
}
