// Package homepath abbreviates and expands the home folder in paths, and quotes words for a shell.
package homepath

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Expand makes a path absolute; "~" is the home folder.
func Expand(p, home, base string) string {
	switch {
	case p == "":
		return ""
	case p == "~":
		return home
	case strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`):
		return filepath.Join(home, p[2:])
	case base != "" && !filepath.IsAbs(p):
		p = filepath.Join(base, p)
	}
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return filepath.Clean(p)
}

// Tilde writes the home folder in its short form.
func Tilde(path, home string) string {
	if path == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return filepath.Join("~", rest)
	}
	return path
}

// ShellWord quotes a word for a POSIX shell if necessary.
func ShellWord(s string) string {
	plain := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./,:+@%=", r)
	}
	if s != "" && strings.IndexFunc(s, plain) < 0 {
		return s
	}
	return ShellQuote(s)
}

// ShellQuote quotes a word for a POSIX shell.
func ShellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// InVault makes the path of a file relative to the vault's root. Other names stay.
func InVault(arg, vault string) string {
	if _, err := os.Lstat(arg); err != nil && !strings.ContainsAny(arg, `/\`) {
		return arg
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return arg
	}
	rel, err := filepath.Rel(vault, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(arg)
	}
	return filepath.ToSlash(rel)
}
