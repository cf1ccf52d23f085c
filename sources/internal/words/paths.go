package words

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// PatchFile is a file that a patch names, with what is done to it: one of the kinds
// of file touches.
type PatchFile struct{ Path, Kind string }

// PatchFiles reads the file headers of a patch, at most limit of them; a negative
// limit means all. A move gives
// the old path as deleted and the new one as renamed. Text that is no patch
// names none.
func PatchFiles(text string, limit int) []PatchFile {
	var out []PatchFile
	for line := range strings.Lines(text) {
		header, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "*** ")
		if !ok || len(out) == limit {
			continue
		}
		verb, path, _ := strings.Cut(header, ": ")
		if path = strings.TrimSpace(path); path == "" {
			continue
		}
		switch verb {
		case "Add File":
			out = append(out, PatchFile{path, sources.Created})
		case "Update File":
			out = append(out, PatchFile{path, sources.Edited})
		case "Delete File":
			out = append(out, PatchFile{path, sources.Deleted})
		case "Move to":
			if n := len(out); n > 0 && out[n-1].Kind == sources.Edited {
				out[n-1].Kind = sources.Deleted
			}
			out = append(out, PatchFile{path, sources.Renamed})
		}
	}
	return out
}

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
