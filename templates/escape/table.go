package escape

import "strings"

// tableAhead reads the delimiter row to write, "" where t is no head of a table.
func (b *blocks) tableAhead(t textLine) (columns int, delimiter string) {
	if strings.IndexByte(t.text, '|') < 0 || b.rest == "" || t.indent >= 4 && !b.list {
		return 0, ""
	}
	raw, _, _ := strings.Cut(b.rest, "\n")
	p := parseLine(raw)
	if p.depth != t.depth || !delimiterRow(p.text) || strings.IndexByte(p.text, '|') < 0 {
		return 0, ""
	}
	if marker, _ := listMarker(t.text); marker != "" {
		return 0, ""
	}
	aligns := cells(p.text)
	if len(aligns) != len(cells(t.text)) {
		return 0, ""
	}
	var d strings.Builder
	for _, a := range aligns {
		d.WriteByte('|')
		if strings.HasPrefix(a, ":") {
			d.WriteByte(':')
		}
		d.WriteString("---")
		if len(a) > 1 && strings.HasSuffix(a, ":") {
			d.WriteByte(':')
		}
		if strings.Trim(a, "-:") != "" || strings.IndexByte(a, '-') < 0 {
			return 0, "" // "- -" or an empty cell is no column
		}
	}
	d.WriteByte('|')
	return len(aligns), d.String()
}

// table writes a table, as long as lines with a bar follow.
func (b *blocks) table(t textLine, columns int, delimiter string) {
	b.begin(t.depth, true)
	b.row(t.text, columns)
	b.take()
	b.begin(t.depth, false)
	b.out = append(b.out, delimiter...)
	for b.more() {
		raw, _, _ := strings.Cut(b.rest, "\n")
		p := parseLine(raw)
		if p.depth != t.depth || strings.IndexByte(p.text, '|') < 0 {
			break
		}
		if mark, _ := fenceMark(p.text); mark != "" {
			break
		}
		b.take()
		b.begin(t.depth, false)
		b.row(p.text, columns)
	}
	b.gap = true
	b.margin += t.indent
}

// row escapes cells one by one. Those without a column go into the last one.
func (b *blocks) row(s string, columns int) {
	list := cells(s)
	if len(list) > columns {
		list = append(list[:columns-1], strings.Join(list[columns-1:], " | "))
	}
	for _, c := range list {
		b.out = append(b.out, "| "...)
		b.out = append(b.out, escapeBars(string(appendInline(nil, c, true)))...)
		b.out = append(b.out, ' ')
	}
	b.out = append(b.out, '|')
}

func cells(s string) []string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "|")
	var list []string
	from, escaped := 0, false
	for i := range len(s) {
		if s[i] == '|' && !escaped {
			list = append(list, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
		escaped = s[i] == '\\' && !escaped
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" || from == 0 {
		list = append(list, rest)
	}
	return list
}

// escapeBars puts a backslash before every bar that has none, in code too.
func escapeBars(s string) string {
	if strings.IndexByte(s, '|') < 0 {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	escaped := false
	for i := range len(s) {
		if s[i] == '|' && !escaped {
			out = append(out, '\\')
		}
		escaped = s[i] == '\\' && !escaped
		out = append(out, s[i])
	}
	return string(out)
}
