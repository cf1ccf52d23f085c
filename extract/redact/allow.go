package redact

import (
	"regexp"
	"strings"
)

// allowed is an allowlist that can be asked.
type allowed struct {
	target string
	all    bool // each part has to say so
	re     func() *regexp.Regexp
	words  []string
}

// says tells whether a secret is none by the list.
func (a allowed) says(s string, secret, match span) bool {
	if a.all { // asks for the name of a file as well
		return false
	}
	text := s[secret.from:secret.to]
	if containsAny(strings.ToLower(text), a.words...) {
		return true
	}
	if a.re == nil {
		return false
	}
	switch a.target {
	case "match":
		text = s[match.from:match.to]
	case "line":
		text = lineAround(s, match)
	}
	return a.re().MatchString(text)
}

// lineAround is the line a match stands in, as far as is near.
func lineAround(s string, m span) string {
	const near = 256 // bytes
	after, _, _ := strings.Cut(s[m.to:min(len(s), m.to+near)], "\n")
	return lineBefore(s, m.from) + s[m.from:m.to] + after
}
