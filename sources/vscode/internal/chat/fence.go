package chat

import (
	"bytes"
	"strings"
)

// fence is what opens a code block. The zero value is none.
type fence struct {
	char   byte
	size   int
	indent string
}

// fenceOf reads a line that may open or close a code block; bare tells that
// nothing follows the fence, so that it may close one.
func fenceOf(line string) (f fence, bare bool) {
	text := strings.TrimLeft(line, " \t")
	if text == "" || text[0] != '`' && text[0] != '~' {
		return fence{}, false
	}
	info := strings.TrimLeft(text, text[:1])
	size := len(text) - len(info)
	if size < 3 || text[0] == '`' && strings.Contains(info, "`") {
		return fence{}, false
	}
	return fence{char: text[0], size: size, indent: line[:len(line)-len(text)]}, strings.TrimSpace(info) == ""
}

// after is the fence that is open behind a line.
func (f fence) after(line string) fence {
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
func (p *page) open() (fence, int) {
	for {
		from := max(p.looked, p.seen)
		i := bytes.IndexByte(p.buf[from:], '\n')
		if i < 0 {
			p.looked = len(p.buf)
			break
		}
		end := from + i
		if p.fence.size == 0 {
			p.opened = p.seen
		}
		p.fence = p.fence.behind(p.buf[p.seen:end])
		p.seen = end + 1
	}
	if p.fence.size == 0 {
		return p.fence.behind(p.buf[p.seen:]), p.seen
	}
	return p.fence.behind(p.buf[p.seen:]), p.opened
}

// maxFence is how many bytes of a line are looked at for a fence.
const maxFence = 1 << 10

// behind is [fence.after] for a line that may be long and is hardly ever a fence.
func (f fence) behind(line []byte) fence {
	line = line[:min(len(line), maxFence)]
	if c := bytes.TrimLeft(line, " \t"); len(c) < 3 || c[0] != '`' && c[0] != '~' {
		return f
	}
	return f.after(string(line))
}

// bare tells that the page ends with a code block that was opened and has nothing
// in it yet.
func (p *page) bare() bool {
	f, at := p.open()
	if f.size == 0 || len(p.buf)-at > 2*maxFence {
		return false
	}
	line, inside, _ := bytes.Cut(p.buf[at:], []byte("\n"))
	return len(bytes.Fields(line)) == 1 && len(bytes.TrimSpace(inside)) == 0
}

// lone tells that the page ends with a fence and no more, not even a language.
func (p *page) lone() bool {
	if !p.bare() {
		return false
	}
	_, at := p.open()
	_, bare := fenceOf(string(p.buf[at:]))
	return bare
}

// cutFence removes the line of a bare fence and returns it.
func (p *page) cutFence() string {
	_, at := p.open()
	line := string(p.buf[at:])
	p.buf, p.seen, p.looked, p.fence, p.ticks = p.buf[:at], min(p.seen, at), min(p.looked, at), fence{}, 0
	return line
}

// takeFence removes a bare fence that VS Code wrote around an edit. The one that
// closes it comes with the text behind the edit.
func (p *page) takeFence() {
	if p.bare() {
		p.taken = strings.TrimSpace(p.cutFence())
		p.apart = true
	}
}

// closeTaken removes the other half of a fence that was taken away from the start
// of the text that follows. Where that text is code after all, the fence returns.
func (p *page) closeTaken(s string) string {
	text := trimBlankLines(s)
	if text == "" {
		return ""
	}
	first, rest, _ := strings.Cut(text, "\n")
	opened, _ := fenceOf(p.taken)
	line := p.taken
	p.taken = ""
	if f, bare := fenceOf(first); f.size > 0 {
		if !bare {
			return s // the start of another one
		}
		p.apart = true
		return rest
	}
	for l := range strings.Lines(rest) {
		if opened.after(l).size == 0 {
			return line + "\n" + text
		}
	}
	return s
}

// closeFence ends an open code block.
func (p *page) closeFence(f fence) {
	if n := len(p.buf); n > 0 && p.buf[n-1] != '\n' {
		p.buf = append(p.buf, '\n')
	}
	p.buf = append(p.buf, f.indent+strings.Repeat(string(f.char), f.size)+"\n"...)
	p.ticks = 0
}
