package escape

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxAlias = 160

// Link writes a wikilink with an alias; without a path only the text, whose last colon gives way to
// its look-alike.
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

func isBlockID(id string) bool {
	kind, rest, _ := strings.Cut(id, "-")
	return (kind == "t" || kind == "open") && rest != "" && strings.Trim(rest, "0123456789abcdefghijklmnopqrstuvwxyz-") == ""
}

// BlockID writes the id of a block of ours for the end of a line. What is no such id is nothing.
func BlockID(id string) string {
	if !isBlockID(id) {
		return ""
	}
	return "^" + id
}

// Linkable reports whether a wikilink can contain path, with or without a block of ours.
func Linkable(path string) bool {
	path, block, found := strings.Cut(path, "#^")
	if found && !isBlockID(block) {
		return false
	}
	if found && path == "" {
		return true
	}
	return path != "" && !strings.ContainsAny(path, "[]|#^\\<>`\"\n") && !strings.Contains(path, "%%") &&
		!strings.Contains(path, "::") && Clean(path) == path
}

// picture is the end of the path of a picture kept with a prompt.
var picture = regexp.MustCompile(`^[^:]+/[^:/]+\.(png|jpg|gif|webp)$`)

// Picture shows a picture of ours in the page. What is no path of one is nothing.
func Picture(path string) string {
	if !Linkable(path) || !picture.MatchString(path) {
		return ""
	}
	return "![[" + path + "]]"
}

// maskInLink is a mask, or what is left of one. It would become brackets, which end the link.
var maskInLink = regexp.MustCompile(maskOpen + "[^" + maskClose + "]*" + maskClose + "?")

// linkText escapes an alias. Look-alikes stand for what could act, for no backslash helps.
func linkText(s string) string {
	if strings.Contains(s, maskOpen) {
		s = maskInLink.ReplaceAllString(s, "(redacted)")
	}
	s = Cut(OneLine(strings.ReplaceAll(s, "`", "")), maxAlias)
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

// WebLink links text to a web address if it is usable.
func WebLink(text, address string) string {
	return Linked(Inline(strings.NewReplacer("[", "(", "]", ")", maskOpen, "("+maskOpen, maskClose, maskClose+")").Replace(text)), address)
}

// Linked links escaped text without brackets to a web address.
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

// fileLinkForm is a link with a plain text or one code span as its label.
var fileLinkForm = regexp.MustCompile("^\\[([^\\[\\]`\\\\<>]*|`[^`\\\\]+`)\\]\\(<?([^()<>\\s\"`\\\\]+)>?\\)")

// fileLink shows the text of a link to a file, and the file where that does not name it.
func (l *line) fileLink() bool {
	m := fileLinkForm.FindStringSubmatch(l.src[l.i:])
	if m == nil {
		return false
	}
	file, ok := linkedFile(m[2])
	shown, quoted := codeName(file)
	if !ok || !quoted || l.last() == '`' || l.peek(len(m[0])) == '`' { // ticks side by side pair anew
		return false
	}
	label := strings.TrimSpace(m[1])
	plain := strings.Trim(label, "`")
	switch name, isName := codeName(plain); {
	case plain == "":
		l.out = append(l.out, shown...)
	case isName && (plain == file || plain == strings.SplitN(path.Base(file), ":", 2)[0]):
		l.out = append(l.out, name...)
	case !l.takesWords(label):
		return false
	default:
		inner := line{src: label + " (", out: l.out, base: l.base, first: l.first, watch: l.watch, read: l.read}
		if l.atStart() {
			inner.escapeStart()
		}
		inner.run()
		l.out, l.watch, l.read = append(append(inner.out, shown...), ')'), inner.watch, inner.read
	}
	l.i += len(m[0])
	return true
}

// takesWords reports whether the words of a label can stand where their bracket stood.
func (l *line) takesWords(label string) bool {
	if last := l.last(); last != 0 && last < utf8.RuneSelf && strings.IndexByte(" \t(\"',*_!", last) < 0 {
		return false
	}
	switch c := label[0]; {
	case c >= utf8.RuneSelf, isAlpha(c), c == '_', c == '`', c == '/', c == '@', c == '(', c == '"':
		return strings.Trim(label, "_ ") != ""
	case isDigit(c): // "1." behind blanks is a list
		return l.atStart() || len(bytes.TrimSpace(l.out[l.base:])) > 0
	case c == '*', c == '.':
		rest := strings.TrimLeft(label, string(c))
		return rest != "" && rest[0] != ' '
	}
	return false
}

// codeName shows a name as code, false if it would be no code span or an odd one.
func codeName(name string) (string, bool) {
	if OneLine(name) == "" || strings.IndexByte(name, '`') >= 0 || evaluated(OneLine(name)) {
		return "", false
	}
	return Code(name), true
}

// linkedFile is the relative path or the name of a linked file, with its line.
func linkedFile(target string) (string, bool) {
	target, fragment, _ := strings.Cut(target, "#")
	scheme, rest, found := strings.Cut(target, "://")
	switch {
	case found && (scheme == "file" || strings.HasPrefix(scheme, "vscode")):
		target = "/" + rest
	case strings.ContainsAny(target, ":?") || strings.HasPrefix(target, "//"):
		return "", false
	}
	target = decoded(target)
	if strings.HasPrefix(target, "/") {
		target = path.Base(target)
	}
	if target == "" || target == "/" || target == "." {
		return "", false
	}
	if lines := strings.NewReplacer("L", "").Replace(fragment); lines != "" && strings.Trim(lines, "0123456789-") == "" {
		target += ":" + lines
	}
	return target, true
}

// needless are percent codes that no program needs.
var needless = regexp.MustCompile(`(?i)%(2[def]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)`)

// decoded reads percent codes, unless they hide something.
func decoded(target string) string {
	plain, err := url.PathUnescape(target)
	odd := func(r rune) bool { return unicode.Is(unicode.C, r) || r == utf8.RuneError }
	if err != nil || needless.MatchString(target) || strings.IndexFunc(plain, odd) >= 0 && strings.IndexFunc(target, odd) < 0 {
		return target
	}
	return plain
}
