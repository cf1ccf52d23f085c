package obsidian

import (
	_ "embed" // the snippet
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Link returns the address that opens a file in Obsidian, by its absolute path.
func Link(path string) string {
	return "obsidian://open?path=" + strings.ReplaceAll(url.QueryEscape(path), "+", "%20")
}

// Snippet is the text of the CSS snippet that makes generated notes quieter in Obsidian.
//
//go:embed sessionloom.css
var Snippet string

// SnippetPath returns the path of the snippet in a vault, or "" if Obsidian never opened the vault.
func SnippetPath(vault string) string {
	dir := filepath.Join(vault, ".obsidian")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return filepath.Join(dir, "snippets", "sessionloom.css")
}
