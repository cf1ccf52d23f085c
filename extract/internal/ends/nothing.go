package ends

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// marks are those of markdown, and the apostrophe.
var marks = strings.NewReplacer("*", "", "_", "", "`", "", "’", "'")

// fold puts a text into the form in which phrases are looked for.
func fold(text string) string {
	text = strings.ToLower(text)
	if strings.ContainsAny(text, "*_`") || strings.Contains(text, "’") {
		text = marks.Replace(text)
	}
	return texts.OneLine(text)
}

func hasPrefixWord(s, phrase string) bool {
	rest, ok := strings.CutPrefix(s, phrase)
	return ok && (rest == "" || !unicode.IsLetter(firstRune(rest)))
}

func hasSuffixWord(s, phrase string) bool {
	rest, ok := strings.CutSuffix(s, phrase)
	return ok && (rest == "" || strings.HasSuffix(rest, " "))
}

// maxNothing is how long a text may be to say that nothing is open, in bytes.
const maxNothing = 96

// isNothing tells the ways of saying that nothing is open.
func isNothing(text string) bool {
	if len(text) > maxNothing {
		return false
	}
	s := strings.TrimFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) })
	if nothing().whole[s] {
		return true
	}
	first, _, _ := strings.Cut(s, " ")
	return slices.ContainsFunc(nothing().begins[first], func(phrase string) bool { return hasPrefixWord(s, phrase) }) ||
		!texts.IsASCII(s) && slices.ContainsFunc(nothing().bare, func(phrase string) bool {
			return strings.HasPrefix(s, phrase) && len([]rune(s)) < len([]rune(phrase))+4
		})
}

// nothingSet are the ways of saying that nothing is open: all of them, those of several words by
// the first one, and those of scripts without blanks.
type nothingSet struct {
	whole  map[string]bool
	begins map[string][]string
	bare   []string
}

var nothing = sync.OnceValue(func() nothingSet {
	n := nothingSet{whole: map[string]bool{}, begins: map[string][]string{}}
	for _, lang := range languages {
		for _, phrase := range lang.nothing {
			n.whole[phrase] = true
			if first, _, several := strings.Cut(phrase, " "); several {
				n.begins[first] = append(n.begins[first], phrase)
			}
			if hasNoBlanks(firstRune(phrase)) && len([]rune(phrase)) > 1 {
				n.bare = append(n.bare, phrase)
			}
		}
	}
	return n
})

// isOffer tells a question of the agent: what it could do is not left open by it.
func isOffer(text string, how How) bool {
	if how == Boxed {
		return false
	}
	s := fold(text)
	for _, lang := range languages {
		for _, phrase := range lang.offers {
			if strings.HasPrefix(s, phrase) || hasNoBlanks(firstRune(phrase)) && strings.Contains(s, phrase) {
				return true
			}
		}
	}
	return how == Passed && strings.HasSuffix(s, "?") && !statesFirst(s)
}

// statesFirst says that what stands before a question in its sentence says that something is open:
// "I could not try it on Windows – can you?"
func statesFirst(s string) bool {
	for _, mark := range []string{" – ", " — ", "; ", ": "} {
		if i := strings.LastIndex(s, mark); i > 0 && saysFolded(s[:i]) {
			return true
		}
	}
	return false
}
