package chat

import (
	"bytes"
	"strings"
)

// page is the text of an answer while it is put together. Text flows on without a break (a sentence may
// be spread over several parts), blocks are paragraphs of their own.
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
	f, _ := p.open()
	p.apart = p.apart || f.size == 0
}

// rest begins a paragraph, and closes a code block that has something in it: the part it was in is over.
// Behind an empty one an edit may follow.
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
		p.write("\n\n"[min(len(p.buf)-p.end(), 2):])
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

// cut removes the line of a fence and what follows it: a paragraph begins.
func (p *page) cut(at int) {
	p.buf, p.seen, p.fence, p.ticks, p.apart = p.buf[:at], at, fence{}, 0, true
}

// trimBlankLines leaves out blank lines at the start, and a text of blanks.
func trimBlankLines(s string) string {
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			return s
		}
		s = s[len(line):]
	}
	return s
}

// fence is what opens a code block. The zero value is none.
type fence struct {
	char   byte
	size   int
	indent string
}

// maxFence is how many bytes of a line are looked at for a fence.
const maxFence = 1 << 10

// fenceOf reads a line that may open or close a code block; bare tells that nothing follows the fence,
// so that it may close one.
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

// after is the fence that is open behind a line.
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

// open is the fence that is open at the end of the page and where its line starts.
func (p *page) open() (f fence, at int) {
	if at = p.opened; p.fence.size == 0 {
		at = p.seen
	}
	return p.fence.after(p.buf[p.seen:]), at
}

// bare is the line of a code block that was just opened and has nothing in it yet, and where it starts;
// empty: there is none.
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

// closeFence ends an open code block. One that was opened around nothing, without so much as a language, goes.
func (p *page) closeFence() {
	line, _ := p.bare()
	if _, alone := fenceOf([]byte(line)); alone {
		p.takeFence()
	} else if f, _ := p.open(); f.size > 0 {
		if n := len(p.buf); p.buf[n-1] != '\n' {
			p.write("\n")
		}
		p.write(f.indent + strings.Repeat(string(f.char), f.size) + "\n")
	}
	p.apart = true
}

// takeFence removes a bare fence that VS Code wrote around an edit. The one that closes it comes with
// the text behind the edit.
func (p *page) takeFence() {
	if line, at := p.bare(); line != "" {
		p.cut(at)
		p.taken = strings.TrimSpace(line)
	}
}

// closeTaken removes the other half of a fence that was taken away from the start of the text that
// follows. Where that text is code after all, the fence returns.
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
		p.apart = true
		return rest
	}
	for l := range strings.Lines(rest) {
		if opened.after([]byte(l)).size == 0 {
			return line + "\n" + text
		}
	}
	return s
}
