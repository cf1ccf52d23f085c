// Package patch reads patches in the form of the agents' tool apply_patch, as far
// as they name files.
package patch

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// File is a file that a patch names, with what is done to it: one of the kinds
// of file touches.
type File struct{ Path, Kind string }

// Files reads the file headers of a patch, at most limit of them; a negative
// limit means all. A move gives
// the old path as deleted and the new one as renamed. Text that is no patch
// names none.
func Files(text string, limit int) []File {
	var out []File
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
			out = append(out, File{path, sources.Created})
		case "Update File":
			out = append(out, File{path, sources.Edited})
		case "Delete File":
			out = append(out, File{path, sources.Deleted})
		case "Move to":
			if n := len(out); n > 0 && out[n-1].Kind == sources.Edited {
				out[n-1].Kind = sources.Deleted
			}
			out = append(out, File{path, sources.Renamed})
		}
	}
	return out
}
