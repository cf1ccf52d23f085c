package sourcetest

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Matters reports whether a change of a file matters, by the roots of a [sources.Watcher]. The file is named
// with slashes.
func Matters(roots []sources.WatchRoot, file string) bool {
	return slices.ContainsFunc(roots, func(r sources.WatchRoot) bool {
		rel, below := strings.CutPrefix(file, filepath.ToSlash(r.Path)+"/")
		return below && slices.ContainsFunc(r.Files, func(pattern string) bool {
			ok, err := path.Match(pattern, rel)
			return ok && err == nil
		})
	})
}
