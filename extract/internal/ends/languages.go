package ends

import (
	"slices"
	"strings"
	"sync"
)

// languages are those that are known. English words stand in texts of all of them.
var languages = []*language{english, german, spanish, french, japanese, chinese}

// languageOf is the language most of whose words of every day stand in a text, other where no
// language has more of them.
func languageOf(text string, other *language) *language {
	var counts [8]int
	days := everyDay()
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !isWordRune(r) }) {
		for _, i := range days[word] {
			counts[i]++
		}
	}
	best, most := other, counts[slices.Index(languages, other)]
	for i, lang := range languages {
		if counts[i] > most {
			best, most = lang, counts[i]
		}
	}
	return best
}

// everyDay tells the places of the languages of which a word is one of every day.
var everyDay = sync.OnceValue(func() map[string][]int {
	out := map[string][]int{}
	for i, lang := range languages {
		for word := range lang.stop {
			out[word] = append(out[word], i)
		}
	}
	return out
})
