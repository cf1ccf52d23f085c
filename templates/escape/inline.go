package escape

import "strings"

// Inline escapes one line of markdown: code spans, emphasis and web links stay, what would be live
// gets a backslash. It is idempotent, since text is read back from notes.
func Inline(s string) string {
	s = OneLine(s)
	return string(appendInline(make([]byte, 0, len(s)+len(s)/16+8), s, true))
}

// live marks the bytes outside code that may act.
var live = [256]bool{'\\': true, '`': true, '<': true, '%': true, '[': true, ']': true, '!': true,
	'#': true, '^': true, '$': true, '=': true, ':': true, '-': true, firstOfMask: true}

type line struct {
	src   string
	i     int
	out   []byte
	base  int                // where the text starts in out
	first bool               // the text starts a block
	gone  [maxTicks + 1]bool // no run of so many backticks lies ahead
	watch fieldWatch
	read  int // how far watch has read out
}

// appendInline appends clean text. With first, nothing at its start may open a block.
func appendInline(out []byte, s string, first bool) []byte {
	return appendLine(out, s, first, watchAnywhere())
}

// appendLine is [appendInline] with known text before it.
func appendLine(out []byte, s string, first bool, watch fieldWatch) []byte {
	l := line{src: s, out: out, base: len(out), first: first, watch: watch, read: len(out)}
	if first {
		l.escapeStart()
	}
	l.run()
	return l.out
}

func (l *line) run() {
	for l.i < len(l.src) {
		j := l.i
		for j < len(l.src) && !live[l.src[j]] {
			j++
		}
		l.out = append(l.out, l.src[l.i:j]...)
		l.i = j
		if j < len(l.src) {
			l.step(l.src[j])
		}
	}
}

func (l *line) step(c byte) {
	switch c {
	case '\\':
		l.backslash()
	case '`':
		l.codeSpan()
	case '<':
		l.angle()
	case '[':
		if !l.fileLink() {
			l.emit(c, l.acts(c))
		}
	case ']':
		l.closeBracket()
	case ':':
		l.colon()
	case firstOfMask:
		l.mask()
	default:
		l.emit(c, l.acts(c))
	}
}

// mask takes a mask as a whole: it is going to have brackets.
func (l *line) mask() {
	rest := l.src[l.i:]
	n := strings.Index(rest, maskClose)
	if !strings.HasPrefix(rest, maskOpen) || n < 0 {
		l.emit(rest[0], false)
		return
	}
	start := l.atStart()
	n += len(maskClose)
	l.partFromBracket()
	l.out, l.i = append(l.out, rest[:n]...), l.i+n
	if c := l.peek(0); c == '(' || c == '[' || c == ':' && start {
		l.emit(c, true)
	}
}

func (l *line) partFromBracket() {
	if l.last() == '[' && strings.HasPrefix(l.src[l.i:], maskOpen) {
		l.out = append(l.out, '\\')
	}
}

func bracketAt(s string, i int) bool {
	return i < len(s) && (s[i] == '[' || strings.HasPrefix(s[i:], maskOpen))
}

func (l *line) acts(c byte) bool {
	next := l.peek(1)
	switch c {
	case '%': // comments, and Templater's "<%"
		return l.last() == '%' || l.last() == '<'
	case '[': // links, footnotes; boxes, callouts and definitions at the start
		return l.last() == '[' || bracketAt(l.src, l.i+1) || next == '^' || l.atStart() && !opensWebLink(l.src[l.i:])
	case '!': // images and embeds
		return bracketAt(l.src, l.i+1)
	case '#':
		return l.atStart() && isHeading(l.src) || !isAlpha(l.last()) && !isDigit(l.last()) && startsTag(l.src[l.i+1:])
	case '^': // inline footnotes and block ids
		return bracketAt(l.src, l.i+1) || (isWord(next) || next == '-') && (len(l.out) == l.base || l.last() == ' ' || l.last() == '\t')
	case '-':
		return len(l.out) > l.base && inTaskDate(string(l.out[max(0, len(l.out)-dateSpan):]), l.src[l.i:])
	case '=': // highlights and underlines of headings
		return l.last() == '=' || l.atStart()
	}
	return true // '$', formulas
}

func (l *line) emit(c byte, escape bool) {
	if escape {
		l.out = append(l.out, '\\')
	}
	l.out = append(l.out, c)
	l.i++
}

// backslash copies an escape; one that ends the text is made literal.
func (l *line) backslash() {
	next := l.peek(1)
	switch {
	case l.i+1 == len(l.src):
		l.emit('\\', true)
	case next == ':' && strings.HasPrefix(l.src[l.i+2:], "//"): // an address to who skips the escape
		l.out = append(l.out, `\:\/`...)
		l.i += 3
	case isPunct(next):
		l.out = append(l.out, '\\', next)
		l.i += 2
	default:
		l.emit('\\', false)
	}
}

func (l *line) angle() {
	if n := angleLinkLen(l.src[l.i:]); n > 0 {
		l.out = append(l.out, '<')
		l.out = appendAddress(l.out, l.src[l.i+1:l.i+n-1])
		l.out = append(l.out, '>')
		l.i += n
		return
	}
	next := l.peek(1)
	l.emit('<', isAlpha(next) || next == '/' || next == '!' || next == '?' || next == 0 || opensMail(l.src[l.i+1:]))
}

// opensMail reports whether s, behind a "<", starts with a mail address.
func opensMail(s string) bool {
	n := 0
	for n < len(s) && (isAlpha(s[n]) || isDigit(s[n]) || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", s[n]) >= 0) {
		n++
	}
	return n > 0 && n < len(s) && s[n] == '@'
}

// closeBracket takes a "]": behind it only a web address makes a link.
func (l *line) closeBracket() {
	if l.peek(1) != '(' {
		l.emit(']', false)
		return
	}
	address, n := destination(l.src[l.i+1:])
	if n == 0 {
		l.out = append(l.out, "]\\("...)
		l.i += 2
		return
	}
	l.out = append(l.out, "]("...)
	l.out = appendAddress(l.out, address)
	l.out = append(l.out, ')')
	l.i += 1 + n
}

// colon takes a ":": "::" would be a field of Dataview, "://" an address.
func (l *line) colon() {
	if !strings.HasPrefix(l.src[l.i:], "://") {
		l.emit(':', l.last() == ':')
		return
	}
	if l.last() == ':' || !endsWithWebScheme(l.out[l.base:]) {
		l.emit(':', l.last() == ':')
		l.out = append(l.out, `\/`...)
		l.i++
		return
	}
	rest := l.src[l.i+3:]
	n := bareAddressLen(rest)
	l.out = append(l.out, "://"...)
	l.out = appendAddress(l.out, rest[:n])
	l.i += 3 + n
}

// peek returns the byte n behind the current one, 0 at the end.
func (l *line) peek(n int) byte {
	if l.i+n < len(l.src) {
		return l.src[l.i+n]
	}
	return 0
}

func (l *line) last() byte {
	if len(l.out) > l.base {
		return l.out[len(l.out)-1]
	}
	return 0
}

func (l *line) atStart() bool { return l.first && len(l.out) == l.base }

// escapeStart keeps the start of the text from opening a block; see [line.acts], too.
func (l *line) escapeStart() {
	s := l.src
	if s == "" {
		return
	}
	switch c := s[0]; {
	case isDigit(c):
		n := span(s, '0', '9')
		if n <= 9 && n < len(s) && (s[n] == '.' || s[n] == ')') && endsMarker(s[n+1:]) {
			l.out = append(l.out, s[:n]...)
			l.i = n
			l.emit(s[n], true)
		}
	case c == '>',
		c == '~' && strings.HasPrefix(s, "~~~"),
		(c == '-' || c == '+' || c == '*') && endsMarker(s[1:]),
		(c == '-' || c == '*' || c == '_') && strings.Trim(s, " "+s[:1]) == "",
		delimiterRow(s):
		l.emit(c, true)
	}
}
