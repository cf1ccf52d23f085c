package chat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// codeBlock takes in what says to which file the code block belongs that was just
// opened. Around an edit VS Code writes a code block with nothing in it.
func (r *reader) codeBlock(p *chatlog.Part) {
	if p.IsEdit {
		r.page.takeFence()
		return
	}
	r.page.label(fileName(p.URI))
}

// editGroup tells in one line that a file was edited, once for edits in a row.
func (r *reader) editGroup(p *chatlog.Part) {
	path, verb := p.URI.File(), "Edited"
	if r.touched.has(path, sources.Created) {
		verb = "Created"
	} else {
		r.touched.add(touch{path, sources.Edited}, "", fromGroup)
	}
	r.page.takeFence()
	r.page.rest()
	if r.editedAt != r.page.end() {
		r.edited = map[string]bool{}
	}
	name := fileName(p.URI)
	if key := cmp.Or(path, name); name != "" && !r.edited[key] {
		r.edited[key] = true
		r.page.block(verb + " " + codeSpan(name))
	}
	r.editedAt = r.page.end()
}

// multiDiff lists files that were changed, with the lines added and removed.
func (r *reader) multiDiff(data *chatlog.MultiDiff) {
	if data == nil {
		return
	}
	var list []string
	for _, f := range data.Resources {
		before, after := f.OriginalURI, f.ModifiedURI
		at, kind := after, sources.Edited
		switch {
		case !before.IsSet() && after.IsSet():
			kind = sources.Created
		case before.IsSet() && !after.IsSet():
			at, kind = before, sources.Deleted
		}
		if at.File() == "" && f.GoToFileURI.IsSet() {
			at = f.GoToFileURI
		}
		r.touchURI(at, kind)
		list = append(list, changed(kind, fileName(at), "", f.Lines))
	}
	r.changedFiles(plain(data.Title), list)
}

// externalEdit tells of a file that an agent outside of the editor changed.
func (r *reader) externalEdit(p *chatlog.Part) {
	kind, before := sources.Edited, ""
	switch p.EditKind {
	case "create":
		kind = sources.Created
	case "delete":
		kind = sources.Deleted
	case "rename":
		kind, before = sources.Renamed, fileName(p.OriginalURI)
	}
	r.touchURI(p.URI, kind)
	if kind == sources.Renamed {
		r.touchURI(p.OriginalURI, sources.Deleted)
	}
	r.changedFiles("", []string{changed(kind, fileName(p.URI), before, p.Diff)})
}

// workspaceEdit tells of files that were created, deleted or renamed.
func (r *reader) workspaceEdit(p *chatlog.Part) {
	var list []string
	for _, e := range p.Edits {
		before, after := e.OldResource, e.NewResource
		switch {
		case before.IsSet() && after.IsSet():
			r.touchURI(before, sources.Deleted)
			r.touchURI(after, sources.Renamed)
			list = append(list, changed(sources.Renamed, fileName(after), fileName(before), chatlog.Lines{}))
		case after.IsSet():
			r.touchURI(after, sources.Created)
			list = append(list, changed(sources.Created, fileName(after), "", chatlog.Lines{}))
		case before.IsSet():
			r.touchURI(before, sources.Deleted)
			list = append(list, changed(sources.Deleted, fileName(before), "", chatlog.Lines{}))
		}
	}
	r.changedFiles("", list)
}

// changed is one line of a list of changed files; before is the old name of a
// renamed one, lines may hold numbers of lines added and removed.
func changed(kind, name, before string, lines chatlog.Lines) string {
	if name == "" {
		return ""
	}
	s := "- " + codeSpan(name)
	switch {
	case kind == sources.Renamed && before != "":
		s = "- renamed " + codeSpan(before) + " to " + codeSpan(name)
	case kind != sources.Edited:
		s = "- " + kind + " " + codeSpan(name)
	}
	if a, r := lines.Added, lines.Removed; a != nil && r != nil && *a+*r > 0 {
		s += fmt.Sprintf(" (+%d −%d)", *a, *r)
	}
	return s
}

// changedFiles puts a list of changed files on the page, or goes on with the one
// that ends it.
func (r *reader) changedFiles(title string, list []string) {
	list = slices.DeleteFunc(list, func(line string) bool { return line == "" })
	if len(list) == 0 {
		return
	}
	text := strings.Join(list, "\n") + "\n"
	if title == "" && r.listedAt > 0 && r.listedAt == r.page.end() {
		r.page.apart = false
		r.page.put("\n" + text[:len(text)-1])
		r.page.rest()
	} else {
		r.block(bold(cmp.Or(title, "Changed files")) + "\n\n" + text)
	}
	r.listedAt = r.page.end()
}

func (r *reader) touchURI(at places.URI, kind string) {
	r.touched.add(touch{at.File(), kind}, "", fromPart)
}
