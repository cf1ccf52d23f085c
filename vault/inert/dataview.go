package inert

import (
	"regexp"
	"strings"
	"unicode"
)

// maxFieldLine is how far Dataview looks for fields in a line outside of lists.
const maxFieldLine = 32768

// fields looks for fields as Dataview does: in lines, code too, and joined items.
func (p *page) fields() {
	for i, from := range p.starts {
		to := len(p.src)
		if i+1 < len(p.starts) {
			to = p.starts[i+1] - 1
		}
		if to-from <= 4*maxFieldLine {
			p.field(p.src[from:to], from)
		}
	}
	for _, s := range p.items {
		var text strings.Builder
		for i, line := range strings.Split(p.src[s.from:s.to], "\n") {
			if i > 0 {
				line = " " + strings.TrimSpace(line)
			}
			text.WriteString(line)
		}
		p.field(text.String(), s.from)
		if taskDate.MatchString(text.String()) {
			p.report(kindField, s.from)
		}
	}
}

// taskDate is when a task is due, begun or done, in the signs of Tasks.
var taskDate = regexp.MustCompile("[\u2795\U0001F6EB\u23F3\u231B\U0001F4C5\U0001F4C6\U0001F5D3\uFE0F\u2705]\\s*[0-9]{4}-[0-9]{2}-[0-9]{2}")

// field reports "[key:: value]", "(key:: value)", or a whole line "key:: value".
func (p *page) field(line string, at int) {
	first := strings.Index(line, "::")
	if first < 0 {
		return
	}
	if wholeLineKey(line[:first]) {
		p.report(kindField, at)
		return
	}
	closed := closings(line)
	open := -1 // the bracket that stands nearest, if it opens and has no field yet
	for i := range len(line) {
		switch c := line[i]; {
		case c == '[' || c == '(':
			open = i
		case c == ']' || c == ')':
			open = -1
		case c == ':' && open >= 0 && strings.HasPrefix(line[i:], "::"):
			if strings.TrimSpace(line[open+1:i]) != "" && closed(line[open], i+2) {
				p.report(kindField, min(at+open, len(p.src)-1))
				return
			}
			open = -1
		}
	}
}

// closings reports whether an open bracket is closed behind an offset.
func closings(line string) func(open byte, from int) bool {
	round, square := make([]bool, len(line)+1), make([]bool, len(line)+1)
	var rounds, squares int // closing brackets ahead without an opening one
	for i := len(line) - 1; i >= 0; i-- {
		switch c := line[i]; {
		case strings.IndexByte("()[]", c) < 0 || escaped(line, i):
		case c == ')':
			rounds++
		case c == '(':
			rounds = max(0, rounds-1)
		case c == ']':
			squares++
		case c == '[':
			squares = max(0, squares-1)
		}
		round[i], square[i] = rounds > 0, squares > 0
	}
	return func(open byte, from int) bool {
		if open == '(' {
			return round[from]
		}
		return square[from]
	}
}

// escaped reports whether s[i] follows an odd number of backslashes.
func escaped(s string, i int) bool {
	n := 0
	for n < i && s[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// wholeLineKey reports whether the text before "::" makes the line a field.
func wholeLineKey(s string) bool {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && (r < '0' || r > '9') })
	s = strings.TrimRight(strings.TrimSpace(s), "_*~`")
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !keyRune(r) }) < 0
}

// keyRune reports whether a key may contain r, emoji included.
func keyRune(r rune) bool {
	return r >= 0x80 || r == '_' || r == '-' || r == '/' || r == ' ' || r == '\t' || unicode.IsLetter(r) || r >= '0' && r <= '9'
}
