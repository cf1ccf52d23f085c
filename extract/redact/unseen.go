package redact

import (
	"strings"
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
			return 1 + escapeLen(s[i+1:])
		}
		return 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError:
		return 0
	case r == 0x9b: // a terminal's code of one byte
		return n + codeLen(s[i+n:])
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

// escapeLen is the length of what belongs to a terminal's escape behind its ESC.
func escapeLen(s string) int {
	const longest = 4096 // of a title or a link
	switch {
	case s == "":
		return 0
	case s[0] == '[':
		return 1 + codeLen(s[1:])
	case strings.IndexByte("]PX^_", s[0]) >= 0: // up to a bell or ESC \
		for i := 1; i < len(s) && i <= longest && s[i] != '\n'; i++ {
			if s[i] == '\a' {
				return i + 1
			}
			if s[i] == 0x1b {
				return min(i+2, len(s))
			}
		}
		return 1
	case ' ' <= s[0] && s[0] <= '/': // the set of characters
		n := run(s, 0, func(c byte) bool { return ' ' <= c && c <= '/' })
		if n < len(s) && '0' <= s[n] && s[n] <= '~' {
			n++
		}
		return n
	case '0' <= s[0] && s[0] <= '~':
		return 1
	}
	return 0
}

// codeLen is the length of a code's numbers and of the letter that ends it.
func codeLen(s string) int {
	n := run(s, 0, func(c byte) bool { return '0' <= c && c <= '?' })
	n = run(s, n, func(c byte) bool { return ' ' <= c && c <= '/' })
	if n < len(s) && '@' <= s[n] && s[n] <= '~' {
		n++
	}
	return n
}
