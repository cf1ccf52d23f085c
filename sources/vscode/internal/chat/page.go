package chat

import (
	"bytes"
	"strings"
)

// page holds the joined text of an answer (a sentence may be spread over several parts), up to the next
// paragraph, call or end.
type page struct {
	buf   []byte
	span  bool   // a generated code span ends it
	taken string // line of a removed fence, whose closing one is removed too

	seen   int   // start of the last line
	ticks  int   // backticks on it
	fence  fence // fence that is open at seen
	opened int   // start of the line that opened it
}

func (p *page) text(s string) {
	if p.taken != "" {
		s = p.closeTaken(s)
	}
	if p.span && strings.HasPrefix(s, "`") && !strings.HasPrefix(s, "```") {
		p.write(" ") // two adjacent spans would be one
	}
	p.write(s)
}

// code appends a name, as a code span unless it is in code.
func (p *page) code(name string) {
	if name = oneLine(name); name == "" {
		return
	}
	if f, _ := p.open(); f.size > 0 || p.ticks%2 == 1 {
		p.write(name)
		return
	}
	if bytes.HasSuffix(p.buf, []byte("`")) {
		p.write(" ")
	}
	p.write(codeSpan(name))
	p.span = true
}

func (p *page) write(s string) {
	from := len(p.buf)
	p.buf, p.span = append(p.buf, s...), p.span && s == ""
	for i := bytes.IndexByte(p.buf[from:], '\n'); i >= 0; i = bytes.IndexByte(p.buf[from:], '\n') {
		if p.fence.size == 0 {
			p.opened = p.seen
		}
		p.fence = p.fence.after(p.buf[p.seen : from+i])
		from += i + 1
		p.seen, p.ticks = from, 0
	}
	p.ticks += bytes.Count(p.buf[from:], []byte("`"))
}

// end returns the text, and begins again. A code block with content is closed. An empty one is removed: VS
// Code writes them around edits, and the closing fence comes with the text after the edit.
func (p *page) end() string {
	if line, at := p.bare(); line != "" {
		p.buf, p.taken = p.buf[:at], strings.TrimSpace(line)
	} else if f, _ := p.open(); f.size > 0 {
		p.buf = append(bytes.TrimSuffix(p.buf, []byte("\n")), "\n"+f.indent+strings.Repeat(string(f.char), f.size)...)
	}
	text := trimBlankLines(string(p.buf))
	*p = page{buf: p.buf[:0], taken: p.taken}
	return text
}

// trimBlankLines removes blank lines at the start; a blank text becomes "".
func trimBlankLines(s string) string {
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			return s
		}
		s = s[len(line):]
	}
	return s
}

// fence opens a code block. The zero value means none.
type fence struct {
	char   byte
	size   int
	indent string
}

// maxFence limits the bytes of a line that are searched for a fence.
const maxFence = 1 << 10

// fenceOf reads a line that may open or close a code block; bare: nothing follows, so that it may close one.
func fenceOf(line []byte) (f fence, bare bool) {
	line = line[:min(len(line), maxFence)]
	text := bytes.TrimLeft(line, " \t")
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return fence{}, false
	}
	info := bytes.TrimLeft(text, string(text[:1]))
	size := len(text) - len(info)
	if size < 3 || text[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return fence{}, false
	}
	return fence{char: text[0], size: size, indent: string(line[:len(line)-len(text)])}, len(bytes.TrimSpace(info)) == 0
}

// after returns the fence that is open after a line.
func (f fence) after(line []byte) fence {
	next, bare := fenceOf(line)
	switch {
	case f.size == 0:
		return next
	case bare && next.char == f.char && next.size >= f.size:
		return fence{}
	}
	return f
}

// open returns the fence that is open at the end of the page, and the start of its line.
func (p *page) open() (f fence, at int) {
	if at = p.opened; p.fence.size == 0 {
		at = p.seen
	}
	return p.fence.after(p.buf[p.seen:]), at
}

// bare returns the line that opens a still empty code block, and its start; "" for none.
func (p *page) bare() (line string, at int) {
	f, at := p.open()
	if f.size == 0 || len(p.buf)-at > 2*maxFence {
		return "", at
	}
	first, inside, _ := bytes.Cut(p.buf[at:], []byte("\n"))
	if len(bytes.Fields(first)) != 1 || len(bytes.TrimSpace(inside)) > 0 {
		return "", at
	}
	return string(first), at
}

// closeTaken removes the closing half of a removed fence from the start of the following text. If that text
// is code after all, the fence returns.
func (p *page) closeTaken(s string) string {
	text := trimBlankLines(s)
	if text == "" {
		return ""
	}
	first, rest, _ := strings.Cut(text, "\n")
	line := p.taken
	opened, _ := fenceOf([]byte(line))
	p.taken = ""
	if f, bare := fenceOf([]byte(first)); f.size > 0 {
		if !bare {
			return s // the start of another one
		}
		return rest
	}
	for l := range strings.Lines(rest) {
		if opened.after([]byte(l)).size == 0 {
			return line + "\n" + text
		}
	}
	return s
}
