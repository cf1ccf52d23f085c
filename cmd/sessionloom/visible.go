package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// visible writes characters of JSON that are not seen, or that reorder what is, as
// their numbers: the same to who reads JSON, and harmless on a terminal.
func visible(object string) string {
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
