package redact

import (
	"slices"
	"strings"
)

// name is the name that a value is assigned to.
type name struct {
	from    int    // where it starts
	text    string // up to the end of the key word, in lower case
	setting bool   // in capitals, a flag of a command, or a tag
	flag    bool   // its value may follow behind a blank
	tag     bool   // an element of XML
	path    bool   // behind ":", as in arn:aws:secretsmanager:…:secret:name
}

func nameOf(s string, from, to int) name {
	const longest = 48 // bytes in front of a key word
	n := name{from: back(s, from, max(0, from-longest), isNameByte)}
	n.text = strings.ToLower(s[n.from:to])
	n.flag = strings.HasPrefix(n.text, "--") || endsInAny(s[:n.from], "ENV ", "setenv ", "set -x ", "set -gx ", "set -Ux ", "setx ", "setx /m ", "setx /M ")
	n.tag = strings.HasSuffix(s[:n.from], "<") && strings.HasPrefix(s[to:], ">")
	n.setting = n.flag || n.tag || strings.HasPrefix(n.text, "x-") || (isUpper(s[from]) || s[from] == '_') && isUpper(s[to-1])
	n.path = n.from > 0 && s[n.from-1] == ':'
	return n
}

// isPublic recognizes names of public values.
func (n name) isPublic(tail string) bool {
	return containsAny(n.text, "public", "primary", "foreign", "partition") ||
		endsInAny(n.text, "key", "credential", "credentials") && strings.HasSuffix(strings.ToLower(tail), "id")
}

// startOfValue goes from the end of the name over the sign of assignment and over
// an opening quote, which is returned.
func (n name) startOfValue(s string, end int) (start int, quote byte, ok bool) {
	const (
		gap     = 8  // blanks around the sign
		offered = 32 // bytes of what a prompt offers
	)
	i, closed := skipQuote(s, end)
	if i < len(s) && s[i] == ']' {
		i++
	}
	i = run(s[:min(len(s), i+gap)], i, func(c byte) bool { return isBlank(c) || c == '*' })
	if n := strings.Index(s[i:min(len(s), i+offered)], "]:"); n > 0 && s[i] == '[' { // Secret Access Key [None]:
		i += n + 1
	}
	switch rest := s[i:]; {
	case strings.HasPrefix(rest, "=="):
		return 0, 0, false
	case valueField(rest) > 0:
		i += valueField(rest)
	case strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "=>"):
		i += 2
	case longSign(rest) > 0:
		i += longSign(rest)
	case strings.HasPrefix(rest, ":") && n.path:
		return 0, 0, false
	case strings.HasPrefix(rest, "="), strings.HasPrefix(rest, ":"):
		i++
	case strings.HasPrefix(rest, "is ") && i > end:
		i += 2
	case n.tag:
		i++
	case strings.HasPrefix(rest, "| "): // a row of a table
	case closed != 0 && strings.HasPrefix(rest, "value="): // <add key="ApiKey" value="…">
		i += len("value=")
	case closed == 0 && i > end && strings.HasPrefix(rest, "'"): // PASSWORD '…' of SQL
	case n.flag && i > end, n.flag && strings.HasPrefix(rest, ","):
		i = run(s[:min(len(s), i+1)], i, func(c byte) bool { return c == ',' })
	default:
		return 0, 0, false
	}
	i = run(s[:min(len(s), i+gap)], i, func(c byte) bool { return isBlank(c) || c == '*' })
	if i+1 < len(s) && strings.IndexByte("bBrRuUfL@", s[i]) >= 0 && strings.IndexByte("\"'", s[i+1]) >= 0 {
		i++ // b'…' of a program
	}
	i, quote = skipQuote(s, i)
	return i, quote, i < len(s)
}

// valueField is the length of what parts a name from its value where both are fields of one
// record: "name": "API_KEY", "value": "…" of a task of ECS, and its two lines in Kubernetes.
func valueField(s string) int {
	const word, between = "value", 40 // line end and margin
	parts := func(c byte) bool { return isBlank(c) || strings.IndexByte(",\r\n", c) >= 0 }
	i, _ := skipQuote(s, run(s[:min(len(s), between)], 0, parts))
	if i > 0 && len(s) > i+len(word) && strings.EqualFold(s[i:i+len(word)], word) {
		i, _ = skipQuote(s, i+len(word))
		if i < len(s) && s[i] == ':' {
			return i + 1
		}
	}
	return 0
}

// longSign is the length of a sign of assignment in make, PHP and others.
func longSign(s string) int {
	for _, sign := range []string{"?=", ".=", "::=", ":::="} {
		if strings.HasPrefix(s, sign) {
			return len(sign)
		}
	}
	return 0
}

func (n name) isSecret(value string, quoted bool) bool {
	const least = 8 // bytes
	if len(value) < least {
		return false
	}
	m := statsOf(value)
	if m.letters == 0 || m.digits == 0 && (len(value) < 16 || !m.mixed || m.uppers < len(value)/5 || strings.Contains(value, "-")) {
		return false
	}
	if isPlaceholder(value) || isFixture(value) || strings.Contains(value, "://") || isDate(value) || isDotted(value) || isRelease(value) {
		return false
	}
	if run(value, 2, isHex) == len(value) && len(value) < 16 && value[:2] == "0x" || value[0] == '#' && run(value, 1, isHex) == len(value) || n.isOfData() && isSlug(value) {
		return false
	}
	if !n.setting && isUUID(value) && !n.saysSecret() && !strings.Contains(n.text, "api") || !n.setting && isCommitHash(value) && !n.saysSecret() {
		return false
	}
	bits := entropy(value)
	if strings.IndexByte(`/.~\@`, value[0]) >= 0 && bits < 4.2 {
		return false // a path
	}
	if n.flag && !quoted && strings.Contains(strings.TrimRight(value, "="), "=") {
		return false // id=name,src=file
	}
	if n.setting || quoted || strings.ContainsAny(value, "!#^&*+") {
		return bits >= 2.5
	}
	return bits >= 3 && len(value) >= 10 && (m.digits > 1 && !isSelector(value) && !isIdentifier(value) || isJumbled(value))
}

// saysSecret recognizes names whose value is a secret even where it looks like a hash.
func (n name) saysSecret() bool {
	return containsAny(n.text, "oauth", "passw", "secret")
}

// isOfData distinguishes keys of records (project_key, cache-key) from keys of locks.
func (n name) isOfData() bool {
	return strings.HasSuffix(n.text, "key") &&
		!containsAny(n.text, "api", "secret", "access", "private", "sign", "crypt", "master", "auth", "account")
}

// isSlug recognizes folder/widget-4aded223 and Results-1.2: words, numbers and short
// hashes.
func isSlug(s string) bool {
	const hash = 8
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("/-_.:,=", r) }) {
		switch {
		case run(part, 0, isLower) == len(part), run(part, 0, isDigit) == len(part):
		case isUpper(part[0]) && run(part, 1, isLetter) == len(part):
		case len(part) > hash || statsOf(part).uppers > 0:
			return false
		}
	}
	return true
}

// isRelease recognizes the name of a package with its version: name-of-it-1.2.3.
func isRelease(s string) bool {
	n := strings.LastIndexByte(s, '-')
	return n > 0 && isVersion(s[n+1:]) && run(s, 0, func(c byte) bool { return isLower(c) || c == '-' }) == n+1
}

// isFixture recognizes the passwords of tests and examples: a word and some digits.
func isFixture(s string) bool {
	usual := []string{"password", "test", "testing", "secret", "admin", "pass", "user", "token", "foobar", "qwerty"}
	return slices.Contains(usual, strings.TrimRight(strings.ToLower(s), "0123456789!")) || strings.Contains(strings.ToLower(s), "replace_me")
}

// isDotted recognizes names like widget.accessToken.v2.
func isDotted(s string) bool {
	const longest, dots = 20, 2
	if !isSelector(s) || strings.Count(s, ".") < dots || statsOf(s).digits > 2 {
		return false
	}
	for part := range strings.SplitSeq(s, ".") {
		if len(part) > longest {
			return false
		}
	}
	return true
}
