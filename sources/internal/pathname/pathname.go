// Package pathname tells paths without telling whose they are: in keys and in
// the lines of tools.
package pathname

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strings"
)

// Tag names a path in keys without telling an absolute one: relative to the
// user's home folder where it lies below it, the same on every machine, else by
// a name and a hash.
func Tag(path, home, name string) string {
	if home != "" {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(path)))
	return name + "-" + hex.EncodeToString(sum[:4])
}

// homes are the folders of people, as they stand in paths of any system.
var homes = regexp.MustCompile(`(^|[\s"'=:(,])(?:/home/[^/\s"']+|/Users/[^/\s"']+|/root|(?i:[a-z]:[\\/]Users[\\/])[^\\/\s"']+)($|[\\/\s"':;,)])`)

// Tilde writes the home folders in a text, of any system, as ~.
func Tilde(text string) string {
	if !strings.ContainsAny(text, `/\`) {
		return text
	}
	return homes.ReplaceAllString(text, "${1}~${2}")
}
