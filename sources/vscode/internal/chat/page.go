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

	looked int    // up to here line ends were looked for
	seen   int    // start of the first line that fences do not know yet
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

// block appends a paragraph, a list, … of its own. A fence just before it was
// opened around nothing but it, and goes.
func (p *page) block(s string) {
	if p.lone() {
		p.takeFence()
	} else if f, _ := p.open(); f.size > 0 {
		p.closeFence(f)
	}
	p.apart = true
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
// part it was in is over.
func (p *page) rest() {
	f, _ := p.open()
	if f.size > 0 {
		if p.bare() {
			return // an edit may follow
		}
		p.closeFence(f)
	}
	p.apart = true
}

// here is the offset at which a call stands that is made now.
func (p *page) here() int {
	if p.bare() {
		_, at := p.open()
		return at
	}
	return len(p.buf)
}

// end is where the text ends, blank lines apart.
func (p *page) end() int { return len(bytes.TrimRight(p.buf, "\n")) }

// label names the file of a code block that was just opened.
func (p *page) label(name string) {
	if name = oneLine(name); name == "" || !p.bare() {
		return
	}
	fence := p.cutFence()
	p.apart = true
	p.put(codeSpan(name) + ":")
	p.apart = true
	p.put(fence)
}

// String ends the page.
func (p *page) String() string {
	if p.lone() {
		p.cutFence()
	} else if f, _ := p.open(); f.size > 0 {
		p.closeFence(f)
	}
	return strings.TrimRight(string(p.buf), " \t\r\n")
}

// put appends, after a blank line where a paragraph begins.
func (p *page) put(s string) {
	if p.apart || len(p.buf) == 0 {
		if s = trimBlankLines(s); s == "" {
			return
		}
	}
	if s == "" {
		return
	}
	if p.apart && len(p.buf) > 0 {
		n := len(p.buf) - len(bytes.TrimRight(p.buf, "\n"))
		p.buf = append(p.buf, "\n\n"[:max(2-n, 0)]...)
		p.ticks = 0
	}
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		p.ticks = strings.Count(s[i:], "`")
	} else {
		p.ticks += strings.Count(s, "`")
	}
	p.apart, p.span = false, false
	p.buf = append(p.buf, s...)
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
