package redact

import (
	"regexp"
	"strings"
	"sync"
)

type allowlist struct {
	Condition   string
	RegexTarget string // "match" or "line"; nothing: the secret
	Regexes     []string
	StopWords   []string
	re          func() *regexp.Regexp // of Regexes, compiled when first needed
}

func (a allowlist) ready() allowlist {
	a.StopWords = lower(a.StopWords)
	a.re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?:" + strings.Join(a.Regexes, ")|(?:") + ")") })
	return a
}

// says reports whether the list says that a match is not a secret.
func (a allowlist) says(s string, secret, match span) bool {
	if strings.EqualFold(a.Condition, "and") { // it asks for the name of a file as well
		return false
	}
	text := s[secret.from:secret.to]
	if containsAny(strings.ToLower(text), a.StopWords...) {
		return true
	}
	switch a.RegexTarget {
	case "match":
		text = s[match.from:match.to]
	case "line":
		text = lineAround(s, match)
	}
	return len(a.Regexes) > 0 && a.re().MatchString(text)
}

func lineAround(s string, m span) string {
	const near = 256 // bytes
	after, _, _ := strings.Cut(s[m.to:min(len(s), m.to+near)], "\n")
	return lineBefore(s, m.from) + s[m.from:m.to] + after
}
