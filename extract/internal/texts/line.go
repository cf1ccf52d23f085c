// Package texts folds, cuts and hashes short texts: what titles, keys and names
// are made of. It knows nothing of sessions and notes.
package texts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FirstLine is the first line with anything on it.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = OneLine(line); line != "" {
			return line
		}
	}
	return ""
}

// IsASCII tells a text that has one form and one spelling of each letter but its case.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsWordRune tells letters, digits and marks of any language.
func IsWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

// OneLine folds white space, line breaks too, into single spaces.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// isOneLine tells whether words stand apart by single blanks and nothing else.
func isOneLine(s string) bool {
	blank := true // a blank may not come first
	for _, r := range s {
		if unicode.IsSpace(r) && (r != ' ' || blank) {
			return false
		}
		blank = r == ' '
	}
	return s == "" || !blank
}

// Lines splits what was joined by line, nothing into nothing.
func Lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// Count is a number with the words that go with it.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Digest is the start of the SHA-256 of s: n digits in hex.
func Digest(s string, n int) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])[:n]
}
