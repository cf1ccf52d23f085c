package schedule

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// maxSlug keeps the names of units short enough to be read.
const maxSlug = 24

// Name is the name of the timer for what lies at a path: words of the path's last
// element, and a hash of all of it, so that each vault has a timer of its own.
func Name(path, folder string) string {
	sum := sha256.Sum256([]byte(path + "\n" + folder))
	return slug(filepath.Base(path)) + "-" + hex.EncodeToString(sum[:4])
}

// slug keeps of a text what every system takes in names: small letters, digits and
// single dashes.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	s := strings.Join(words, "-")
	if len(s) > maxSlug {
		s = strings.TrimRight(s[:maxSlug], "-")
	}
	if s == "" {
		return "vault"
	}
	return s
}
