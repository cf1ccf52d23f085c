package ends

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// phraseSet are phrases by their first word, those of scripts without blanks by their first
// character, and those that begin within a word.
type phraseSet struct {
	byWord map[string][]phrase
	byRune map[rune][]phrase
	within []phrase
}

// phrase is one of words in a row, or of two such parts.
type phrase struct {
	first, second string
	clause        bool // both stand in one clause
}

// phraseOf reads "still open", "not … yet" and "habe ich ~ nicht", which stands in one clause.
func phraseOf(text string) phrase {
	if first, second, two := strings.Cut(text, " … "); two {
		return phrase{first: first, second: second}
	}
	first, second, two := strings.Cut(text, " ~ ")
	return phrase{first: first, second: second, clause: two}
}

// phrasesOf gathers phrases of all languages.
func phrasesOf(pick func(*language) []string) phraseSet {
	var all []string
	for _, lang := range languages {
		all = append(all, pick(lang)...)
	}
	return setOf(all)
}

// setOf prepares phrases for being looked for.
func setOf(all []string) (p phraseSet) {
	p.byWord, p.byRune = map[string][]phrase{}, map[rune][]phrase{}
	for _, text := range all {
		word, _, _ := strings.Cut(text, " ")
		switch r := firstRune(word); {
		case hasNoBlanks(r):
			p.byRune[r] = append(p.byRune[r], phraseOf(text))
		case strings.HasPrefix(word, "n't"):
			p.within = append(p.within, phraseOf(text))
		default:
			p.byWord[word] = append(p.byWord[word], phraseOf(text))
		}
	}
	return p
}

var (
	passing = sync.OnceValue(func() phraseSet { return phrasesOf(func(l *language) []string { return l.passing }) })
	hints   = sync.OnceValue(func() phraseSet { return phrasesOf(func(l *language) []string { return l.hints }) })
)

// standIn says that one of the phrases stands in a folded text.
func (p phraseSet) standIn(s string) bool {
	at := 0
	for word := range strings.SplitSeq(s, " ") {
		start := at + len(word) - len(strings.TrimLeftFunc(word, isAround))
		at += len(word) + 1
		for _, x := range p.byWord[strings.TrimFunc(word, isAround)] {
			if x.begins(s[start:]) {
				return true
			}
		}
	}
	if strings.Contains(s, "n't") && slices.ContainsFunc(p.within, func(x phrase) bool { return x.isIn(s) }) {
		return true
	}
	return !texts.IsASCII(s) && p.standInScript(s)
}

// standInScript does it for scripts that set no blanks between words.
func (p phraseSet) standInScript(s string) bool {
	for i, r := range s {
		if r < firstIdeograph {
			continue
		}
		for _, x := range p.byRune[r] {
			if x.begins(s[i:]) {
				return true
			}
		}
	}
	return false
}

// firstIdeograph is the first character of the scripts of Chinese and Japanese.
const firstIdeograph = 0x2e80

// isAround tells what stands around a word.
func isAround(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }

// says tells whether a sentence says in passing that something is open.
func says(sentence string) bool { return saysFolded(fold(sentence[:min(len(sentence), maxSentence)])) }

// maxSentence is how much of a sentence is looked at, in bytes: a longer one is data.
const maxSentence = 2000

func saysFolded(s string) bool { return passing().standIn(s) || deniesPast(s) }

// deniesPast tells the Spanish past of the first person behind a "no": "no lo toqué", "no moví".
func deniesPast(s string) bool {
	if !strings.Contains(s, "no ") || !strings.ContainsAny(s, "éí") {
		return false
	}
	denied := false
	for word := range strings.FieldsSeq(s) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
		switch {
		case word == "no":
			denied = true
		case denied && (strings.HasSuffix(word, "é") || strings.HasSuffix(word, "í")):
			return len(word) > len("aquí")
		case denied && slices.Contains([]string{"lo", "la", "los", "las", "le", "les", "me"}, word):
		default:
			denied = false
		}
	}
	return false
}

// begins says that a text begins with the phrase.
func (x phrase) begins(s string) bool {
	rest, ok := strings.CutPrefix(s, x.first)
	return ok && (hasNoBlanks(firstRune(x.first)) || isEdge(s, len(x.first))) && x.goesOn(rest)
}

// isIn says that a text holds the phrase, whose first part may begin within a word.
func (x phrase) isIn(s string) bool {
	i := strings.Index(s, x.first)
	return i >= 0 && x.goesOn(s[i+len(x.first):])
}

// goesOn says that the second part of the phrase stands behind its first.
func (x phrase) goesOn(rest string) bool {
	if x.second == "" {
		return true
	}
	if x.clause {
		rest = cutClause(rest)
	}
	return holds(rest, x.second)
}

// cutClause is a text up to the end of its first clause.
func cutClause(s string) string {
	if i := strings.IndexAny(s, ",;:–—、。"); i >= 0 {
		return s[:i]
	}
	return s
}

// holds looks for whole words.
func holds(s, words string) bool {
	free := hasNoBlanks(firstRune(words))
	for at := 0; ; {
		i := strings.Index(s[at:], words)
		if i < 0 {
			return false
		}
		end := at + i + len(words)
		if free || isEdge(s, at+i) && isEdge(s, end) {
			return true
		}
		at = end
	}
}

// isEdge says that no word goes on at an offset.
func isEdge(s string, at int) bool {
	if at == 0 || at >= len(s) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	return !unicode.IsLetter(before) || !unicode.IsLetter(firstRune(s[at:]))
}

// choices say that what stands below are ways of which one is to be chosen.
var choices = setOf(phrases(`two ways|three ways|two options|three options|options are|the options|possible ways|alternatives|to choose from|either of|
	zwei wege|drei wege|zwei möglichkeiten|drei möglichkeiten|möglichkeiten|möglich wären|möglich sind|optionen|varianten|alternativen|zur wahl|zur auswahl|
	dos caminos|tres caminos|dos opciones|tres opciones|opciones|dos formas|dos maneras|alternativas|posibilidades|
	deux options|trois options|deux façons|deux possibilités|plusieurs options|options possibles|au choix|alternatives|
	選択肢|二つの案|つの案|案があり|案が考え|方法は|二通り|通りあり|どちらか|
	两种方案|两个方案|两种方法|两个选择|可选方案|选项`))

// isChoice says that what stands below are ways of which one is to be chosen.
func isChoice(text string) bool {
	return len(text) < maxSentence && choices.standIn(fold(text))
}
