package redact

import (
	"encoding/base64"
	"strings"
)

// Limits of decoding, in bytes of base64.
const (
	leastEncoded = 24 // a run that is looked at
	sampled      = 64 // its start has to be text, or it is not decoded further
	leastLine    = 60 // of a line that the next one goes on
)

// encoded adds the runs of base64 that hold a secret when they are decoded: the
// whole run is masked, for who has a part of it has a part of the secret. What is
// encoded twice or packed is not found.
func (m *Masker) encoded(found []secret, set *ruleSet, s string) []secret {
	for p := range pieces(s) {
		for at := p.from; ; {
			run := nextEncoded(s[:p.to], at)
			if run.to == 0 {
				break
			}
			at = run.to
			if text := decoded(s[run.from:run.to]); text != "" {
				found = m.addEncoded(found, set, s, run, text)
			}
		}
	}
	return found
}

func (m *Masker) addEncoded(found []secret, set *ruleSet, s string, run span, text string) []secret {
	inside := m.scan(nil, set, text)
	for i := range set.whole {
		inside = m.searchAll(inside, &set.whole[i], text)
	}
	if len(inside) == 0 {
		return found
	}
	return append(found, secret{run, "encoded-secret", s[run.from:run.to], true})
}

// nextEncoded is the next run at or after i. It looks at each leastEncoded-th byte
// until it meets one.
func nextEncoded(s string, i int) span {
	for at := i + leastEncoded - 1; at < len(s); at += leastEncoded {
		if !isBase64Byte(s[at]) {
			continue
		}
		from := run(s[:at], back(s, at, i, isBase64Byte), func(c byte) bool { return !isAlnum(c) }) // the "+" of a diff
		end := run(s, at, isBase64Byte)
		if end-from < leastEncoded {
			continue
		}
		for end-from-1-strings.LastIndexAny(s[from:end], " \t\n>|") >= leastLine {
			next := run(s[:min(len(s), end+leastEncoded)], end, func(c byte) bool { return strings.IndexByte(" \t\r\n>|\\", c) >= 0 })
			more := run(s, next, isBase64Byte)
			if next == end || !strings.Contains(s[end:next], "\n") || more == next || more < len(s) && strings.IndexByte("=\r\n\"'", s[more]) < 0 {
				break
			}
			end = more
		}
		return span{from, run(s, end, func(c byte) bool { return c == '=' })}
	}
	return span{}
}

func isBase64Byte(c byte) bool { return isBase64URL(c) || c == '+' || c == '/' }

// decoded is the text that a run encodes, empty if it encodes none.
func decoded(s string) string {
	const longest = 1 << 20 // what a longer run has behind is not looked at
	if !isText(decode(s[:min(len(s), sampled)])) {
		return ""
	}
	return string(decode(s[:min(len(s), longest)]))
}

func decode(s string) []byte {
	letters := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '-':
			letters = append(letters, '+')
		case c == '_':
			letters = append(letters, '/')
		case isBase64Byte(c):
			letters = append(letters, c)
		}
	}
	if len(letters)%4 == 1 { // stands for nothing
		letters = letters[:len(letters)-1]
	}
	text, err := base64.RawStdEncoding.AppendDecode(nil, letters)
	if err != nil {
		return nil
	}
	return text
}

// isText distinguishes the start of a text from bytes: no control characters, and hardly
// anything that is not ASCII.
func isText(s []byte) bool {
	const odd = 8 // one byte in so many may be beyond ASCII
	beyond := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' && c != '\n' && c != '\t' && c != '\r', c == 0x7f:
			return false
		case c > 0x7f:
			beyond++
		}
	}
	return len(s) > 0 && beyond*odd <= len(s)
}
