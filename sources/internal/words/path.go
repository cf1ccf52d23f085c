package words

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

// PathTag names a path in keys without telling an absolute one: relative to the
// user's home folder where it lies below it, the same on every machine, else by
// a name and a hash.
func PathTag(path, home, name string) string {
	if home != "" {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(path)))
	return name + "-" + hex.EncodeToString(sum[:4])
}
