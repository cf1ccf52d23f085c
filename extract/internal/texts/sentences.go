package texts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts a paragraph behind its sentences. A point in code, in a number, in a name or
// behind an abbreviation ends none.
func Sentences(paragraph string) []string {
	var out []string
	start, code := 0, false
	for i, r := range paragraph {
		next := i + utf8.RuneLen(r)
		switch {
		case r == '`':
			code = !code
		case code:
		case r == '。' || r == '！' || r == '？':
			out, start = append(out, paragraph[start:next]), next
		case (r == '.' || r == '!' || r == '?') && endsSentence(paragraph, start, i):
			out, start = append(out, paragraph[start:next]), next
		}
	}
	if rest := strings.TrimSpace(paragraph[start:]); rest != "" {
		out = append(out, rest)
	}
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// abbreviations end no sentence.
var abbreviations = []string{"e.g", "i.e", "etc", "vs", "cf", "approx", "no", "z.B", "bzw", "ca", "Nr", "d.h", "p.ej", "ej", "núm", "Sr", "Dr", "St",
	"Mio", "Mrd", "inkl", "ggf", "evtl", "bspw", "max", "min", "aprox", "p.ex", "env"}

func endsSentence(p string, start, at int) bool {
	rest := p[at+1:]
	if rest != "" && rest[0] != ' ' {
		return false
	}
	word := p[start:at]
	if i := strings.LastIndexAny(word, " (`"); i >= 0 {
		word = word[i+1:]
	}
	if p[at] == '.' && slices.Contains(abbreviations, word) {
		return false
	}
	next, size := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return size == 0 || !unicode.IsLower(next)
}
