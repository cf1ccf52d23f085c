package ends

import (
	"html"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Words are the content words of a text, each once, sorted: what ends are compared by.
// Words of every day are out, numbers are digits, endings that inflection adds are cut,
// and an identifier, a path or a version is one word. In scripts that set no blanks between
// words they are pairs of characters.
type Words []string

var (
	issueNumber = pattern.Lazy(`^#\d+[._/-]*$`)
	linkTarget  = pattern.Lazy(`\]\([^()\s]*\)`)
	secret      = pattern.Lazy("\ue000[^\ue001]*\ue001|\\[redacted(:[^\\]]*)?\\]")
)

// WordsOf finds the content words of a text.
func WordsOf(text string) Words { return wordsIn(text, english) }

// wordsIn does it for a text that is in a language where its words of every day tell no other.
func wordsIn(text string, other *language) Words {
	text = plain(text)
	lang := languageOf(text, other)
	var out Words
	for _, token := range tokens(text) {
		if isCode(token) {
			out = append(out, strings.ToLower(token))
			continue
		}
		for part := range strings.SplitSeq(strings.ToLower(token), "-") {
			out = appendProse(out, lang, part)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// plain takes away what markdown and masks add to a text.
func plain(text string) string {
	text = html.UnescapeString(text)
	if strings.Contains(text, "[redacted") || strings.Contains(text, "\ue000") {
		text = secret().ReplaceAllString(text, " redacted ")
	}
	if strings.Contains(text, "](") {
		text = linkTarget().ReplaceAllString(text, "]")
	}
	if texts.IsASCII(text) {
		return text
	}
	return norm.NFKC.String(text)
}

// tokens cuts a text where neither a word nor what holds identifiers together stands.
func tokens(text string) []string {
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return !isWordRune(r) && !strings.ContainsRune("._/-#:@", r)
	})
	var out []string
	for _, f := range fields {
		for part := range strings.FieldsFuncSeq(f, func(r rune) bool { return r == ':' }) {
			if part[0] == '#' && issueNumber().MatchString(part) {
				out = append(out, strings.TrimRight(part, "._/-"))
			} else if part = strings.Trim(part, "._/-#@"); part != "" {
				out = appendByScript(out, part)
			}
		}
	}
	return out
}

// appendByScript parts what is written without blanks from words of other scripts beside it.
func appendByScript(out []string, s string) []string {
	if texts.IsASCII(s) {
		return append(out, s)
	}
	add := func(part string) {
		if part = strings.Trim(part, "._/-#@"); part != "" {
			out = append(out, part)
		}
	}
	start, was := 0, hasNoBlanks(firstRune(s))
	for i, r := range s {
		if now := hasNoBlanks(r); now != was {
			add(s[start:i])
			start, was = i, now
		}
	}
	add(s[start:])
	return out
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == 'ー'
}

// hasNoBlanks tells the scripts that set no blanks between words.
func hasNoBlanks(r rune) bool {
	return r >= firstWithout && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r == 'ー')
}

// firstWithout is the first character of these scripts, of Thai.
const firstWithout = 0x0e00

// isCode tells an identifier, a path or a version from a word of prose.
func isCode(token string) bool {
	if strings.ContainsAny(token, "_/.#@") {
		return true
	}
	digit, letter, inner, lower := false, false, false, false
	for i, r := range token {
		switch {
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsUpper(r):
			letter, inner = true, inner || i > 0 && lower
		case unicode.IsLetter(r):
			letter, lower = true, true
		case r == '-':
			lower = false
		}
	}
	return inner || digit && letter && !strings.ContainsFunc(token, func(r rune) bool { return r >= 0x80 })
}

// appendProse adds the content words of one word of prose.
func appendProse(out Words, lang *language, word string) Words {
	switch {
	case word == "":
		return out
	case hasNoBlanks(firstRune(word)):
		return appendPairs(out, word)
	}
	if n, is := lang.numbers[word]; is {
		return append(out, n)
	}
	if lang.stop[word] || english.stop[word] {
		return out
	}
	return append(out, lang.meaning(word))
}

// appendPairs adds the pairs of characters of a text, without those that are made of
// what inflects alone.
func appendPairs(out Words, text string) Words {
	runes := []rune(text)
	if len(runes) == 1 && !unicode.Is(unicode.Hiragana, runes[0]) {
		return append(out, text)
	}
	for i := 0; i+1 < len(runes); i++ {
		if unicode.Is(unicode.Hiragana, runes[i]) || unicode.Is(unicode.Hiragana, runes[i+1]) || stopPairs[string(runes[i:i+2])] {
			continue
		}
		out = append(out, japanese.meaning(string(runes[i:i+2])))
	}
	return out
}

// Shared counts the words that two texts have in common.
func (w Words) Shared(other Words) (n int) {
	for _, s := range w {
		if _, found := slices.BinarySearch(other, s); found {
			n++
		}
	}
	return n
}

// works are the words of all languages that name kinds of work.
var works = sync.OnceValue(func() Words {
	var out Words
	for _, lang := range languages {
		for word := range lang.work {
			if hasNoBlanks(firstRune(word)) {
				out = append(out, word)
			} else {
				out = append(out, lang.meaning(word))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
})

// Has says that a word is among them.
func (w Words) Has(word string) bool {
	_, found := slices.BinarySearch(w, word)
	return found
}

// continued counts the pairs of characters that go on with another one: with it they are one word.
func continued(pairs Words) (n int) {
	for _, p := range pairs {
		first := firstRune(p)
		if slices.ContainsFunc(pairs, func(o string) bool { last, _ := utf8.DecodeLastRuneInString(o); return o != p && last == first }) {
			n++
		}
	}
	return n
}

// Two texts speak of the same where they share at least two words, and three of five of
// the shorter one's.
const (
	minShared = 2
	ofFive    = 3
)

// Alike tells how much two texts share, 0 where they do not speak of the same. The words of
// own, the name of their project, do not count among the two; nor are words that name kinds
// of work enough, such as "docs page" and "test".
func (w Words) Alike(other, own Words) float64 {
	shared, named, common := 0, 0, 0
	var pairs Words
	rest := other
	for _, s := range w {
		for len(rest) > 0 && rest[0] < s {
			rest = rest[1:]
		}
		switch {
		case len(rest) == 0 || rest[0] != s:
			continue
		case hasNoBlanks(firstRune(s)):
			pairs = append(pairs, s)
		}
		switch {
		case s[0] == '#': // an issue tells more than a word
			shared++
		case own.Has(s):
			named++
		case works().Has(s):
			common++
		}
		shared++
	}
	least := min(len(w), len(other))
	if shared-continued(pairs) < minShared || shared*5 < least*ofFive || shared-named < minShared || shared-named-common < 1 {
		return 0
	}
	return float64(shared) / float64(least)
}
