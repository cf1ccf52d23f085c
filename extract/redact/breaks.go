package redact

import (
	"strconv"
	"strings"
)

// textBreaks reads the breaks of a text, one after the other.
type textBreaks struct {
	s         string
	at        int  // where to read on
	line      int  // start of the line
	textBreak      // the one that was read
	ok        bool // there was one
}

// startsBreak recognizes the bytes that a break can start with, including those of invisible
// characters.
var startsBreak = func() (table [256]bool) {
	for c := range table {
		table[c] = c < ' ' && c != '\t' && c != '\r'
	}
	for _, c := range []byte("\\%=&\x7f\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf0\xf3" + markup) {
		table[c] = true
	}
	return table
}()

func (r *textBreaks) next() {
	s := r.s
	r.ok = false
	for i := r.at; i < len(s) && !r.ok; i++ {
		if !startsBreak[s[i]] {
			continue
		}
		switch s[i] {
		case '\n':
			r.textBreak, r.ok = wrapAt(s, i, i+1, r.line)
			r.line = i + 1
		case '\\':
			if r.textBreak, r.ok = escapeAt(s, i); r.ok {
				break
			}
			if end := lineEndAt(s, i); end > 0 {
				r.textBreak, r.ok = wrapAt(s, i, end, r.line)
				r.line = end
				i = end - 1
			} else {
				r.textBreak, r.ok = markupAt(s, i)
			}
		case '%':
			var b byte
			b, r.ok = hexByte(s, i+1)
			r.textBreak = textBreak{span: span{i, i + 3}, with: b}
		case '&':
			r.textBreak, r.ok = entityAt(s, i)
		case '*', '`', '"', '<', '>', '?', '#', '^', '[', ']':
			r.textBreak, r.ok = markupAt(s, i)
		case '=':
			r.ok = strings.HasPrefix(s[i:], "=3D")
			r.textBreak = textBreak{span: span{i, i + 3}, with: '='}
		default:
			n := unseenAt(s, i)
			r.textBreak, r.ok = textBreak{span: span{i, i + n}}, n > 0
		}
	}
	read := r.at
	r.at = len(s)
	if r.ok {
		r.from = max(r.from, read) // the common in front of a line end may have been one
		r.at = r.to
	}
}

// markup are signs that a page does not show, and that names of files and titles of links go without.
const markup = "*`\"<>?#^[]"

// isMarkup is the table of them, with the sign that goes before some.
var isMarkup = func() (table [256]bool) {
	for _, c := range []byte(markup + `\`) {
		table[c] = true
	}
	return table
}()

// markupAt reads such signs in the middle of what may be a token.
func markupAt(s string, i int) (textBreak, bool) {
	const (
		most  = 4  // signs
		least = 20 // bytes of a token, around them
		far   = 48 // that are looked at

		digits = 2 // among them
	)
	if i == 0 || !isBase64URL(s[i-1]) {
		return textBreak{}, false
	}
	end := i + 1
	for end < len(s) && end < i+most && isMarkup[s[end]] {
		end++
	}
	if end == len(s) || !isBase64URL(s[end]) {
		return textBreak{}, false
	}
	ofToken := func(c byte) bool { return isBase64URL(c) || strings.IndexByte("\\*`", c) >= 0 } // sk\_live\_…, gh**p_**…
	front, behind := s[back(s, i, max(0, i-far), ofToken):i], s[end:run(s[:min(len(s), end+far)], end, ofToken)]
	return textBreak{span: span{i, end}, doubt: true}, len(front)+len(behind) >= least && statsOf(front).digits+statsOf(behind).digits >= digits
}

// escapeAt reads an escape of JSON, of a program or of a terminal that is written
// out: \u0067, \x67, \u001b[31m, \033[0m, \e[0m.
func escapeAt(s string, i int) (textBreak, bool) {
	end := run(s[:min(len(s), i+8)], i, func(c byte) bool { return c == '\\' })
	rest := s[end:]
	n := 0 // bytes of the escape
	switch {
	case isUnseenEscape(rest):
		return textBreak{span: span{i, end + 5}}, true
	case strings.HasPrefix(rest, "u00"):
		n = 5
	case strings.HasPrefix(rest, "x"):
		n = 3
	case strings.HasPrefix(rest, "033"):
		return colour(s, i, end+3)
	case strings.HasPrefix(rest, "e"):
		return colour(s, i, end+1)
	default:
		return textBreak{}, false
	}
	if n > len(rest) {
		return textBreak{}, false
	}
	if strings.EqualFold(rest[n-2:n], "1b") {
		return colour(s, i, end+n)
	}
	b, ok := hexByte(rest, n-2)
	return textBreak{span: span{i, end + n}, with: b}, ok
}

// isUnseenEscape recognizes a character that shows nothing as JSON writes it, \u200b or \u0000, but for those that start
// a terminal's code or end a line.
func isUnseenEscape(s string) bool {
	if len(s) < 5 || s[0] != 'u' {
		return false
	}
	r, err := strconv.ParseUint(s[1:5], 16, 16)
	return err == nil && r != 0x1b && (r >= 0x7f || !isPlain(byte(r))) && isUnseen(rune(r))
}

// colour is the break of a terminal's code that is written out, what follows its
// escape standing at i.
func colour(s string, from, i int) (textBreak, bool) {
	if i >= len(s) || strings.IndexByte("[(]", s[i]) < 0 {
		return textBreak{}, false
	}
	end := i + lenOf(afterESC, s[i:])
	return textBreak{span: span{from, end}}, end > i+1
}

// entityAt reads a letter as HTML writes it: &#103; &#x67; &amp; &quot;
func entityAt(s string, i int) (textBreak, bool) {
	const longest = 8
	name, _, ok := strings.Cut(s[i+1:min(len(s), i+longest)], ";")
	if !ok {
		return textBreak{}, false
	}
	at := textBreak{span: span{i, i + len(name) + 2}}
	switch name {
	case "amp":
		at.with = '&'
	case "lt":
		at.with = '<'
	case "gt":
		at.with = '>'
	case "quot":
		at.with = '"'
	case "apos":
		at.with = '\''
	default:
		number, ok := strings.CutPrefix(strings.ToLower(name), "#")
		base := 10
		if hex, isHex := strings.CutPrefix(number, "x"); isHex {
			number, base = hex, 16
		}
		n, err := strconv.ParseUint(number, base, 8)
		if !ok || err != nil || !isPlain(byte(n)) {
			return textBreak{}, false
		}
		at.with = byte(n)
	}
	return at, true
}

func isPlain(c byte) bool { return ' ' <= c && c < 0x7f || c == '\n' || c == '\r' || c == '\t' }

// hexByte reads two hex digits that stand for a letter of ASCII or a line end.
func hexByte(s string, i int) (byte, bool) {
	if i+2 > len(s) || !isHex(s[i]) || !isHex(s[i+1]) {
		return 0, false
	}
	n, _ := strconv.ParseUint(s[i:i+2], 16, 8) // they are two digits
	return byte(n), isPlain(byte(n))
}

// lineEndAt is the end of a line end that is written out (\n, \r\n), 0 for none.
func lineEndAt(s string, i int) int {
	end := run(s[:min(len(s), i+8)], i, func(c byte) bool { return c == '\\' })
	switch rest := s[end:]; {
	case end == i:
	case strings.HasPrefix(rest, "n"):
		return end + 1
	case strings.HasPrefix(rest, `r\n`):
		return end + 3
	}
	return 0
}

// wrapAt reports whether the line end s[i:end] is in the middle of something: the
// line is long, and letters are on both sides, with a digit among them. What is
// put in front of a line, such as the common of a box, belongs to the break.
func wrapAt(s string, i, end, line int) (textBreak, bool) {
	const shortWrap = 60 // the shortest line, in bytes, that is thought to have been wrapped
	const (
		margin = 12 // bytes in front of a line
		near   = 24 // bytes on each side that should have a digit
	)
	from := i
	if from > line && s[from-1] == '\r' {
		from--
	}
	if from-line < shortWrap {
		return textBreak{}, false
	}
	if mail := from - line; s[from-1] == '=' && 70 <= mail && mail <= 77 || s[from-1] == '\\' {
		from-- // a soft line end of a mail, or one of a shell
	}
	for from > line && from > i-margin && strings.IndexByte(" |\x82", s[from-1]) >= 0 {
		from = min(from-1, len(strings.TrimSuffix(s[:from], "│"))) // the common of a box
	}
	if !isTokenByte(s[from-1]) || endsInWord(s[line:from]) {
		return textBreak{}, false
	}
	to := end + prefixLen(s, line, i, end)
	for to < min(len(s), end+margin) && strings.IndexByte(" \t|>+", s[to]) >= 0 || strings.HasPrefix(s[min(to, len(s)):], "│") {
		to = max(to+1, len(s)-len(strings.TrimPrefix(s[to:], "│")))
	}
	if to >= len(s) || !isTokenByte(s[to]) || startsEntry(s, to) {
		return textBreak{}, false
	}
	front, behind := s[back(s, from, max(line, from-near), isTokenByte):from], s[to:run(s[:min(len(s), to+near)], to, isTokenByte)]
	return textBreak{span: span{from, to}, wrap: true, doubt: true}, hasDigit(front) || hasDigit(behind)
}

// prefixLen is the length of what the line s[line:i] and the one at next both have in
// front, as numbered lines, searches, diffs and logs do: the same but for digits and
// blanks, up to a sign.
func prefixLen(s string, line, i, next int) int {
	const longest = 160 // bytes
	a, b, common := s[line:min(i, line+longest)], s[next:min(len(s), next+longest)], 0
	for m, n := 0, 0; m < len(a) && n < len(b); {
		switch c := a[m]; {
		case isDigit(c) && isDigit(b[n]):
			m, n = run(a, m, isDigit), run(b, n, isDigit)
		case isBlank(c) && isBlank(b[n]):
			m, n = run(a, m, isBlank), run(b, n, isBlank)
			if front := strings.TrimRight(b[:n], " \t"); common > 0 || strings.Trim(front, "0123456789 \t+>|") == "" {
				common = n
			}
		case c == b[n] || c == ':' && b[n] == '-':
			m, n = m+1, n+1
			if strings.IndexByte(":|>", c) >= 0 || n == 1 && (c == '+' || c == '-') {
				common = n
			}
		default:
			return common
		}
	}
	return common
}

// startsEntry distinguishes a line that starts with NAME=, name:, a time or a column from one that
// continues with a token, which may end in "=".
func startsEntry(s string, i int) bool {
	const longest = 64 // bytes of a name
	end := run(s[:min(len(s), i+longest)], i, isTokenByte)
	blanks := run(s[:min(len(s), end+longest)], end, isBlank)
	if blanks+1 >= len(s) {
		return false
	}
	if blanks > end+1 && isTokenByte(s[blanks]) || blanks > end && (s[blanks] == '=' || s[blanks] == ':') {
		return true // a column, or a sign with blanks around
	}
	return s[end] == ':' || s[end] == '=' && strings.IndexByte("= \t\r\n\"'`\\,;)", s[end+1]) < 0
}

// endsInWord distinguishes a plain word at the end of a line from a piece of a token.
func endsInWord(line string) bool {
	const least = 3 // letters of a word
	start := back(line, len(line), 0, isLower)
	return len(line)-start >= least && start > 0 && isBlank(line[start-1])
}

func isTokenByte(c byte) bool { return isBase64URL(c) || c == '.' || c == '+' || c == '/' }

// textBreak is a stretch of a text that stands for something else: nothing, or one
// byte.
type textBreak struct {
	span
	with  byte // 0: nothing
	wrap  bool // an end of a line
	doubt bool // it may also part two words
}
