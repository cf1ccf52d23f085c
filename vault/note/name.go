package note

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName is the longest file name in bytes, without extension and suffixes.
const maxName = 120

// Slug makes a part of a file name: lower-case words of letters and digits joined by "-", at most
// limit bytes, cut between words where that leaves half. It may be empty.
func Slug(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFC.String(strings.ToLower(strings.ToValidUTF8(text, " "))))
	var words []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark) }) {
		if word = strings.TrimLeftFunc(word, unicode.IsMark); word != "" {
			words = append(words, word)
		}
	}
	s := strings.Join(words, "-")
	if len(s) <= limit {
		return s
	}
	cut := cutRunes(s, limit)
	if i := strings.LastIndexByte(cut, '-'); s[len(cut)] != '-' && i >= limit/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, "-")
}

// Words makes a part of a file name of the words of a text, at most limit bytes, cut between words
// where that leaves a third, without a command ("/plan …") or kinds of references ("#file:…"). It is
// empty without a letter or digit.
func Words(text string, limit int) string {
	text = norm.NFC.String(strings.ToValidUTF8(text, " "))
	if strings.Contains(text, "/") {
		text = command.ReplaceAllString(text, "")
	}
	if strings.Contains(text, "#") {
		text = refersTo.ReplaceAllString(text, "$1")
	}
	if strings.Contains(text, ":") {
		text = lastColon.ReplaceAllString(text, "$1")
	}
	text = strings.Join(strings.Fields(strings.ReplaceAll(strings.Map(legalRune, text), "`", "")), " ")
	for strings.Contains(text, "%%") {
		text = strings.ReplaceAll(text, "%%", "%")
	}
	if strings.IndexFunc(text, func(r rune) bool { return unicode.In(r, unicode.Letter, unicode.Digit) }) < 0 {
		return ""
	}
	cut := cutRunes(norm.NFC.String(text), max(limit, 0))
	if i := strings.LastIndexByte(cut, ' '); len(cut) < len(text) && text[len(cut)] != ' ' && i >= limit/3 {
		cut = cut[:i]
	}
	return strings.Trim(cut, " .,;-–—")
}

var (
	command  = regexp.MustCompile(`^\s*/[\pL\d_-]+\s+`)
	refersTo = regexp.MustCompile(`(^|\s)#[a-z]+:`)
	// noteExts at the end of a name would make a link to the note one to another.
	noteExts  = regexp.MustCompile(`(?i)([. ]|\.md)+$`)
	lastColon = regexp.MustCompile(`:(\s|$)`)
)

// cutRunes cuts to at most limit bytes, not within a character and its marks.
func cutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && (!utf8.RuneStart(s[limit]) || !norm.NFC.PropertiesString(s[limit:]).BoundaryBefore()) {
		limit--
	}
	return s[:max(limit, 0)]
}

// FileName makes a name, without extension, for all systems and Obsidian's links: in NFC, at most
// 120 bytes. A cut one ends in a hash. Two names may become one: the caller puts something unique
// into it.
func FileName(name string) string {
	name = norm.NFC.String(strings.ToValidUTF8(name, "-"))
	name = strings.Map(legalRune, name)
	for strings.Contains(name, "%%") {
		name = strings.ReplaceAll(name, "%%", "%")
	}
	name = norm.NFC.String(strings.Join(strings.Fields(name), " "))
	if strings.HasSuffix(name, ".") || strings.HasSuffix(strings.ToLower(name), ".md") { // no blank is left there
		name = noteExts.ReplaceAllString(name, "")
	}
	name = unreserve(strings.Trim(name, ". "))
	switch {
	case name == "":
		return "Untitled"
	case len(name) <= maxName:
		return name
	}
	return strings.Trim(cutRunes(name, maxName-9), ". ") + "-" + Hash([]byte(name))[:8]
}

// legalRune replaces separators by "-" and drops characters that are not allowed in names.
func legalRune(r rune) rune {
	switch r {
	case '/', '\\', ':', '|':
		return '-'
	case '<', '>', '"', '?', '*', '#', '^', '[', ']':
		return -1
	case '➕', '🛫', '⏳', '⌛', '📅', '📆', '🗓', '✅': // in front of a date they make a field of a list item with a link
		return -1
	}
	switch {
	case unicode.IsSpace(r):
		return ' '
	case Unseen(r):
		return -1
	}
	return r
}

// Unseen reports whether a name shows nothing where it has r.
func Unseen(r rune) bool {
	return !unicode.IsPrint(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r >= 0xe0000
}

// unreserve prefixes the name of a Windows device with "_".
func unreserve(s string) string {
	base, _, _ := strings.Cut(s, ".")
	if isDevice(strings.ToUpper(strings.TrimRight(base, " "))) {
		return "_" + s
	}
	return s
}

func isDevice(base string) bool {
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(base, "COM")
	if !ok {
		port, ok = strings.CutPrefix(base, "LPT")
	}
	digit, size := utf8.DecodeRuneInString(port)
	return ok && size == len(port) && strings.ContainsRune("0123456789¹²³", digit)
}

// longestName leaves sync programs room below 255 bytes.
const longestName = 220

// PathFault explains why a path cannot be in a link or on every system.
func PathFault(at string) string {
	if strings.ContainsAny(at, "[]#^|") || strings.Contains(at, "%%") {
		return "no link can hold this name"
	}
	for name := range strings.SplitSeq(at, "/") {
		base, _, _ := strings.Cut(name, ".")
		if len(name) > longestName {
			return "its name is so long that sync programs cannot add to it"
		}
		if strings.ContainsAny(name, `<>:"\?*`) || strings.TrimRight(name, ". ") != name || isDevice(strings.ToUpper(strings.TrimRight(base, " "))) ||
			strings.HasSuffix(strings.TrimSuffix(name, path.Ext(name)), " ") {
			return "Windows cannot hold this name"
		}
	}
	return ""
}

// CheckPath refuses what is not a path of a visible note on every system.
func CheckPath(p string) error {
	if !fs.ValidPath(p) || !IsNote(p) {
		return fmt.Errorf("path %q: no path of a note", p)
	}
	return CheckNames(p)
}

// IsNote reports whether a file is a note by its name.
func IsNote(name string) bool {
	return len(name) > 3 && strings.EqualFold(name[len(name)-3:], ".md")
}

// CheckNames refuses a path with a part that is hidden or no name everywhere.
func CheckNames(p string) error {
	for name := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(name, ".") || strings.ContainsAny(name, "\\:\x00") || !filepath.IsLocal(name) {
			return fmt.Errorf("path %q: %q is not a usable name", p, name)
		}
	}
	return nil
}
