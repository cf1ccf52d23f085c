// Package escape turns text of a transcript into inert markdown of one place: a
// line, a block, a code span, a fence, a cell of a table, the text of a link. Each
// function is made for one place and holds nowhere else.
//
// # What the escapers promise
//
// Text of a transcript is data. Whatever it holds, no page made of it holds a
// live wikilink, embed, image, tag, footnote, block id, comment, formula,
// highlight, HTML element, inline field, query, task box, callout, heading or
// frontmatter fence that a template did not write; links lead to http and https
// only; no control, bidirectional or zero-width character hides anything. What
// is harmless stays markdown: paragraphs, lists, tables, emphasis, quotes, code.
//
// Outside code a live character gets a backslash, so the reading view shows the
// text as it was. Inside code, where a backslash would show, three things are
// replaced and can be turned back by hand:
//
//   - "<%" is written "< %", since Templater runs it even in code;
//   - "%% sessionloom" is written "% % sessionloom", since it delimits our regions;
//   - a fence whose text starts with "=" or "$=" gets a backslash before it, since
//     Dataview evaluates it. A code span of that kind loses its code style instead.
//
// Dataview also takes "key:: value" out of code; code is left as it is there.
package escape

import (
	"regexp"
	"strings"
)

// Version grows with every change of what escapers write.
const Version = "4"

const (
	maxHeading = 300 // bytes of a heading before escaping
)

// Heading escapes the text of a heading; empty text becomes "Untitled".
func Heading(s string) string {
	s = OneLine(s)
	if s == "" {
		return "Untitled"
	}
	out := appendInline(nil, Cut(s, maxHeading), false)
	if n := len(out); out[n-1] == '#' && (n < 2 || out[n-2] != '\\') {
		out = append(out[:n-1], '\\', '#') // no closing sequence
	}
	return string(out)
}

// Cell escapes text for a cell of a table.
func Cell(s string) string { return escapeBars(Inline(s)) }

// CellCode is [Code] for a cell of a table.
func CellCode(s string) string { return escapeBars(Code(s)) }

// Quote is [Block] in quotes, depth levels deep.
func Quote(depth int, s string) string {
	return prefixLines(Block(s), strings.Repeat("> ", depth))
}

// Property escapes a text for frontmatter, where the writer quotes it: no template runs in it
// (Templater works on raw text), and it is not a link or address that acts. It is idempotent.
func Property(s string) string {
	s = OneLine(s)
	for strings.Contains(s, "<%") {
		s = strings.ReplaceAll(s, "<%", "< %")
	}
	if strings.HasPrefix(s, "[[") || strings.HasPrefix(s, "![[") {
		s = strings.Replace(s, "[[", "[ [", 1)
	}
	if m := actingScheme.FindString(s); m != "" && schemeLen(s) == 0 {
		s = strings.Replace(s, ":", ": ", 1)
	}
	return s
}

// actingScheme is how an address begins that does something when it is opened.
var actingScheme = regexp.MustCompile(`^(?i:(?:javascript|vbscript|data):\S|[a-z][a-z0-9+.-]+://)`)

func headingText(s string) (string, bool) {
	n := span(s, '#', '#')
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return "", false
	}
	title := strings.TrimSpace(s[n:])
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return title, true
}

func isHeading(s string) bool {
	_, ok := headingText(s)
	return ok
}

func rule(s string) bool {
	c := s[0]
	if c != '-' && c != '*' && c != '_' {
		return false
	}
	return strings.Count(s, s[:1]) >= 3 && strings.Trim(s, s[:1]+" \t") == ""
}

func listMarker(s string) (marker, text string) {
	n := 1
	if isDigit(s[0]) {
		n = span(s, '0', '9')
		if n > 9 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return "", ""
		}
		n++
	} else if s[0] != '-' && s[0] != '*' && s[0] != '+' {
		return "", ""
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return "", ""
	}
	return s[:n], strings.TrimLeft(s[n:], " \t")
}

// taskBox turns the box of a task into a sign.
func taskBox(s string) (box, text string) {
	if len(s) < 3 || s[0] != '[' || s[2] != ']' || len(s) > 3 && s[3] != ' ' && s[3] != '\t' {
		return "", s
	}
	switch s[1] {
	case ' ':
		box = "☐ "
	case 'x', 'X':
		box = "☑ "
	default:
		return "", s
	}
	return box, strings.TrimLeft(s[3:], " \t")
}

// endsMarker reports whether what follows a list marker leaves it one.
func endsMarker(rest string) bool { return rest == "" || rest[0] == ' ' }

// delimiterRow reports whether s could make a table of its neighbours.
func delimiterRow(s string) bool {
	return strings.Contains(s, "-") && strings.Trim(s, "-|: ") == ""
}

// fenceMark is the run that opens a fence, and its info string.
func fenceMark(s string) (mark, info string) {
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return "", ""
	}
	n := span(s, s[0], s[0])
	info = strings.TrimSpace(s[n:])
	if n < 3 || s[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return "", ""
	}
	return s[:n], info
}

// OpensBlock reports whether a line begins a fence or a table, so that it is not a title.
func OpensBlock(s string) bool {
	mark, _ := fenceMark(s)
	return mark != "" || delimiterRow(s) || strings.HasPrefix(s, "|")
}
