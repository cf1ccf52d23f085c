package note

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// CheckPath refuses whatever is not the path of a visible markdown file
// inside the managed folder on every system.
func CheckPath(p string) error {
	if !fs.ValidPath(p) || !IsNote(p) {
		return fmt.Errorf("path %q: no path of a note", p)
	}
	return CheckNames(p)
}

// IsNote says that a file is a note by its name.
func IsNote(name string) bool {
	return len(name) > 3 && strings.EqualFold(name[len(name)-3:], ".md")
}

// CheckNames refuses a path with a part that is hidden or that not every system
// takes for a name.
func CheckNames(p string) error {
	for name := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(name, ".") || strings.ContainsAny(name, "\\:\x00") || !filepath.IsLocal(name) {
			return fmt.Errorf("path %q: %q is not a usable name", p, name)
		}
	}
	return nil
}
