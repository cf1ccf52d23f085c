package chat

import (
	"strings"
	"unicode/utf8"
)

// maxName is how long a name of an attachment may be, in bytes.
const maxName = 300

// oneLine puts text on one line, cut at a rune.
func oneLine(text string, limit int) string {
	if len(text) > 4*limit { // of a pasted log only the beginning matters
		text = text[:4*limit]
	}
	return clip(strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), ""), limit)
}

// clip cuts text to so many bytes at a rune.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const dots = "…"
	cut := limit - len(dots)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.TrimRight(text[:cut], " ") + dots
}
