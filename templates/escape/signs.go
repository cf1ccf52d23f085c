package escape

import (
	"regexp"
	"strings"
)

// startsTag says that s, which follows a "#", makes it a tag: letters, digits,
// "_", "-", "/" and characters beyond ASCII, at least one of them no digit.
func startsTag(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
		case isAlpha(c), c == '_', c == '-', c == '/', c >= 0x80:
			return true
		default:
			return false
		}
	}
	return false
}

func isAlpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool { return isAlpha(c) || isDigit(c) || c == '_' }

// isPunct says that a backslash before c is an escape.
func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isAlpha(c) && !isDigit(c)
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// In a list Dataview and Tasks take a sign such as 📅 with a date behind it for
// when something is due, begun or done. An escaped dash makes it words again.
const taskSigns = "[\u2795\U0001F6EB\u23F3\u231B\U0001F4C5\U0001F4C6\U0001F5D3\uFE0F\u2705]"

var (
	taskDate = regexp.MustCompile(taskSigns + `\s*[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	dated    = regexp.MustCompile(taskSigns + `[\s>]*[0-9]{4}$`)
	monthDay = regexp.MustCompile(`^-[0-9]{2}-[0-9]{2}`)
)

// dateSpan is how far before a dash, in bytes, the sign of its date is looked for.
const dateSpan = 64

// inTaskDate says that the dash at the start of rest is the first one of such a date.
func inTaskDate(before, rest string) bool {
	return before != "" && isDigit(before[len(before)-1]) && monthDay.MatchString(rest) && dated.MatchString(before[max(0, len(before)-dateSpan):])
}

// longestRun counts the bytes of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest := 0
	for {
		i := strings.IndexByte(s, c)
		if i < 0 {
			return longest
		}
		n := span(s[i:], c, c)
		longest = max(longest, n)
		s = s[i+n:]
	}
}
