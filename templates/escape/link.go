package escape

import (
	"regexp"
	"strings"
)

// maxAlias is the length in bytes of the longest text of a wikilink.
const maxAlias = 160

// Link writes a wikilink to the note at path, with its text as alias, for a
// paragraph, a list item or a property. Without a path only the text is shown,
// escaped; a colon at its end, which would make a field with one behind it, gives way
// to its look-alike.
func Link(path, text string) string {
	if !Linkable(path) {
		text = Inline(text)
		if bare, ok := strings.CutSuffix(text, ":"); ok {
			return strings.TrimSuffix(bare, `\`) + "∶"
		}
		return text
	}
	return "[[" + path + "|" + linkText(text) + "]]"
}

// CellLink is a [Link] for a cell of a table.
func CellLink(path, text string) string {
	if !Linkable(path) {
		return Cell(text)
	}
	return "[[" + path + `\|` + linkText(text) + "]]"
}

// Linkable says that path can stand in a wikilink (formats/obsidian.md, section
// 1.2).
func Linkable(path string) bool {
	return path != "" && !strings.ContainsAny(path, "[]|#^\\<>`\"\n") && !strings.Contains(path, "%%") &&
		!strings.Contains(path, "::") && Clean(path) == path
}

// picture is the end of the path of a picture that was kept with a prompt. Its user
// may have given it another name.
var picture = regexp.MustCompile(`^[^:]+/[^:/]+\.(png|jpg|gif|webp)$`)

// Picture shows a picture of ours in the page. What is no path of one is nothing.
func Picture(path string) string {
	if !Linkable(path) || !picture.MatchString(path) {
		return ""
	}
	return "![[" + path + "]]"
}

// linkText escapes the alias of a wikilink. No backslash can be relied on there,
// so look-alikes stand for what could act.
func linkText(s string) string {
	s = Cut(OneLine(s), maxAlias)
	if s == "" {
		return "Untitled"
	}
	var b strings.Builder
	var last byte
	for i := 0; i < len(s); i++ {
		c, next := s[i], byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case c == '[':
			b.WriteByte('(')
		case c == ']':
			b.WriteByte(')')
		case c == '`':
			b.WriteByte('\'')
		case c == '|':
			b.WriteString("¦")
		case c == '$':
			b.WriteString("＄")
		case c == '\\' && (next == 0 || isPunct(next)):
			b.WriteString("＼")
		case c == '<' && next != ' ':
			b.WriteString("‹")
		case c == '%' && last == '%':
			b.WriteString("％")
		case c == '=' && last == '=':
			b.WriteString("＝")
		case c == ':' && (last == ':' || strings.HasPrefix(s[i:], "://")):
			b.WriteString("∶")
		case c == '-' && inTaskDate(s[:i], s[i:]):
			b.WriteString("‐")
		case c == '#' && !isAlpha(last) && !isDigit(last) && startsTag(s[i+1:]):
			b.WriteString("＃")
		default:
			b.WriteByte(c)
		}
		last = c
	}
	return b.String()
}

// WebLink links text to a web address; without a usable one only the text is
// shown.
func WebLink(text, address string) string {
	return Linked(Inline(strings.NewReplacer("[", "(", "]", ")", maskOpen, "("+maskOpen, maskClose, maskClose+")").Replace(text)), address)
}

// Linked links escaped text, which holds no brackets of its own, to a web
// address.
func Linked(text, address string) string {
	address = strings.TrimSpace(Clean(address))
	if text == "" || !webAddress(address) {
		return text
	}
	if text[0] == '^' { // behind the bracket it begins a footnote
		text = `\` + text
	}
	return "[" + text + "](" + string(appendAddress(nil, address)) + ")"
}
