package obsidian

import (
	_ "embed" // the snippet
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var linkTarget = regexp.MustCompile(`\[\[([^\]|#]+)|\]\(<?([^)>#]+)`)

// OwnNotes maps the user's own notes in a vault to the targets of their links.
type OwnNotes map[string][]string

// OwnNotesIn finds them.
func OwnNotesIn(vault string) (OwnNotes, error) {
	own := OwnNotes{}
	return own, filepath.WalkDir(vault, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != vault && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".md":
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil || strings.Contains(string(text), "%% sessionloom ") { // a generated note
			return err
		}
		own[p] = []string{}
		for _, m := range linkTarget.FindAllStringSubmatch(string(text), -1) {
			own[p] = append(own[p], strings.TrimSuffix(strings.TrimSpace(m[1]+m[2]), ".md"))
		}
		return nil
	})
}

// Called returns the names that match a pattern as a whole.
func (o OwnNotes) Called(pattern *regexp.Regexp) (names []string) {
	for p := range o {
		if name := strings.TrimSuffix(filepath.Base(p), ".md"); pattern.FindString(name) == name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// LinksInto counts their links to notes in the managed folder.
func (o OwnNotes) LinksInto(folder string) (links, in int) {
	own, ours := map[string]bool{}, map[string]bool{}
	entries, _ := os.ReadDir(folder) // there may be none yet
	for _, e := range entries {
		ours[strings.TrimSuffix(e.Name(), ".md")] = true
	}
	for p := range o {
		own[strings.TrimSuffix(filepath.Base(p), ".md")] = true
	}
	for _, found := range o {
		before := links
		for _, to := range found {
			dir, name := path.Split(to)
			if ours[name] && (dir == "" && !own[name] || path.Base(dir) == filepath.Base(folder)) {
				links++
			}
		}
		if links > before {
			in++
		}
	}
	return links, in
}

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
