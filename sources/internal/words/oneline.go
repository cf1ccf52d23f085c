package words

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// codes are what a terminal takes for colours, cursor moves and titles.
var codes = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]?|\x1b[]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-~]?")

// OneLine gives text as one line of at most limit bytes, cut between words where
// there are any: half a word may be half a secret, which nobody finds. What a
// terminal hides goes without a trace, so that it does not make two words of one.
func OneLine(text string, limit int) string {
	text = text[:min(len(text), 16*limit)]
	if strings.ContainsAny(text, "\x1b\u009b") {
		text = codes.ReplaceAllString(text, "")
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' || r == 0x2028 || r == 0x2029 {
			return -1
		}
		return r
	}, text)
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == utf8.RuneError })
	line := strings.Join(words, " ")
	if len(line) <= limit {
		return line
	}
	const more = "…"
	cut := limit - len(more)
	if i := strings.LastIndexByte(line[:cut+1], ' '); i > 0 {
		return line[:i] + more
	}
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + more
}
