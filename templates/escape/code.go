package escape

import "strings"

// maxTicks is the longest delimiter that is taken for a code span.
const maxTicks = 32

// codeSpan copies a code span; a run without its counterpart is escaped.
func (l *line) codeSpan() {
	n := span(l.src[l.i:], '`', '`')
	end := -1
	if n <= maxTicks && !l.gone[n] {
		end = closingTicks(l.src, l.i+n, n)
		l.gone[n] = end < 0
	}
	if end >= 0 && (evaluated(l.src[l.i+n:end]) || datesTask(l.src[l.i+n:end]) || l.holdsField(l.src[l.i:end])) {
		l.literal(end + n)
		return
	}
	if end < 0 {
		for range n {
			l.emit('`', true)
		}
		return
	}
	l.out = append(l.out, l.src[l.i:l.i+n]...)
	l.out = appendDefused(l.out, l.src[l.i+n:end])
	l.out = append(l.out, l.src[l.i:l.i+n]...)
	l.i = end + n
}

// holdsField reports whether code would have a field of Dataview at this place.
func (l *line) holdsField(code string) bool {
	if !strings.Contains(code, "::") {
		return false
	}
	l.watch.pass(string(l.out[l.read:]))
	l.read = len(l.out)
	return l.watch.reveals(code)
}

// literal writes code up to an offset as text that reads the same.
func (l *line) literal(end int) {
	for l.i < end {
		c, next := l.src[l.i], l.peek(1)
		acts := false
		switch c {
		case '`', '*', '$':
			acts = true
		case '\\':
			acts = next == 0 || isPunct(next)
		case '_':
			acts = !isWord(l.last()) || !isWord(next)
		case '~':
			acts = next == c || l.last() == c
		case '&':
			acts = next == '#' || isAlpha(next)
		case '<':
			acts = isAlpha(next) || next == '/' || next == '!' || next == '?'
		case ']':
			acts = next == '('
		case '(':
			acts = strings.HasSuffix(string(l.out[max(l.base, len(l.out)-len(maskClose)):]), maskClose)
		case firstOfMask:
			l.partFromBracket()
		case ':':
			acts = l.last() == c
		case '[', '!', '#', '^', '%', '=', '-':
			acts = l.acts(c)
		}
		l.emit(c, acts)
		if c == ':' && strings.HasPrefix(l.src[l.i:], "//") {
			l.out = append(l.out, '\\')
		}
	}
}

// closingTicks finds the run of exactly n backticks, or -1.
func closingTicks(s string, i, n int) int {
	for {
		j := strings.IndexByte(s[i:], '`')
		if j < 0 {
			return -1
		}
		i += j
		run := span(s[i:], '`', '`')
		if run == n {
			return i
		}
		i += run
	}
}

// Code escapes text into a code span; what a plugin would evaluate becomes plain text.
func Code(s string) string {
	s = OneLine(s)
	if s == "" {
		return ""
	}
	if evaluated(s) || datesTask(s) || watchAnywhere().reveals("`"+s) {
		l := line{src: "`" + s + "`"}
		l.literal(len(l.src))
		return string(l.out)
	}
	s = string(appendDefused(nil, s))
	mark := strings.Repeat("`", longestRun(s, '`')+1)
	if len(mark) > maxTicks {
		return Inline(s)
	}
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return mark + s + mark
}

// fenced writes the fence that t opens, up to its end or that of its quote.
func (b *blocks) fenced(t textLine, mark, info string) {
	var body strings.Builder
	for n := 0; b.more(); n++ {
		raw, _, _ := strings.Cut(b.rest, "\n")
		inner, ok := unquote(raw, t.depth)
		if !ok {
			break
		}
		b.take()
		if p := strings.TrimSpace(inner); strings.HasPrefix(p, mark) && strings.Trim(p, mark[:1]) == "" {
			break
		}
		if n > 0 {
			body.WriteByte('\n')
		}
		body.WriteString(dedent(inner, t.indent+b.margin))
	}
	b.code(t, language(info), body.String())
}

func (b *blocks) indented(first string, t textLine) {
	inner, _ := unquote(first, t.depth)
	var body strings.Builder
	body.WriteString(dedent(inner, 4+b.margin))
	blank := 0
	for b.more() {
		raw, _, _ := strings.Cut(b.rest, "\n")
		p := parseLine(raw)
		if p.text != "" && (p.depth != t.depth || p.indent < 4+b.margin) {
			break
		}
		b.take()
		if p.text == "" {
			blank++
			continue
		}
		body.WriteString(strings.Repeat("\n", blank+1))
		blank = 0
		inner, _ = unquote(raw, t.depth)
		body.WriteString(dedent(inner, 4+b.margin))
	}
	b.code(textLine{depth: t.depth}, "", body.String())
}

func (b *blocks) code(t textLine, info, body string) {
	b.begin(t.depth, true)
	b.out = b.out[:len(b.out)-2*t.depth]
	b.out = appendFence(b.out, info, body, strings.Repeat("> ", t.depth))
	b.gap = true
	b.margin += t.indent
}

// unquote removes depth quote marks, false if there are fewer.
func unquote(s string, depth int) (rest string, ok bool) {
	for range depth {
		t := strings.TrimLeft(s, " ")
		if len(s)-len(t) > 3 || t == "" || t[0] != '>' {
			return s, false
		}
		s = strings.TrimPrefix(t[1:], " ")
	}
	return s, true
}

func dedent(s string, n int) string {
	for n > 0 && s != "" {
		switch s[0] {
		case ' ':
			n--
		case '\t':
			n -= 4
		default:
			return s
		}
		s = s[1:]
	}
	return s
}

// CloseFence closes a fence that a cut left open.
func CloseFence(s string) string {
	open := ""
	for text := range strings.SplitSeq(s, "\n") {
		t := parseLine(text)
		mark, _ := fenceMark(t.text)
		switch {
		case open == "":
			open = mark
		case strings.HasPrefix(t.text, open) && strings.Trim(t.text, open[:1]) == "":
			open = ""
		}
	}
	if open == "" {
		return s
	}
	return s + "\n" + open
}
