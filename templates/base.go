package templates

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// SessionsBase is the view of all sessions in Obsidian's Bases format. Its text is the same for
// every vault but for the folder, and written as Obsidian writes it: what the app
// saves differs from it only where its user changed something.
type SessionsBase struct{ Folder Path } // the managed folder, from the vault's root; "." is the whole vault

// FilesBase is the view of the hot files, as [SessionsBase] is that of the sessions.
type FilesBase struct{ Folder Path }

// within is the filter of a base for the notes below a folder, as a scalar of YAML.
// The whole vault needs none: a dot is no folder to Obsidian.
func within(folder Path) *Markdown {
	if folder == "." {
		return nil
	}
	s := `file.inFolder("` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(escape.OneLine(string(folder))) + `")`
	if strings.Contains(s, " #") || strings.Contains(s, ": ") {
		s = strconv.Quote(s)
	}
	return markdown(s)
}

// showView shows a view of a base in a page. What is no path of a base shows nothing.
func showView(path Path, view string) *Markdown {
	if !escape.Linkable(string(path)) || !strings.HasSuffix(string(path), ".base") || !escape.Linkable(view) {
		return nil
	}
	return markdown("![[" + string(path) + "#" + view + "]]")
}

// shown shows a picture that was kept with a prompt.
func shown(path Path) *Markdown { return markdown(escape.Picture(string(path))) }

// opened links to a file that is no note.
func opened(path Path, text any) (*Markdown, error) {
	words, err := rawText(text)
	if err != nil || !escape.Linkable(string(path)) {
		return nil, err
	}
	return markdown(escape.Link(string(path), words)), nil
}
