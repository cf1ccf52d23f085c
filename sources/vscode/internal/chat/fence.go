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

// maxFence is how many bytes of a line are looked at for a fence.
const maxFence = 1 << 10

// fenceOf reads a line that may open or close a code block; bare tells that
// nothing follows the fence, so that it may close one.
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
func (p *page) open() (fence, int) {
	if p.fence.size == 0 {
		return p.fence.after(p.buf[p.seen:]), p.seen
	}
	return p.fence.after(p.buf[p.seen:]), p.opened
}

// bare is the line of a code block that was just opened and has nothing in it yet,
// and where it starts; empty: there is none.
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

// closeFence ends an open code block. One that was opened around nothing, without
// so much as a language, goes.
func (p *page) closeFence() {
	line, at := p.bare()
	if _, alone := fenceOf([]byte(line)); alone {
		p.cut(at)
		p.taken = strings.TrimSpace(line)
	} else if f, _ := p.open(); f.size > 0 {
		if n := len(p.buf); p.buf[n-1] != '\n' {
			p.write("\n")
		}
		p.write(f.indent + strings.Repeat(string(f.char), f.size) + "\n")
	}
	p.apart = true
}

// takeFence removes a bare fence that VS Code wrote around an edit. The one that
// closes it comes with the text behind the edit.
func (p *page) takeFence() {
	if line, at := p.bare(); line != "" {
		p.cut(at)
		p.taken = strings.TrimSpace(line)
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
	opened, _ := fenceOf([]byte(p.taken))
	line := p.taken
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
