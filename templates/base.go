package templates

import (
	"strconv"
	"strings"
)

// Base is a view of the notes in Obsidian's Bases format. Its text is the same for
// every vault but for the folder, and written as Obsidian writes it: what the app
// saves differs from it only where its user changed something.
type Base struct{ Folder string } // the managed folder, from the vault's root; "." is the whole vault

// SessionsBase renders the base of all sessions.
func (s *Set) SessionsBase(v Base) (string, error) { return s.page("sessions.base", v) }

// FilesBase renders the base of the hot files.
func (s *Set) FilesBase(v Base) (string, error) { return s.page("files.base", v) }

// within is the filter of a base for the notes below a folder, as a scalar of YAML.
// The whole vault needs none: a dot is no folder to Obsidian.
func within(folder string) string {
	if folder == "." {
		return ""
	}
	s := `file.inFolder("` + strings.ReplaceAll(strings.ReplaceAll(oneLine(folder), `\`, `\\`), `"`, `\"`) + `")`
	if strings.Contains(s, " #") || strings.Contains(s, ": ") {
		return strconv.Quote(s)
	}
	return s
}

// showView shows a view of a base in a page. What is no path of a base shows nothing.
func showView(path, view string) string {
	if !linkable(path) || !strings.HasSuffix(path, ".base") || !linkable(view) {
		return ""
	}
	return "![[" + path + "#" + view + "]]"
}

// opened links to a file that is no note.
func opened(path, text string) string {
	if !linkable(path) {
		return ""
	}
	return Wikilink(Link{Path: path, Text: text})
}
