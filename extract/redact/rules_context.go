package redact

import (
	"slices"
	"strings"
)

// contextRules find secrets by what is before them. A value that one of the
// token rules takes as a whole is left to it, so that one secret has one mask
// wherever it stands.
func contextRules(tokens []rule) []rule {
	v := values{tokens}
	return []rule{
		{name: "private-key", keys: []string{"begin"}, find: findPrivateKey},
		{name: "authorization", keys: []string{"authorization"}, find: v.findAuthorization},
		{name: "authorization", keys: []string{"bearer"}, find: v.findBearer},
		shaped("url-password", `[^\s"'\x60<>/\\?#:]*:([^\s"'\x60<>/\\?#]{3,})@`, isURLPassword, "://"),
		{name: "assignment", keys: []string{"secret", "token", "password", "passwd", "pwd", "passphrase",
			"api_key", "api-key", "apikey", "api key", "access key", "access_key", "accesskey", "accountkey", "_key", "_pass", "_auth", "credential",
			"credentials", "creds"}, find: v.findAssigned},
	}
}

// isMark recognizes the dashes of a PEM head, and what emphasizes a part of it on a page.
func isMark(c byte) bool { return strings.IndexByte("-*_~=`\\", c) >= 0 }

// findPrivateKey finds a whole PEM block, its line ends real or escaped. A block
// without an end is as long as its lines look like it.
func findPrivateKey(s string, from, to int) span {
	const (
		label    = 96 // longest label of a block
		dashes   = 5
		sureLine = 20 // bytes of a line that is no word
	)
	head := s[to:min(len(s), to+label)]
	n := strings.IndexByte(head, '-')
	if n < 0 || !strings.Contains(strings.Join(strings.FieldsFunc(head[:n], func(r rune) bool { return r < 'A' || r > 'Z' }), ""), "PRIVATEKEY") {
		return span{}
	}
	for seen := 0; seen < dashes; from-- {
		if from == 0 || !isMark(s[from-1]) {
			return span{}
		}
		seen += strings.Count(s[from-1:from], "-")
	}
	first := from - len(lineBefore(s, from))
	at := len(strings.TrimRight(s[:run(s, to+n, isMark)], `\`)) // of an escaped line end
	doubts := 0                                                 // short words since the last line; a wrap leaves some
	for found := (span{}); ; {
		line, next := pemLine(s, at)
		if n := strings.LastIndexByte(s[at:next], '\n'); n >= 0 { // what a search, a diff or a log has in front
			next = max(next, at+n+1+prefixLen(s, first, from, at+n+1))
		}
		switch {
		case line == "":
		case strings.HasPrefix(line, "-----END") && found.to > 0:
			return span{from, at + len(line)}
		case !strings.HasPrefix(line, "-----END") && (len(line) >= sureLine || doubts == 0 && isPEMBody(line)):
			found, doubts = span{from, at + len(line)}, 0
		case doubts == 2 || found.to == 0:
			return found
		default:
			doubts++
		}
		if next == at || at == len(s) {
			return found
		}
		at = next
	}
}

// pemLine is the piece of a block at i, up to a line end, real or escaped, or
// to what no block holds. next is where the next piece starts.
func pemLine(s string, i int) (line string, next int) {
	if strings.HasPrefix(s[i:], "-----END") {
		if n := strings.Index(s[i+5:min(len(s), i+80)], "-----"); n >= 0 {
			return s[i : i+5+n+5], i
		}
	}
	end := run(s, i, func(c byte) bool { return isAlnum(c) || strings.IndexByte("+/=:,-", c) >= 0 })
	next = run(s, end, func(c byte) bool { return strings.IndexByte(" \t\r\n>|*_~`", c) >= 0 })
	for strings.HasPrefix(s[next:], `\`) {
		next = run(s, next, func(c byte) bool { return c == '\\' })
		next = run(s, next, func(c byte) bool { return c == 'n' || c == 'r' })
	}
	return s[i:end], next
}

// isPEMBody distinguishes a line of base64 or a header's word from prose.
func isPEMBody(line string) bool {
	if strings.ContainsAny(line, ":,") {
		return true // Proc-Type: 4,ENCRYPTED
	}
	return len(line) >= 20 || hasDigit(line) || strings.ContainsAny(line, "+/=")
}

// findAuthorization finds the credentials of a header, as text, JSON or code.
func (v values) findAuthorization(s string, _, to int) span {
	const gap = 24 // longest way from the name to the value
	i := run(s[:min(len(s), to+gap)], to, func(c byte) bool { return strings.IndexByte("\"'`:=\\, \t", c) >= 0 })
	if sign := s[to:i]; !strings.ContainsAny(sign, ":=,") || !strings.ContainsAny(sign, ":=\"'`") {
		return span{} // one of several names of headers has no quote
	}
	word := run(s[:min(len(s), i+gap)], i, func(c byte) bool { return isLetter(c) || c == '-' || c == '_' })
	if j := run(s, word, isBlank); j > word && isScheme(strings.ToLower(s[i:word])) {
		i = j
	}
	return v.credentials(s, i, 8)
}

// isScheme recognizes what is between the name of the header and the credentials.
func isScheme(word string) bool {
	return slices.Contains([]string{"bearer", "basic", "bot", "digest", "negotiate", "ntlm", "splunk"}, word) || endsInAny(word, "token", "key")
}

// findBearer finds a bearer token that no header's name introduces.
func (v values) findBearer(s string, from, to int) span {
	i := run(s, to, isBlank)
	at := behindMarks(s, from, i)
	if at == to || !startsWord(s, from) {
		return span{}
	}
	sp := v.credentials(s, at, 16)
	if at > i && isOfLine(s, s[sp.from:sp.to], sp.to) {
		return span{}
	}
	return sp
}

// credentials takes the run of token letters at i where it is not a word or
// placeholder.
func (v values) credentials(s string, i, least int) span {
	const sample = 256 // bytes judged
	i = run(s[:min(len(s), i+2)], i, func(c byte) bool { return strings.IndexByte("*`\"'", c) >= 0 })
	isCredential := func(c byte) bool { return isAlnum(c) || strings.IndexByte("._~+/=:@-", c) >= 0 }
	judged := run(s[:min(len(s), i+sample)], i, isCredential)
	value := s[i:judged]
	m := statsOf(value)
	if strings.HasPrefix(value, "tid=") {
		return span{} // has a rule of its own
	}
	if len(value) < least || m.distinct < 5 || m.digits == 0 && !m.mixed || isPlaceholder(value) {
		return span{}
	}
	if m.digits == 0 && (least >= 16 || m.uppers <= len(value)/5 || strings.Contains(value, "-")) {
		return span{}
	}
	sp := span{i, run(s, judged, isCredential)}
	if v.isToken(s, sp) {
		return span{}
	}
	return sp
}
