package texts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences splits a paragraph after its sentences. A period in code, a number or a name, or after an
// abbreviation, ends no sentence.
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

// Clause returns the beginning of a line that is meaningful by itself, of at most most bytes: its first
// sentence, with the next ones if it is short, else the part before a comma, a colon, a dash or a bracket.
// Failing that, it is cut at a word, with an ellipsis.
func Clause(line string, most int) string {
	line = OneLine(line)
	end := 0
	for _, s := range Sentences(line) {
		next := end + strings.Index(line[end:], s) + len(s)
		if next > most || end >= most/4 {
			break
		}
		end = next
	}
	if end == 0 {
		end = clauseEnd(line, most)
	}
	if end == 0 {
		return CutWords(line, most)
	}
	return strings.TrimSpace(line[:end])
}

// clauseEnd returns the last index in a line, at most at most, that ends a clause outside of brackets and
// code; 0 if only a few words would be left.
func clauseEnd(line string, most int) (end int) {
	depth, code := 0, false
	for i, r := range line {
		if i > most {
			break
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		blank := strings.HasPrefix(line[i+size:], " ")
		ends := depth == 0 && !code && i >= most/4
		switch {
		case r == '`':
			code = !code
		case strings.ContainsRune("([{（「【", r):
			if ends && strings.HasSuffix(line[:i], " ") {
				end = i
			}
			depth++
		case strings.ContainsRune(")]}）」】", r):
			depth = max(depth-1, 0)
		case ends && strings.ContainsRune(",;:", r) && blank, ends && unicode.Is(unicode.Pd, r) && blank && strings.HasSuffix(line[:i], " "),
			ends && strings.ContainsRune("，、；：—،؛", r):
			end = i
		}
	}
	return end
}
