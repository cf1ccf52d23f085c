package obsidian

import (
	_ "embed" // the snippet
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var linkTarget = regexp.MustCompile(`\[\[([^\]|#]+)|\]\(<?([^)>#]+)`)

// LinksInto counts the links in a person's own notes to notes of a folder of ours.
func LinksInto(vault, folder string) (links, in int, err error) {
	targets, own, ours := map[string][][]string{}, map[string]bool{}, map[string]bool{}
	entries, _ := os.ReadDir(folder) // there may be none yet
	for _, e := range entries {
		ours[strings.TrimSuffix(e.Name(), ".md")] = true
	}
	err = filepath.WalkDir(vault, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != vault && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".md":
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil || strings.Contains(string(text), "%% sessionloom ") { // it is ours
			return err
		}
		own[strings.TrimSuffix(d.Name(), ".md")], targets[p] = true, linkTarget.FindAllStringSubmatch(string(text), -1)
		return nil
	})
	for _, found := range targets {
		before := links
		for _, m := range found {
			to := strings.TrimSuffix(strings.TrimSpace(m[1]+m[2]), ".md")
			dir, name := path.Split(to)
			if ours[name] && (dir == "" && !own[name] || path.Base(dir) == filepath.Base(folder)) {
				links++
			}
		}
		if links > before {
			in++
		}
	}
	return links, in, err
}

// Link opens a file in Obsidian, by its absolute path.
func Link(path string) string {
	return "obsidian://open?path=" + strings.ReplaceAll(url.QueryEscape(path), "+", "%20")
}

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
