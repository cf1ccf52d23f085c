package ends

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// phraseSet are phrases by their first word, and those that begin within one.
type phraseSet struct {
	byWord map[string][]string
	others []string
}

// phrasesOf gathers phrases of all languages.
func phrasesOf(pick func(*language) []string) (p phraseSet) {
	p.byWord = map[string][]string{}
	for _, lang := range languages {
		for _, phrase := range pick(lang) {
			first, _, _ := strings.Cut(phrase, " ")
			if strings.HasPrefix(first, "n't") || hasNoBlanks(firstRune(first)) {
				p.others = append(p.others, phrase)
			} else {
				p.byWord[first] = append(p.byWord[first], phrase)
			}
		}
	}
	return p
}

var (
	passing = phrasesOf(func(l *language) []string { return l.passing })
	hints   = phrasesOf(func(l *language) []string { return l.hints })
)

// standIn says that one of the phrases stands in a folded text.
func (p phraseSet) standIn(s string) bool {
	for word := range strings.FieldsSeq(s) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
		for _, phrase := range p.byWord[word] {
			if holds(s, phrase) {
				return true
			}
		}
	}
	plain := texts.IsASCII(s) && !strings.Contains(s, "n't")
	return !plain && slices.ContainsFunc(p.others, func(phrase string) bool { return holds(s, phrase) })
}

// says tells whether a sentence says in passing that something is open.
func says(sentence string) bool { return passing.standIn(fold(sentence)) }

// holds looks for a phrase as whole words; "not … yet" for both in their order.
func holds(s, phrase string) bool {
	first, second, two := strings.Cut(phrase, " … ")
	for at := 0; ; {
		i := strings.Index(s[at:], first)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(first)
		if isEdge(s, i) && isEdge(s, end) || strings.HasPrefix(first, "n't") || hasNoBlanks(firstRune(first)) {
			if !two || holds(s[end:], second) {
				return true
			}
		}
		at = end
	}
}

// isEdge says that no word goes on at an offset.
func isEdge(s string, at int) bool {
	if at == 0 || at >= len(s) {
		return true
	}
	before := []rune(s[:at])
	return !unicode.IsLetter(before[len(before)-1]) || !unicode.IsLetter(firstRune(s[at:]))
}
