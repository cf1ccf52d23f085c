package obsidian

import (
	"os"
	"path/filepath"
)

// KeepsWiki tells whether a wiki of the kind that layout "wiki" writes beside
// stands at the root of a vault: it has an index, a log and a hot page, and a
// manifest of what it was made from. sessionloom writes neither log nor manifest.
func KeepsWiki(vault string) bool {
	if vault == "" {
		return false
	}
	is := func(name string) bool {
		info, err := os.Lstat(filepath.Join(vault, name))
		return err == nil && info.Mode().IsRegular()
	}
	return is(".manifest.json") || is("index.md") && is("log.md")
}
