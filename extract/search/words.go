package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	porterstemmer "github.com/blevesearch/go-porterstemmer"
	"golang.org/x/text/unicode/norm"
)

// The index has the words of SQLite's tokenizer unicode61: letters and digits, without diacritics, in lower
// case. In scripts without breaks between words each letter is a word.

// letterwise are the scripts without breaks between words.
var letterwise = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// isLetterwise reports whether a letter is of these, all from U+0E00 on.
func isLetterwise(r rune) bool { return r >= 0x0e00 && unicode.In(r, letterwise...) }

// spaced puts blanks around the letters of such scripts.
func spaced(text string) string {
	if strings.IndexFunc(text, isLetterwise) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isLetterwise(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isWord(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.Co, unicode.M) }

// fold returns a letter for comparison: in lower case, without diacritics except in letterwise scripts. A
// single mark is dropped.
func fold(r rune) rune {
	if r < 0x80 || isLetterwise(r) {
		return unicode.ToLower(r)
	}
	first, _ := utf8.DecodeRuneInString(norm.NFD.String(string(unicode.ToLower(r))))
	if unicode.Is(unicode.Mn, first) {
		return -1
	}
	return first
}

// folded returns a text for comparison.
func folded(text string) string { return strings.Map(fold, text) }

type word struct {
	text     string
	from, to int // bytes
}

func wordsOf(text string) (all []word) {
	var b strings.Builder
	from := -1
	end := func(at int) {
		if from >= 0 && b.Len() > 0 {
			all = append(all, word{b.String(), from, at})
		}
		from = -1
		b.Reset()
	}
	for i, r := range text {
		alone := isLetterwise(r)
		if alone || !isWord(r) {
			end(i)
		}
		if !isWord(r) {
			continue
		}
		if from < 0 {
			from = i
		}
		if f := fold(r); f >= 0 {
			b.WriteRune(f)
		}
		if alone {
			end(i + len(string(r)))
		}
	}
	end(len(text))
	return all
}

func stem(word string) string {
	const least, most = 3, 64 // bytes of a word that has one
	if len(word) < least || len(word) > most {
		return word
	}
	return string(porterstemmer.StemWithoutLowerCasing([]rune(word)))
}

// alike reports whether two words are forms of one.
func alike(a, b string) bool {
	const same = 2 // letters that no ending changes
	return len(a) > same && len(b) > same && a[:same] == b[:same] && stem(a) == stem(b)
}

// Identifiers are found by any three letters. Limits keep other texts out.
const (
	minName = 4
	maxName = 200
)

// namesIn adds the identifiers and file names in a text: words joined by the marks of code, and words of
// several parts (parse_config, httpx.NewServer, readFile).
func namesIn(text string, add func(string)) {
	from, name, lower := -1, false, false // start of the part, whether it is a name, whether the last letter was small
	end := func(at int) {
		if name && at-from >= minName && at-from <= maxName {
			if part := strings.Trim(text[from:at], nameMarks); len(part) >= minName && isName(part) {
				add(part)
			}
		}
		from, name, lower = -1, false, false
	}
	for i := range len(text) {
		c := text[i]
		small, large := 'a' <= c && c <= 'z' || c >= 0x80, 'A' <= c && c <= 'Z'
		mark := c < 0x80 && strings.IndexByte(nameMarks, c) >= 0
		if !small && !large && !mark && (c < '0' || c > '9') {
			end(i)
			continue
		}
		if from < 0 {
			from = i
		}
		name, lower = name || mark || lower && large, small
	}
	end(len(text))
}

// nameMarks join the words of a name.
const nameMarks = "._-/:@+"

// isName reports whether marks join parts, or a large letter follows a small one.
func isName(part string) bool {
	lower := false
	for i := range len(part) {
		c := part[i]
		large := 'A' <= c && c <= 'Z'
		if lower && large || c != '-' && strings.IndexByte(nameMarks, c) >= 0 {
			return true
		}
		lower = 'a' <= c && c <= 'z'
	}
	return false
}
