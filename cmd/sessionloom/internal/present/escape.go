package present

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Clean shows control and direction-changing characters as escapes, so that
// text of a transcript cannot speak to the terminal; bytes that are no UTF-8 too,
// for some terminals take them for such characters. Tabs and newlines stay.
func Clean(text string) string {
	bad := func(r rune) bool {
		switch {
		case r == '\t' || r == '\n':
			return false
		case r < ' ', r >= 0x7f && r < 0xa0:
			return true
		case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029, r == 0xfeff:
			return true
		}
		return false
	}
	if strings.IndexFunc(text, bad) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case bad(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Visible writes characters of JSON that are not seen, or that reorder what is, as
// their numbers: the same to who reads JSON, and harmless on a terminal.
func Visible(object string) string {
	hidden := func(r rune) bool { return r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf) }
	if strings.IndexFunc(object, hidden) < 0 {
		return object
	}
	var b strings.Builder
	for _, r := range object {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
