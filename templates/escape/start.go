package escape

import "strings"

// escapeStart writes the backslash that keeps the start of the text from opening
// a block. Brackets, "#" and "=" are seen to by [line.acts].
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
