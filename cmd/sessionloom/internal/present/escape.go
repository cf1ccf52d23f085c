package present

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// Clean shows control and direction-changing characters as escapes, so that
// text of a transcript cannot speak to the terminal; bytes that are no UTF-8 too,
// for some terminals take them for such characters. Tabs and newlines stay.
func Clean(text string) string {
	bad := func(r rune) bool {
		switch {
		case r == '\t' || r == '\n':
			return false
		case r < ' ', r >= 0x7f && r < 0xa0:
			return true
		case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029, r == 0xfeff:
			return true
		}
		return false
	}
	if strings.IndexFunc(text, bad) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case bad(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Visible writes characters of JSON that are not seen, or that reorder what is, as
// their numbers: the same to who reads JSON, and harmless on a terminal.
func Visible(object string) string {
	hidden := func(r rune) bool { return r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf) }
	if strings.IndexFunc(object, hidden) < 0 {
		return object
	}
	var b strings.Builder
	for _, r := range object {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// ShellWord quotes a word for a POSIX shell where it needs to be.
func ShellWord(s string) string {
	plain := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./,:+@%", r)
	}
	if s != "" && strings.IndexFunc(s, plain) < 0 {
		return s
	}
	return ShellQuote(s)
}

// ShellPath is a path to be copied into a command, with the home folder in its
// short form where a shell knows it. One with characters that nobody can type is
// shown with escapes.
func ShellPath(path, home string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) || Clean(path) != path {
		return strconv.Quote(path)
	}
	if rest, ok := strings.CutPrefix(homepath.Tilde(path, home), "~/"); ok {
		return "~/" + ShellWord(rest)
	}
	return ShellWord(path)
}

// ShellQuote quotes a word for a POSIX shell.
func ShellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
