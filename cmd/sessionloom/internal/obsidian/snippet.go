package obsidian

import (
	_ "embed" // the snippet
	"os"
	"path/filepath"
)

// Snippet is the text of the CSS snippet that makes our notes quieter in Obsidian.
//
//go:embed sessionloom.css
var Snippet string

// SnippetPath is where the snippet lies in a vault, empty where Obsidian never opened that.
func SnippetPath(vault string) string {
	dir := filepath.Join(vault, ".obsidian")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return filepath.Join(dir, "snippets", "sessionloom.css")
}
