package note

import (
	"net/url"
	"path"
	"strings"
)

// Link is a link or an embed as it stands in a note.
type Link struct {
	To   string // path from the vault's root as written; empty: the note itself
	Near string // of a markdown link: its path from the folder of the note, which goes first
	Part string // behind "#": headings, "^block", or the view of a base
	Line int    // from 1
}

// eachLink visits the links of a markdown text in the order they stand there:
// wikilinks, embeds, and markdown links that lead to a file. What stands in
// code, in a comment or behind a backslash is no link. at is the path of the
// note from the vault's root and first the number of the text's first line.
func eachLink(text, at string, first int, visit func(Link)) {
	var code fencing
	number := first - 1
	for line := range strings.Lines(text) {
		number++
		if code.holds(line) {
			continue
		}
		p := linkLine{rest: line, at: at}
		for l, ok := p.next(); ok; l, ok = p.next() {
			l.Line = number
			visit(l)
		}
	}
}

// fencing follows a text line by line through its fenced code.
type fencing struct {
	fence string // run of the open fence, empty outside of one
	depth int    // quotes around it
}

// holds takes the next line and says whether it belongs to fenced code.
func (f *fencing) holds(line string) bool {
	depth, text := unquoteLine(line)
	if f.fence != "" && depth >= f.depth {
		if strings.HasPrefix(text, f.fence) && strings.Trim(text, f.fence[:1]) == "" {
			f.fence = ""
		}
		return true
	}
	f.fence = "" // a fence ends with the quote it stands in
	text = unlisted(text)
	if text == "" || text[0] != '`' && text[0] != '~' {
		return false
	}
	f.fence, f.depth = openFence(text), depth
	return f.fence != ""
}

// unquoteLine takes the marks of quotes and the blanks off a line.
func unquoteLine(line string) (depth int, text string) {
	text = strings.TrimSpace(line)
	for strings.HasPrefix(text, ">") {
		depth++
		text = strings.TrimSpace(text[1:])
	}
	return depth, text
}

// unlisted takes the mark of a list item off a line, behind which fenced code
// may begin.
func unlisted(text string) string {
	rest := strings.TrimLeft(text, "0123456789")
	marks := ".)"
	if len(rest) == len(text) {
		marks = "-*+"
	}
	if len(rest) < 2 || strings.IndexByte(marks, rest[0]) < 0 || rest[1] != ' ' {
		return text
	}
	return strings.TrimSpace(rest[1:])
}

// linkLine finds the links of one line.
type linkLine struct {
	rest string
	at   string
}

func (p *linkLine) next() (Link, bool) {
	for p.rest != "" {
		i := strings.IndexAny(p.rest, "\\`[]%")
		if i < 0 {
			break
		}
		p.rest = p.rest[i:]
		switch {
		case p.rest[0] == '\\':
			p.rest = p.rest[min(2, len(p.rest)):]
		case p.rest[0] == '`':
			p.skipCode()
		case strings.HasPrefix(p.rest, "%%"):
			_, p.rest, _ = strings.Cut(p.rest[2:], "%%")
		case strings.HasPrefix(p.rest, "[["):
			if l, ok := p.wikilink(); ok {
				return l, true
			}
		case strings.HasPrefix(p.rest, "]("):
			if l, ok := p.markdownLink(); ok {
				return l, true
			}
		default:
			p.rest = p.rest[1:]
		}
	}
	return Link{}, false
}

// skipCode goes behind a code span, or behind a run of backticks that opens
// none.
func (p *linkLine) skipCode() {
	after := strings.TrimLeft(p.rest, "`")
	run := len(p.rest) - len(after)
	p.rest = after
	for text := after; ; {
		i := strings.IndexByte(text, '`')
		if i < 0 {
			return
		}
		text = text[i:]
		behind := strings.TrimLeft(text, "`")
		if len(text)-len(behind) == run {
			p.rest = behind
			return
		}
		text = behind
	}
}

// wikilink reads [[path#part|text]]; in a table the bar has a backslash before it.
func (p *linkLine) wikilink() (Link, bool) {
	inner, rest, ok := strings.Cut(p.rest[2:], "]]")
	if !ok || strings.Contains(inner, "[[") {
		p.rest = p.rest[2:]
		return Link{}, false
	}
	p.rest = rest
	return wikiTarget(inner)
}

func wikiTarget(inner string) (Link, bool) {
	target, _, _ := strings.Cut(inner, "|")
	target = strings.TrimSpace(strings.TrimSuffix(target, `\`))
	to, part, _ := strings.Cut(target, "#")
	return Link{To: strings.TrimPrefix(to, "/"), Part: part}, target != ""
}

// markdownLink reads ](path "title") or ](<path>); an address with a scheme
// leads out of the vault.
func (p *linkLine) markdownLink() (Link, bool) {
	p.rest = p.rest[2:]
	address := strings.TrimLeft(p.rest, " ")
	if inner, pointed := strings.CutPrefix(address, "<"); pointed {
		if address, _, pointed = strings.Cut(inner, ">"); !pointed {
			return Link{}, false
		}
	} else {
		end := addressEnd(address)
		if end < 0 {
			return Link{}, false
		}
		address = address[:end]
	}
	to, part, _ := strings.Cut(address, "#")
	decoded, err := url.PathUnescape(to)
	if err != nil || address == "" || hasScheme(to) || strings.HasPrefix(to, "//") {
		return Link{}, false
	}
	if named, err := url.PathUnescape(part); err == nil {
		part = named
	}
	l := Link{To: strings.TrimPrefix(path.Clean("/"+decoded), "/"), Part: part}
	if to == "" {
		l.To = ""
	} else if !strings.HasPrefix(to, "/") {
		l.Near = path.Join(path.Dir(p.at), decoded)
	}
	return l, true
}

// addressEnd is where an address without pointed brackets ends: at a blank or
// the closing bracket; -1 if nothing closes it.
func addressEnd(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\r':
			if strings.Contains(s[i:], ")") {
				return i
			}
			return -1
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

func hasScheme(s string) bool {
	scheme, _, ok := strings.Cut(s, ":")
	return ok && len(scheme) > 1 && strings.IndexFunc(scheme, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '+' && r != '-' && r != '.'
	}) < 0
}
