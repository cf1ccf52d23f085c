package chat

import (
	"cmp"
	"fmt"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// reference puts a name that stands for a file, a symbol or a page into the text.
// It has four shapes (formats/vscode-copilot-chat.md, section 2.5): an address, one
// with a path of Windows, one with a range, a symbol.
func (r *reader) reference(part *chatlog.Part) {
	to, name := part.InlineReference, part.Name
	if to == nil {
		to = &chatlog.Place{}
	}
	if to.Location != nil && to.Path == "" {
		r.page.code(cmp.Or(name, to.Name))
		return
	}
	u, lines := to.URI(), ""
	if to.At.IsSet() {
		lines = rangeLines(to.Range)
	} else if to.Text != "" {
		u, _ = places.ParseURI(to.Text)
	}
	switch {
	case !u.IsSet():
		r.page.code(cmp.Or(name, to.Name))
	case u.IsWeb():
		r.page.text(u.Link())
	default:
		r.page.code(cmp.Or(name, u.Base(), u.String()) + cmp.Or(lines, anchorLines(u.Fragment)))
	}
}

// rangeLines writes the lines of a range, which count from 1, as ":3" or ":3-9".
func rangeLines(r chatlog.Range) string {
	switch {
	case r.Start < 1:
		return ""
	case r.End <= r.Start:
		return fmt.Sprintf(":%d", r.Start)
	}
	return fmt.Sprintf(":%d-%d", r.Start, r.End)
}

// fileName is the name by which text calls a file, empty where there is none.
func fileName(u places.URI) string {
	if !u.IsSet() {
		return ""
	}
	return oneLine(cmp.Or(u.Base(), u.String()))
}
