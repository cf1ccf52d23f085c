package redact

import (
	"regexp"
	"strings"
	"sync"
)

// findAssigned finds the value of NAME_TOKEN=value, "password": "value", --token
// value and the like. Names in capitals are taken for settings, where less entropy
// is enough, as are flags; in code the bar is higher.
func (v values) findAssigned(s string, from, to int) span {
	n := nameOf(s, from, to)
	end, ok := endOfName(s, to)
	if !ok || n.isPublic(s[to:end]) {
		return span{}
	}
	i, quote, ok := n.startOfValue(s, end)
	if !ok {
		return span{}
	}
	below := false
	if at := behindMarks(s, n.from, i); quote == 0 && at > i {
		below, n.setting = true, false
		i, quote = skipQuote(s, at)
	}
	const sample = 128 // bytes judged
	inValue := valueByte(quote)
	if quote == 0 && n.from > 0 && strings.IndexByte("?&", s[n.from-1]) >= 0 {
		inValue = func(c byte) bool { return c != '&' && isPlainValue(c) } // of a URL
	}
	judged := runValue(s, i, min(len(s), i+sample), inValue)
	value := s[i:judged]
	if !n.isSecret(value, quote != 0) || quote == 0 && callFollows(s, judged) || below && isOfLine(s, value, judged) {
		return span{}
	}
	sp := span{i, runValue(s, judged, len(s), inValue)}
	if v.isToken(s, sp) {
		return span{}
	}
	return sp
}

// behindMarks is where the value of the name at from may stand that has none at i: in the line below or the next cell of
// a table, behind the marks of a quotation, a list, a heading or a block of code, or behind a tag. Who made one line of
// two left the marks. It is i where there are none.
func behindMarks(s string, from, i int) int {
	const longest = 32                                                                                 // bytes of marks
	at := run(s[:min(len(s), i+2)], i, func(c byte) bool { return strings.IndexByte(">|+-", c) >= 0 }) // >- and | of YAML
	end := run(s, at, func(c byte) bool { return c == '\r' || c == '\\' })
	switch {
	case end < len(s) && s[end] == '\n':
		at = end + 1
		front := prefixLen(s, i-len(lineBefore(s, i)), i, at)
		if !strings.HasPrefix(strings.TrimLeft(s[at+front:], " "), strings.TrimSpace(s[from:i])) { // else the same line once more
			at += front
		}
	case lineEndAt(s, at) > 0:
		at = lineEndAt(s, at)
	default:
		at = i
	}
	marks := lineMarks().FindString(s[at:min(len(s), at+longest)])
	if at == i && (!strings.ContainsAny(marks, " >\r\u00a0") ||
		strings.HasPrefix(marks, "| ") && !strings.HasSuffix(strings.TrimRight(s[max(0, from-longest):from], " *`"), "|")) {
		return i
	}
	return at + len(marks)
}

// lineMarks matches the marks in front of the words of a line.
var lineMarks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:(?:```|~~~)[a-z]*\n|[ \t\r\n>|*+`~-]|#+ |[0-9]{1,3}[.)] |\\[[ xX]\\] |[☐☑•] |\u00a0|</?(?:b|br|code|em|h[1-6]|i|kbd|li|ol|p|pre|strong|t[dhr]|ul)/?>)*")
})

// isOfLine distinguishes words of a line or cell of its own, up to i, from the value of a name above it: that is alone
// but for closing marks.
func isOfLine(s, words string, i int) bool {
	i = run(s, i, func(c byte) bool { return strings.IndexByte(" \t\r*`'\",", c) >= 0 })
	alone := i == len(s) || strings.IndexByte("\n|\\", s[i]) >= 0
	return isSlug(words) || !alone && !isJumbled(words)
}

// endOfName goes from a key word to the end of the name it is in, false for
// another word (tokens, tokenizer) or a name that says it is not a secret.
func endOfName(s string, to int) (int, bool) {
	const longest = 32 // bytes of a tail
	end := run(s[:min(len(s), to+longest)], to, func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' })
	tail := s[to:end]
	if tail == "" {
		return end, true
	}
	word := isDigit(tail[0]) || tail[0] == '_' || tail[0] == '-' || isUpper(tail[0]) && isLower(s[to-1])
	return end, word && !tellsNoSecret(tail)
}

// tellsNoSecret recognizes names like token_url and secretName by their last word.
func tellsNoSecret(tail string) bool {
	return endsInAny(strings.TrimRight(strings.ToLower(tail), "0123456789_-"),
		"path", "file", "dir", "name", "url", "uri", "endpoint", "type", "ttl", "expiry",
		"expires", "expires_at", "expires_in", "expiresat", "expiresin", "count", "limit", "length", "size", "used", "index", "header",
		"field", "prefix", "format", "version", "policy", "sock", "regex", "pattern")
}
