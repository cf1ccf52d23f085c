package escape

import "strings"

// fenced writes the fence that t opens. It ends at its closing line, where its
// Quote ends, or with the text.
func (b *blocks) fenced(t textLine, mark, info string) {
	var body strings.Builder
	for n := 0; b.more(); n++ {
		raw := b.rest
		if i := strings.IndexByte(raw, '\n'); i >= 0 {
			raw = raw[:i]
		}
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

// indented writes a block of indented code as a fence.
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

// Code writes a fence at the left margin of its quote.
func (b *blocks) code(t textLine, info, body string) {
	b.begin(t.depth, true)
	b.out = b.out[:len(b.out)-2*t.depth]
	b.out = appendFence(b.out, info, body, strings.Repeat("> ", t.depth))
	b.gap = true
	b.margin += t.indent
}

// unquote removes depth quote marks from the start of s; ok is false where there
// are fewer.
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

// dedent removes up to n columns of blanks from the start of s.
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

// CloseFence closes a fence that a cut left open, so that what is written behind
// it is no code.
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
