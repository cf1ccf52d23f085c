package present

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

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
