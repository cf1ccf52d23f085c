package redact

import "strings"

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
	const sample = 128 // bytes judged
	inValue := valueByte(quote)
	if quote == 0 && n.from > 0 && strings.IndexByte("?&", s[n.from-1]) >= 0 {
		inValue = func(c byte) bool { return c != '&' && isPlainValue(c) } // of a URL
	}
	judged := runValue(s, i, min(len(s), i+sample), inValue)
	value := s[i:judged]
	if !n.isSecret(value, quote != 0) || quote == 0 && callFollows(s, judged) {
		return span{}
	}
	sp := span{i, runValue(s, judged, len(s), inValue)}
	if v.isToken(s, sp) {
		return span{}
	}
	return sp
}

// endOfName goes from a key word to the end of the name it stands in, false for
// another word (tokens, tokenizer) or a name that says it is no secret.
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

// tellsNoSecret tells names like token_url and secretName by their last word.
func tellsNoSecret(tail string) bool {
	tail = strings.TrimRight(strings.ToLower(tail), "0123456789_-")
	for _, last := range []string{"path", "file", "dir", "name", "url", "uri", "endpoint", "type", "ttl", "expiry",
		"expires", "expires_at", "expires_in", "expiresat", "expiresin", "count", "limit", "length", "size", "used", "index", "header",
		"field", "prefix", "format", "version", "policy", "sock", "regex", "pattern"} {
		if strings.HasSuffix(tail, last) {
			return true
		}
	}
	return false
}

// skipQuote goes over a quote, escaped or not.
func skipQuote(s string, i int) (int, byte) {
	j := run(s[:min(len(s), i+3)], i, func(c byte) bool { return c == '\\' })
	if j < len(s) && strings.IndexByte("\"'`", s[j]) >= 0 {
		return j + 1, s[j]
	}
	return i, 0
}

// valueByte tells the bytes a value of that quote goes on with.
func valueByte(quote byte) func(byte) bool {
	if quote != 0 {
		return func(c byte) bool { return c != quote && c > ' ' && c != '\\' }
	}
	return isPlainValue
}

// isPlainValue tells the bytes of a value without quotes.
func isPlainValue(c byte) bool {
	switch c {
	case '"', '\'', '`', ',', ';', '(', ')', '{', '}', '[', ']', '<', '>', '|', '\\':
		return false
	}
	return c > ' '
}

// runValue is run, up to limit and to the next mask.
func runValue(s string, i, limit int, allowed func(byte) bool) int {
	end := run(s[:limit], i, allowed)
	for end+1 < limit && s[end] == '\\' && end > i && isOwnBackslash(s[end+1]) && allowed(s[end+1]) {
		end = run(s[:limit], end+1, allowed)
	}
	if n := strings.Index(s[i:end], maskOpen); n >= 0 {
		return i + n
	}
	return end
}

// isOwnBackslash tells by the letter behind it a backslash that is part of a value
// from one that escapes a quote or is the start of a line end.
func isOwnBackslash(next byte) bool {
	return next > ' ' && next < 0x7f && strings.IndexByte("\"'`\\nrtux", next) < 0
}

// callFollows tells the call of a function, an index or a type from a value.
func callFollows(s string, i int) bool {
	return i < len(s) && (s[i] == '(' || s[i] == '[' || s[i] == '<' && !strings.HasPrefix(s[i:], "</"))
}

// isDate tells 2026-11-03 and what may follow.
func isDate(s string) bool {
	return len(s) >= 10 && s[4] == '-' && s[7] == '-' && run(s, 0, isDigit) == 4
}

// isSelector tells a.b.c of a program.
func isSelector(s string) bool {
	return strings.Contains(s, ".") && isLetter(s[0]) &&
		run(s, 0, func(c byte) bool { return isAlnum(c) || c == '_' || c == '.' }) == len(s)
}
