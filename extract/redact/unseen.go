package redact

import (
	"regexp"
	"unicode"
	"unicode/utf8"
)

// unseenAt is the length of something at i that nobody sees, as a page leaves it
// out or shows nothing of it: a code of a terminal, a control character, a character
// without width. What a page leaves out must not hide a secret from the search.
func unseenAt(s string, i int) int {
	c := s[i]
	if c < utf8.RuneSelf {
		if c == 0x1b {
			return 1 + lenOf(afterESC, s[i+1:])
		}
		return 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError:
		return 0
	case r == 0x9b: // a terminal's code of one byte
		return n + lenOf(afterCSI, s[i+n:])
	case isUnseen(r):
		return n
	}
	return 0
}

// isUnseen recognizes invisible characters.
func isUnseen(r rune) bool {
	switch {
	case r < 0xa0, r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0:
		return true
	case r == 0x2028, r == 0x2029: // ends of a line
		return true
	case r == 0x2065, r >= 0xfff0 && r <= 0xfff8: // not given yet, and shown by nothing
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff: // choose a shape
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

// What belongs to a terminal's escape behind its ESC, where a title or a link goes up to a bell or
// another ESC, and behind a CSI of one byte.
var (
	afterESC = regexp.MustCompile(`^(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\n\x07\x1b]*(?:\x07|\x1b(?s:.)?)|[ -/]+[0-~]?|[0-~])`)
	afterCSI = regexp.MustCompile(`^[0-?]*[ -/]*[@-~]?`)
)

// lenOf is the length of what stands at the start of a text.
func lenOf(form *regexp.Regexp, s string) int {
	const longest = 4096
	return len(form.FindString(s[:min(len(s), longest)]))
}
