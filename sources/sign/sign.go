// Package sign measures texts and cuts them between the signs that a reader sees: a letter with its marks, a
// flag, a family of four joined faces.
package sign

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// longest is the size in bytes of the longest sign that is kept whole.
const longest = 128

// Before returns the last index in a text, at most at, that cuts no sign in two.
func Before(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	if at <= 0 || s[at] < utf8.RuneSelf && s[at-1] < utf8.RuneSelf {
		return max(at, 0)
	}
	from := at - 1
	for from > 0 && s[from] >= utf8.RuneSelf && from > at-longest {
		from--
	}
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	whole := from
	for whole < at {
		next, _, _, _ := uniseg.FirstGraphemeClusterInString(s[whole:min(len(s), whole+longest)], -1)
		if whole+len(next) > at {
			break
		}
		whole += len(next)
	}
	if whole == from && at-from > longest/2 {
		return at
	}
	return whole
}

// Width returns how many letters a rune counts as: two in a script without blanks, else one.
func Width(r rune) int {
	const firstWithoutBlanks = '\u0e00' // the first letter of these scripts, from Thai
	if r >= firstWithoutBlanks && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
		return 2
	}
	return 1
}

// Letters returns the width of a text.
func Letters(s string) (n int) {
	for _, r := range s {
		n += Width(r)
	}
	return n
}

// Within returns the last index in a text, after at most n letters, that cuts no sign in two.
func Within(s string, n int) int {
	for i, r := range s {
		if n -= Width(r); n < 0 {
			return Before(s, i)
		}
	}
	return len(s)
}

// Word returns the last index in a text, at most at, that cuts no word in two: half a word may be half a
// secret, which nobody finds. Secrets have ASCII letters, digits and signs. It is 0 if the text begins with
// one word of that size.
func Word(s string, at int) int {
	at = Before(s, at)
	if at == len(s) || at > 0 && !isOfWord(s[at-1]) {
		return at
	}
	for isOfWord(s[at]) && at > 0 && isOfWord(s[at-1]) {
		at--
	}
	return at
}

func isOfWord(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && strings.IndexByte("\"'`,;()[]{}<>|&?#\x7f", c) < 0
}
