package escape

import "strings"

const (
	maxQuotes = 6  // quotes nested deeper are text
	maxIndent = 24 // columns; lists nested deeper are not
)

// Block escapes markdown of several lines, and writes each block in a form that has one reading
// only: fences and tables at the left margin and closed, headings bold, boxes ☐ and ☑. So what it
// takes for code is code to every reader, and all else is escaped.
func Block(s string) string {
	b := blocks{rest: strings.Trim(Clean(s), "\n")}
	b.out = make([]byte, 0, len(b.rest)+len(b.rest)/16+16)
	for b.more() {
		b.next()
	}
	return string(b.out)
}

// blocks is a text on its way through the block escaper.
type blocks struct {
	rest  string // lines not yet taken
	out   []byte
	gap   bool // a blank line is due before the next text
	depth int  // quotes around the line written last
	list  bool // inside a list
	// margin is the indentation of the fence or table written last, which was
	// moved to the left: what follows it moves along.
	margin int
}

type textLine struct {
	depth  int    // quotes
	indent int    // columns of blanks, a tab filling up to four
	text   string // what follows, without trailing blanks
}

func (b *blocks) more() bool { return b.rest != "" }

func (b *blocks) take() string {
	s, rest, _ := strings.Cut(b.rest, "\n")
	b.rest = rest
	return s
}

func parseLine(s string) textLine {
	var t textLine
	for {
		t.indent = 0
		i := 0
		for ; i < len(s) && (s[i] == ' ' || s[i] == '\t'); i++ {
			if t.indent++; s[i] == '\t' {
				t.indent = (t.indent + 3) / 4 * 4
			}
		}
		s = s[i:]
		if s == "" || s[0] != '>' || t.indent > 3 || t.depth == maxQuotes {
			break
		}
		t.depth++
		s = strings.TrimPrefix(s[1:], " ")
	}
	t.text = strings.TrimRight(s, " \t")
	return t
}

func (b *blocks) next() {
	raw := b.take()
	t := parseLine(raw)
	if t.text != "" && t.depth != b.depth { // another quote: its lists are others
		b.list, b.margin = false, 0
	}
	if t.indent >= b.margin {
		t.indent -= b.margin
	} else if t.text != "" {
		b.margin = 0
	}
	mark, info := fenceMark(t.text)
	columns, aligned := b.tableAhead(t)
	switch {
	case t.text == "":
		b.gap, b.depth = true, min(b.depth, t.depth) // several become one
	case mark != "":
		b.fenced(t, mark, info)
	case t.indent >= 4 && !b.list && (len(b.out) == 0 || b.gap):
		b.indented(raw, t)
	case aligned != "":
		b.table(t, columns, aligned)
	default:
		b.textual(t)
	}
}

// begin starts a line at a depth of quotes; apart: behind a blank line.
func (b *blocks) begin(depth int, apart bool) {
	if len(b.out) > 0 {
		b.out = append(b.out, '\n')
		if b.gap || apart {
			shared := min(b.depth, depth)
			b.out = append(b.out, strings.TrimRight(strings.Repeat("> ", shared), " ")...)
			b.out = append(b.out, '\n')
		}
	}
	b.gap = false
	b.depth = depth
	b.out = append(b.out, strings.Repeat("> ", depth)...)
}

func (b *blocks) indent(columns int) {
	if b.list {
		b.out = append(b.out, strings.Repeat(" ", min(columns, maxIndent))...)
	}
}

func (b *blocks) textual(t textLine) {
	title, isHeading := headingText(t.text)
	marker, item := listMarker(t.text)
	switch {
	case isHeading && title == "":
		b.gap = true
	case isHeading:
		b.list = b.list && t.indent > 0
		b.begin(t.depth, true)
		b.indent(t.indent)
		b.bold(title)
		b.gap = true
	case rule(t.text):
		b.list = false
		b.begin(t.depth, true)
		b.out = append(b.out, "***"...)
		b.gap = true
	case marker != "":
		b.item(t, marker, item)
	default:
		b.list = b.list && (t.indent > 0 || !b.gap)
		b.begin(t.depth, false)
		b.indent(t.indent)
		watch := fieldWatch{}
		if b.list { // Dataview joins the lines of an item
			watch = watchAnywhere()
		}
		b.out = appendLine(b.out, t.text, true, watch)
	}
}

// item writes a list item. A bare marker is escaped: it could make a heading of the line above.
func (b *blocks) item(t textLine, marker, text string) {
	b.begin(t.depth, false)
	box, text := taskBox(text)
	if mark, info := fenceMark(text); mark != "" || box == "" && text == "" {
		b.indent(t.indent)
		b.out = appendInline(b.out, marker, true)
		if mark != "" {
			b.fenced(textLine{depth: t.depth, indent: t.indent + len(marker) + 1}, mark, info)
		}
		return
	}
	b.list = true
	b.indent(t.indent)
	b.out = append(b.out, marker...)
	b.out = append(b.out, ' ')
	b.out = append(b.out, box...)
	if title, ok := headingText(text); ok && title != "" {
		b.bold(title)
		return
	}
	b.out = appendLine(b.out, text, box == "", fieldWatch{})
}

// bold writes the text of a heading inside a transcript.
func (b *blocks) bold(title string) {
	if strings.HasPrefix(title, "**") || strings.HasSuffix(title, "*") {
		b.out = appendInline(b.out, title, true)
		return
	}
	b.out = append(b.out, "**"...)
	b.out = appendInline(b.out, title, false)
	b.out = append(b.out, "**"...)
}
