package obsidian

import (
	"net/url"
	"strings"
)

// Link opens a file in Obsidian, by its absolute path.
func Link(path string) string {
	return "obsidian://open?path=" + strings.ReplaceAll(url.QueryEscape(path), "+", "%20")
}
