package redact

import (
	"math"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return isLower(c | 0x20) }
func isAlnum(c byte) bool  { return isLetter(c) || isDigit(c) }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func isBlank(c byte) bool  { return c == ' ' || c == '\t' }

// isBase64URL recognizes the letters of base64url, padding apart.
func isBase64URL(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }

// run is the end of the longest run of allowed bytes from i on.
func run(s string, i int, allowed func(byte) bool) int {
	for i < len(s) && allowed(s[i]) {
		i++
	}
	return i
}

// back is the start of the longest run of allowed bytes that ends at i, no less than least.
func back(s string, i, least int, allowed func(byte) bool) int {
	for i > least && allowed(s[i-1]) {
		i--
	}
	return i
}

// containsAny reports whether s contains one of the words.
func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// endsInAny reports whether s ends in one of the words.
func endsInAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(s, w) })
}

// startsWord reports whether a token may start at i: not within a word. What was
// masked before it is not a word, nor is an escape of JSON, of a URL or of a
// terminal.
func startsWord(s string, i int) bool {
	switch {
	case i == 0 || !isAlnum(s[i-1]):
		return true
	case i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrtbf", s[i-1]) >= 0:
		return true
	case i >= 3 && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1]):
		return true
	case s[i-1] == 'm':
		return endsColour(s[:i-1])
	}
	return false
}

// A token ends where its letters or its length end, whatever follows. Letters and digits
// make another word of it, on either side, but where the kind is distinct: a token of one
// length behind a prefix that nothing else has.

// startsToken reports whether a token may start at i. In what is encoded any prefix turns up:
// behind a run of base64 none starts.
func startsToken(s string, i int, distinct bool) bool {
	const encoded = 16 // bytes of base64url that no name has
	if distinct {
		return startsWord(s, i) || back(s, i, max(0, i-encoded), isBase64URL) > i-encoded
	}
	return startsWord(s, i) && (i == 0 || s[i-1] != '/' && s[i-1] != '+' || !endsEncoded(s[:i]))
}

// endsEncoded distinguishes base64 from a path.
func endsEncoded(s string) bool {
	const least = 24 // bytes
	if len(s) < least {
		return false
	}
	s = s[len(s)-least:]
	m := statsOf(s)
	return m.uppers > 3 && m.lowers > 3 && m.digits > 0 && m.others == strings.Count(s, "/")+strings.Count(s, "+")
}

// endsToken is the end of a token with letters or length that end at i, 0 if it is a piece of
// another word. A distinct one may be of a kind that has grown longer, or the next one follows at
// once.
func endsToken(s string, i int, distinct bool) int {
	switch end := run(s, i, isAlnum); {
	case end == i:
		return i
	case distinct:
		return run(s, end, isBase64URL)
	}
	return 0
}

// areDistinct recognizes the prefixes that no other word ends in: ghp_ and glpat-, but not AKIA
// or sk-.
func areDistinct(prefixes []string) bool {
	const least = 5 // bytes of one, or four with "_" or "."
	return !slices.ContainsFunc(prefixes, func(p string) bool {
		return len(p) < least-1 || !strings.ContainsAny(p, "_.") && (len(p) < least || !strings.Contains(p, "-"))
	})
}

// endsColour reports whether s ends in a terminal's colour code without its "m".
func endsColour(s string) bool {
	const longest = 16
	for n := 0; n < longest && s != ""; n++ {
		last := s[len(s)-1]
		s = s[:len(s)-1]
		if last == '[' {
			return endsInAny(s, "\x1b", "1b", "1B") // \u001b, \x1B
		}
		if !isDigit(last) && last != ';' {
			return false
		}
	}
	return false
}

// isCutOff reports whether the text ends at i with an ellipsis, as a store cuts.
func isCutOff(s string, i int) bool {
	rest := strings.TrimSpace(s[i:min(len(s), i+8)])
	return len(s)-i <= 8 && (rest == "..." || rest == "…")
}

// entropy is Shannon's, in bits per byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// charStats counts the kinds of characters in a value.
type charStats struct {
	digits, letters, uppers, lowers, others, distinct int
	mixed                                             bool // an upper case letter behind a lower case one
}

func statsOf(s string) charStats {
	var m charStats
	var seen [256]bool
	for i := range len(s) {
		c := s[i]
		if !seen[c] {
			seen[c] = true
			m.distinct++
		}
		switch {
		case isDigit(c):
			m.digits++
		case isUpper(c):
			m.uppers++
			m.mixed = m.mixed || m.lowers > 0
		case isLower(c):
			m.lowers++
		default:
			m.others++
		}
	}
	m.letters = m.uppers + m.lowers
	return m
}

// isPlaceholder reports whether a value is only a placeholder.
func isPlaceholder(s string) bool {
	if s == "" || strings.IndexByte("$<{%*[(", s[0]) >= 0 {
		return true
	}
	if m := statsOf(s); m.distinct <= 3 && len(s) >= 4 {
		return true
	}
	return containsAny(strings.ToLower(s), "${", "$(", "{{", "xxxx", "****", "....", "…", "your", "example", "changeme", "change-me",
		"change_me", "placeholder", "redacted", "dummy", "process.env", "os.environ", "getenv")
}

// isUUID recognizes the 8-4-4-4-12 form, in either case.
func isUUID(s string) bool { return sources.IsUUID(strings.ToLower(s)) }

// isHash recognizes the hex digits of a usual hash.
func isHash(s string) bool {
	return slices.Contains([]int{32, 40, 56, 64, 96, 128}, len(s)) && run(s, 0, isHex) == len(s)
}

// isCommitHash recognizes the full name of a git object.
func isCommitHash(s string) bool { return len(s) == 40 && run(s, 0, isHex) == 40 }
