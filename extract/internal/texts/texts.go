// Package texts folds, cuts and hashes short texts for titles, keys and names. It knows nothing about
// sessions and notes.
package texts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/sign"
)

// CutWords shortens a line to at most limit bytes with an ellipsis, at a blank unless the last word is most
// of it.
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

// CutRunes cuts s to at most limit bytes between two signs.
func CutRunes(s string, limit int) string { return s[:sign.Before(s, limit)] }

// Cut shortens s to at most max bytes with an ellipsis, at a word if possible.
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

// FirstSentence returns the beginning of a text, at most about a line.
func FirstSentence(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n\n")
	s = OneLine(s)
	if i := strings.Index(s, ". "); i > 20 && i < 200 {
		s = s[:i+1]
	}
	return Cut(s, 200)
}

// lineMark matches the mark of a heading, a quotation or a list item.
var lineMark = regexp.MustCompile(`^(?:#{1,6}|[>*+-])\s+`)

// FirstLine returns the first line with a word, without its mark in markdown, else the first line that is not
// empty. A line that introduces another is put before it with a dash, as a word after a colon may read as a
// password: a line that ends in a colon, or a heading right above a fence.
func FirstLine(s string) string {
	first, lead, mayStand := "", "", false
	for line := range strings.Lines(s) {
		line = OneLine(line)
		words := lineMark.ReplaceAllString(line, "")
		switch hasWord := strings.ContainsFunc(line, IsWordRune); {
		case fence.MatchString(line) && lead == "", !hasWord && line != "" && lead == "":
			first = cmp.Or(first, line)
		case fence.MatchString(line):
			mayStand = false
		case mayStand && line != "":
			return lead
		case !hasWord:
		case lead != "":
			return strings.TrimRight(lead, ":：") + " – " + words
		case strings.HasSuffix(line, ":"), strings.HasSuffix(line, "："):
			lead = words
		case strings.HasPrefix(line, "#") && words != line:
			lead, mayStand = words, true
		default:
			return words
		}
	}
	return cmp.Or(lead, first)
}

// fence begins or ends a block of code.
var fence = regexp.MustCompile("^(?:```+|~~~+)[^`]*$")

// IsASCII reports whether a text has only one form and spelling of each letter but its case.
func IsASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// IsWordRune reports whether a rune is a visible letter, digit or mark of any language.
func IsWordRune(r rune) bool {
	return r != utf8.RuneError && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

// HasWords reports whether a text has at least n words.
func HasWords(s string, n int) bool {
	for range strings.FieldsSeq(s) {
		if n--; n <= 0 {
			return true
		}
	}
	return n <= 0
}

// OneLine folds white space, also line breaks, into single spaces.
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

// isOneLine reports whether words are separated by single blanks and nothing else.
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

// Lines splits a text joined by line; "" gives nil.
func Lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// Count returns a number with its noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Digest returns the first n hex digits of the SHA-256 of s.
func Digest(s string, n int) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])[:n]
}
