package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clause is the start of a line that can stand alone, at most most bytes of it: its first sentence,
// with those behind it where that is short, else as much of it as ends before a comma, a colon, a dash
// or a bracket. Only where nothing of the kind is found is it cut at a word, and says so with an
// ellipsis.
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

// clauseEnd is the last place in a line, at most at most, at which a clause ends outside of brackets
// and code; 0 where only a few words would be left.
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
