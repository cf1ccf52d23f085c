package ends

import "unicode"

// leastLike is how alike two texts are that share what hardly any other one has, and little else.
const leastLike = 0.1

// rare is in how many threads an identifier stands at most that tells of one thing.
const rare = 2

// shareRare says that two texts name an identifier that hardly any other thread names, and share a
// word beside it, or that one of them is a word alone that no other thread has: "Load test: missing".
func (f *folding) shareRare(a, b Words) bool {
	if f.isOneWord(a, b) || f.isOneWord(b, a) {
		return true
	}
	words, names := 0, 0
	for _, w := range a {
		switch {
		case !b.Has(w) || f.own.Has(w):
		case isName(w) && len(f.byWord[w]) <= rare:
			names++
		case !works().Has(w):
			words++
		}
	}
	return names > 0 && words+names > 1
}

// isOneWord says that a text is a word alone, which another text has and no other thread.
func (f *folding) isOneWord(a, b Words) bool {
	return len(a) == 1 && len(a[0]) >= minStem+1 && b.Has(a[0]) && len(f.byWord[a[0]]) == 1 && !works().Has(a[0]) && !f.own.Has(a[0])
}

// minName is how many letters an identifier has at least that can be the only one of its kind.
const minName = 5

// isName tells an identifier or a path from an issue, a version and a number.
func isName(word string) bool {
	letters := 0
	for _, r := range word {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= minName && word[0] != '#' && isCode(word)
}
