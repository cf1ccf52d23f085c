package ends

import (
	"strings"
	"unicode/utf8"
)

// language is what is known of a language: which words say nothing, and in which words people
// and agents tell that something is left to do.
type language struct {
	name    string
	stop    map[string]bool   // words of every day
	numbers map[string]string // words of numbers
	// work are words that name kinds of work in any project: alone they make nothing the same.
	work map[string]bool
	// endings are cut off a word, the first that fits; at least minStem characters stay.
	endings []string
	stemmer func(word string) string // does it where that is not enough
	// leads stand before what is open: "Left open: …", a heading, a bold line.
	leads []string
	// hints make a heading, or a line before a list, a lead-in wherever they stand in it.
	hints []string
	// passing stand in a sentence that tells of something open.
	passing []string
	// nothing are the ways of saying that nothing is open.
	nothing []string
	// offers begin a question of the agent that leaves nothing open.
	offers []string
}

const minStem = 3

// stem cuts the ending off a word that inflection and derivation give it.
func (l *language) stem(word string) string {
	if l.stemmer != nil {
		return l.stemmer(word)
	}
	for _, ending := range l.endings {
		if rest, ok := strings.CutSuffix(word, ending); ok && utf8.RuneCountInString(rest) >= minStem {
			return rest
		}
	}
	return word
}

// listed makes a set of the words of a text.
func listed(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// phrases are the phrases of a text, which stand apart by bars.
func phrases(text string) []string {
	var out []string
	for phrase := range strings.SplitSeq(text, "|") {
		if phrase = strings.TrimSpace(phrase); phrase != "" {
			out = append(out, phrase)
		}
	}
	return out
}

// counted makes a table of the words of numbers from zero on.
func counted(text string) map[string]string {
	table := map[string]string{}
	for i, words := range strings.Fields(text) {
		for word := range strings.SplitSeq(words, "/") {
			table[word] = digits[i]
		}
	}
	return table
}

var digits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
