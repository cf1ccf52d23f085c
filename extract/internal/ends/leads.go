package ends

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// leadForm reads a lead-in with what follows: "Left open: x", "**Open** – x", "TODO x".
var leadForm = pattern.Lazy(`^(?:\*\*|__)?([^*_:：\n]{1,80}?)(?:[:：](?:\*\*|__)|(?:\*\*|__)\s*[:：]|(?:\*\*|__)\s+[–—-]\s|(?:\*\*|__)(?:\s+|$)|[:：](?:\s+|$)|\s+[–—]\s+|：)(.*)$`)

// japaneseLead is one that its particle ends: "残りは、…".
var japaneseLead = pattern.Lazy(`^(?:[^\s。、]{1,20}\s*の)?(?:残り|残作業|残タスク|残件|残課題|未対応|やり残し)は、(.+)$`)

// cutLead parts a lead-in from what it leads to, which is empty where that stands below.
func cutLead(text string) (rest string, ok bool) {
	if strings.Contains(text, "は、") {
		if m := japaneseLead().FindStringSubmatch(text); m != nil {
			return m[1], true
		}
	}
	if !mayLead(text[:min(len(text), maxLeadLength)]) {
		return "", false
	}
	m := leadForm().FindStringSubmatch(text)
	if m == nil {
		bare := strings.Trim(text, "*_ ")
		return "", strings.HasPrefix(text, "**") && strings.HasSuffix(text, "**") && isLead(bare)
	}
	rest = cutRemark(strings.TrimSpace(m[2]))
	return rest, isLead(m[1]) || mayHint(text, m[1]) && (rest == "" || !isStatement(text, m[1]))
}

// maxCountWords is how long a sentence is that only counts what follows.
const maxCountWords = 4

// countedLead tells how many things a sentence announces that only counts them: "Two caveats."
func countedLead(sentence string) int {
	words := strings.Fields(sentence[:min(len(sentence), maxTerm)])
	if len(words) < 2 || len(words) > maxCountWords {
		return 0
	}
	n := numberOf(strings.ToLower(words[0]))
	if n == 0 || !isLead(strings.Join(words[1:], " ")) {
		return 0
	}
	return n
}

// numberOf reads a small number in words or digits.
func numberOf(word string) int {
	for _, lang := range languages {
		if digits, is := lang.numbers[word]; is {
			word = digits
			break
		}
	}
	n, _ := strconv.Atoi(word)
	return max(n, 0)
}

// mayHint says that one of the words of a lead-in tells that what follows is open.
func mayHint(text, lead string) bool {
	return (strings.HasPrefix(text, "**") || !texts.HasWords(lead, maxInlineWords+1)) && !isSentence(lead) && !strings.Contains(lead, placeWords) && hintsAt(lead)
}

// isStatement says that what stands before a colon names itself what is open: "An alert is missing
// too: nobody saw it."
func isStatement(text, lead string) bool {
	return !strings.HasPrefix(text, "**") && says(lead) && len(WordsOf(lead)) > 0
}

// cutRemark is empty where behind a lead-in stands only a remark on it: "**Open** (also in the plan)".
func cutRemark(rest string) string {
	if strings.HasPrefix(rest, "(") && strings.HasSuffix(strings.TrimRight(rest, ":"), ")") && strings.Count(rest, ")") == 1 {
		return ""
	}
	return rest
}

// mayLead is false where none of the marks stands that end a lead-in.
func mayLead(text string) bool {
	return strings.HasPrefix(text, "**") || strings.HasPrefix(text, "__") || strings.ContainsAny(text, ":：") || strings.Contains(text, " – ") || strings.Contains(text, " — ")
}

// bareLead takes off what stands around the words of a lead-in: emoji, numbers, brackets.
func bareLead(text string) string {
	text = fold(text)
	if i := strings.IndexAny(text, "(（"); i > 0 {
		text = text[:i]
	}
	return strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
}

// maxLeadLength is how many bytes of a text are looked at for one.
const maxLeadLength = 96

// maxLeadWords is how long a line may be to be a lead-in.
const maxLeadWords = 9

// isLead says that a heading or the words before a colon tell that what follows is open.
func isLead(text string) bool {
	bare := bareLead(text)
	if bare == "" || texts.HasWords(bare, maxLeadWords+1) {
		return false
	}
	first, _, _ := strings.Cut(bare, " ")
	return leads().exact[bare] ||
		slices.ContainsFunc(leads().byFirst[first], func(lead string) bool { return hasPrefixWord(bare, lead) }) ||
		slices.ContainsFunc(leads().byLast[bare[strings.LastIndexByte(bare, ' ')+1:]], func(lead string) bool { return hasSuffixWord(bare, lead) }) ||
		slices.ContainsFunc(strong, func(lead string) bool { return hasSuffixWord(bare, lead) }) ||
		slices.ContainsFunc(leads().bare, func(lead string) bool { return strings.HasPrefix(bare, lead) || strings.HasSuffix(bare, lead) })
}

// maxHintWords is how long a heading or a line before a list may be to be a lead-in by one of its words.
const maxHintWords = 16

// maxInlineWords is how long it may be where what is open follows in the same line.
const maxInlineWords = 6

// forVersion is a heading such as "For 0.2".
var forVersion = pattern.Lazy(`^(for|für|para|para la|pour|pour la) (the )?v?\d+(\.[\dx]+)*(?:$|,)`)

// hintsAt says that a heading, or a line before a list, holds a word that tells of something open.
// It is asked where what is open stands below, and not in the same line.
func hintsAt(text string) bool {
	if all := texts.Sentences(text); len(all) > 0 {
		text = all[len(all)-1] // it introduces
	}
	s := fold(text)
	if texts.HasWords(s, maxHintWords+1) || isDoneLead(text) {
		return false
	}
	return hints().standIn(s) || strings.ContainsAny(s, "0123456789") && forVersion().MatchString(bareEnds(s))
}

// bareEnds takes off what stands around a text: emoji, punctuation.
func bareEnds(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// leadSet are the lead-ins of all languages: all of them, those of several words by the first and the
// last one, and those of languages without blanks.
type leadSet struct {
	exact           map[string]bool
	byFirst, byLast map[string][]string
	bare            []string
}

var leads = sync.OnceValue(func() leadSet {
	l := leadSet{exact: map[string]bool{}, byFirst: map[string][]string{}, byLast: map[string][]string{}}
	for _, lang := range languages {
		for _, lead := range lang.leads {
			l.exact[lead] = true
			switch {
			case hasNoBlanks(firstRune(lead)) && len([]rune(lead)) > 1:
				l.bare = append(l.bare, lead)
			case strings.Contains(lead, " "):
				first, last := lead[:strings.IndexByte(lead, ' ')], lead[strings.LastIndexByte(lead, ' ')+1:]
				l.byFirst[first] = append(l.byFirst[first], lead)
				l.byLast[last] = append(l.byLast[last], lead)
			}
		}
	}
	return l
})

// strong are the words that tell of something open also at the end of a longer lead-in.
var strong = []string{"pending", "outstanding", "remaining", "todo", "ausstehend", "pendiente", "pendientes"}

// doneWords begin a heading that tells of what is done.
var doneWords = []string{"done", "completed", "changed", "fixed", "erledigt", "fertig", "geändert", "hecho", "completado", "fait", "terminé", "完了", "対応済み", "已完成"}

// isDoneLead says that a heading tells of what is done.
func isDoneLead(text string) bool {
	bare := bareLead(text)
	return slices.ContainsFunc(doneWords, func(w string) bool { return hasPrefixWord(bare, w) })
}
