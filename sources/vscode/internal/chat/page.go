package chat

import (
	"bytes"
	"strings"
)

// page is the text of an answer while it is put together. Text flows on without
// a break (a sentence may be spread over several parts), blocks are paragraphs of
// their own.
type page struct {
	buf   []byte
	apart bool // what follows begins a paragraph
	span  bool // a code span of ours ends the text
	ticks int  // backticks on the last line

	seen   int    // start of the last line
	fence  fence  // that is open at seen
	opened int    // where the line that opened it starts
	taken  string // line of a fence that was taken away: the one that closes it is to go too
}

// text appends text that flows on.
func (p *page) text(s string) {
	if p.taken != "" {
		s = p.closeTaken(s)
	}
	if p.span && !p.apart && strings.HasPrefix(s, "`") && !strings.HasPrefix(s, "```") {
		p.put(" ") // two spans side by side would be one
	}
	p.put(s)
}

// code appends a name that flows on, as a code span where it is not in code.
func (p *page) code(name string) {
	if name = oneLine(name); name == "" {
		return
	}
	switch f, _ := p.open(); {
	case f.size > 0, !p.apart && p.ticks%2 == 1:
		p.put(name)
		return
	case !p.apart && bytes.HasSuffix(p.buf, []byte("`")):
		p.put(" ")
	}
	p.put(codeSpan(name))
	p.span = true
}

// block appends a paragraph, a list, … of its own.
func (p *page) block(s string) {
	p.closeFence()
	p.put(strings.TrimRight(s, " \t\r\n"))
	p.rest()
}

// pause begins a paragraph unless a code block is open.
func (p *page) pause() {
	if f, _ := p.open(); f.size == 0 {
		p.apart = true
	}
}

// rest begins a paragraph, and closes a code block that has something in it: the
// part it was in is over. Behind an empty one an edit may follow.
func (p *page) rest() {
	if line, _ := p.bare(); line == "" {
		p.closeFence()
	}
}

// here is the offset at which a call stands that is made now.
func (p *page) here() int {
	if line, at := p.bare(); line != "" {
		return at
	}
	return len(p.buf)
}

// end is where the text ends, blank lines apart.
func (p *page) end() int { return len(bytes.TrimRight(p.buf, "\n")) }

// label names the file of a code block that was just opened.
func (p *page) label(name string) {
	line, at := p.bare()
	if name = oneLine(name); name == "" || line == "" {
		return
	}
	p.cut(at)
	p.apart = true
	p.put(codeSpan(name) + ":")
	p.apart = true
	p.put(line + "\n")
}

// String ends the page.
func (p *page) String() string {
	p.closeFence()
	return strings.TrimRight(string(p.buf), " \t\r\n")
}

// put appends, after a blank line where a paragraph begins.
func (p *page) put(s string) {
	if p.apart || len(p.buf) == 0 {
		s = trimBlankLines(s)
	}
	if s == "" {
		return
	}
	if p.apart && len(p.buf) > 0 {
		n := len(p.buf) - len(bytes.TrimRight(p.buf, "\n"))
		p.write("\n\n"[:max(2-n, 0)])
	}
	p.apart, p.span = false, false
	p.write(s)
}

// write appends as it is.
func (p *page) write(s string) {
	from := len(p.buf)
	p.buf = append(p.buf, s...)
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

// cut removes the line of a fence and what follows it.
func (p *page) cut(at int) {
	p.buf, p.seen, p.fence, p.ticks = p.buf[:at], at, fence{}, 0
}

// trimBlankLines leaves out blank lines at the start, and a text of blanks.
func trimBlankLines(s string) string {
	for {
		line, rest, more := strings.Cut(s, "\n")
		if strings.TrimSpace(line) != "" {
			return s
		}
		if !more {
			return ""
		}
		s = rest
	}
}
