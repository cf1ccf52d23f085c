package escape

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/sign"
)

// What belongs to a terminal escape after its ESC, and after a CSI of one byte.
var (
	afterESC = regexp.MustCompile(`^(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\n\x07\x1b]*(?:\x07|\x1b(?s:.)?)|[ -/]+[0-~]?|[0-~])`)
	afterCSI = regexp.MustCompile(`^[0-?]*[ -/]*[@-~]?`)
)

// Clean makes characters honest: control characters, ANSI escapes and what has no width go,
// bidirectional controls show as ⟨U+202E⟩, invalid UTF-8 as U+FFFD. It is idempotent. Private use
// characters pass, for they wrap masks.
func Clean(s string) string {
	at := nextOdd(s, 0)
	if at == len(s) {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for from := 0; ; {
		out = append(out, s[from:at]...)
		if at == len(s) {
			break
		}
		out, from = appendHonest(out, s, at)
		at = nextOdd(s, from)
	}
	return string(out)
}

// nextOdd is the offset of the next character that [Clean] has to look at.
func nextOdd(s string, i int) int {
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if n == 1 || hidden(r) {
			return i
		}
		i += n
	}
	return i
}

// appendHonest appends a visible replacement for the odd character at s[i:].
func appendHonest(out []byte, s string, i int) ([]byte, int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	end := i + n
	switch {
	case r == utf8.RuneError && n == 1:
		return utf8.AppendRune(out, utf8.RuneError), end
	case r == '\r':
		if strings.HasPrefix(s[end:], "\n") {
			return out, end
		}
		return append(out, '\n'), end
	case r == '\f', r == '\v', r == 0x85, r == 0x2028, r == 0x2029:
		return append(out, '\n'), end
	case r == 0x1b:
		return out, end + len(afterESC.FindString(s[end:]))
	case r == 0x9b:
		return out, end + len(afterCSI.FindString(s[end:]))
	case r == 0x200c || r == 0x200d:
		if joins(out, s[end:]) {
			return utf8.AppendRune(out, r), end
		}
		return out, end
	case bidiControl(r):
		return fmt.Appendf(out, "⟨U+%04X⟩", r), end
	}
	return out, end
}

// hidden reports whether a character beyond ASCII shows nothing of itself.
func hidden(r rune) bool {
	switch {
	case r < 0x300:
		return r < 0xa0 || r == 0xad
	case r >= 0x600 && r <= 0x605, r == 0x6dd, r == 0x70f, r == 0x8e2:
		return false // number signs of Arabic and Syriac have a shape
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5,
		r == 0x2028, r == 0x2029, r == 0x3164, r == 0xffa0, r >= 0xe0000 && r <= 0xe0fff:
		return true
	case r > 0x3164 && r < 0xd800:
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

func bidiControl(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// joins reports whether a joiner is part of a word or emoji.
func joins(before []byte, after string) bool {
	a, _ := utf8.DecodeLastRune(before)
	b, _ := utf8.DecodeRuneInString(after)
	return emoji(a) && emoji(b) || joining(a) && joining(b)
}

func emoji(r rune) bool {
	return r == 0xfe0f || unicode.IsSymbol(r) && (r >= 0x2190 && r <= 0x2bff || r >= 0x1f000 && r <= 0x1fbff)
}

// joining reports whether r belongs to a script that writes with joiners.
func joining(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
		unicode.Mongolian)
}

func span(s string, lo, hi byte) int {
	n := 0
	for n < len(s) && s[n] >= lo && s[n] <= hi {
		n++
	}
	return n
}

// OneLine cleans s and joins its lines with spaces.
func OneLine(s string) string {
	s = strings.TrimSpace(Clean(s))
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
}

// The runes around the mask of a secret, which becomes "[redacted:rule#1]" later.
const (
	maskOpen, maskClose = "\ue000", "\ue001"
	firstOfMask         = 0xee // byte
)

// Cut shortens s to about limit letters, shown by "…", at a blank unless the last word is long. No mask is cut in
// two.
func Cut(s string, limit int) string {
	const longWord = 40 // bytes of a word that may be cut
	if len(s) <= limit {
		return s
	}
	end := sign.Within(s, limit)
	if end == len(s) {
		return s
	}
	if i := strings.LastIndexByte(s[:end], ' '); i > max(end/2, end-longWord) {
		end = i
	}
	return strings.TrimRight(s[:BeforeMask(s, end)], " ") + "…"
}

// BeforeMask moves the cut at end before the mask it would split.
func BeforeMask(s string, end int) int {
	if i := strings.LastIndex(s[:end], maskOpen); i >= 0 && !strings.Contains(s[i:end], maskClose) &&
		strings.Contains(s[end:], maskClose) {
		return i
	}
	return end
}

// startsTag reports whether s, behind a "#", makes it a tag.
func startsTag(s string) bool {
	s = strings.TrimLeft(s, "0123456789")
	return s != "" && (isWord(s[0]) || s[0] == '-' || s[0] == '/' || s[0] >= 0x80)
}

func isAlpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool { return isAlpha(c) || isDigit(c) || c == '_' }

// isPunct reports whether a backslash before c is an escape.
func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isAlpha(c) && !isDigit(c)
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// In a list a sign such as 📅 before a date means something. An escaped dash undoes that.
const taskSigns = "[\u2795\U0001F6EB\u23F3\u231B\U0001F4C5\U0001F4C6\U0001F5D3\uFE0F\u2705]"

var (
	taskDate = regexp.MustCompile(taskSigns + `\s*[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	dated    = regexp.MustCompile(taskSigns + `[\s>]*[0-9]{4}$`)
	monthDay = regexp.MustCompile(`^-[0-9]{2}-[0-9]{2}`)
)

// datesTask reports whether a text has a sign of a task before a date. The signs are no ASCII.
func datesTask(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) && taskDate.MatchString(s)
}

// dateSpan is how far before a dash, in bytes, the sign of its date is looked for.
const dateSpan = 64

// inTaskDate reports whether the dash at the start of rest is the first one of such a date.
func inTaskDate(before, rest string) bool {
	return before != "" && isDigit(before[len(before)-1]) && monthDay.MatchString(rest) && dated.MatchString(before[max(0, len(before)-dateSpan):])
}

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
