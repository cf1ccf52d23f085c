package parts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/uri"
)

// codeBlock takes in what says to which file the code block belongs that was just
// opened. Around an edit VS Code writes a code block with nothing in it.
func (r *reader) codeBlock(p *tree.Node) {
	if edit, _ := p.Get("isEdit").Bool(); edit {
		r.page.takeFence()
		return
	}
	r.page.label(fileName(p.Get("uri")))
}

// editGroup tells in one line that a file was edited, once for edits in a row.
func (r *reader) editGroup(p *tree.Node) {
	u, _ := uri.Of(p.Get("uri"))
	path, verb := u.File(), "Edited"
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
	name := fileName(p.Get("uri"))
	if key := cmp.Or(path, name); name != "" && !r.edited[key] {
		r.edited[key] = true
		r.page.block(verb + " " + codeSpan(name))
	}
	r.editedAt = r.page.end()
}

// multiDiff lists files that were changed, with the lines added and removed.
func (r *reader) multiDiff(data *tree.Node) {
	var list []string
	for _, f := range data.Get("resources").Items() {
		before, after := f.Get("originalUri"), f.Get("modifiedUri")
		at, kind := after, sources.Edited
		switch {
		case !before.Has() && after.Has():
			kind = sources.Created
		case before.Has() && !after.Has():
			at, kind = before, sources.Deleted
		}
		if u, _ := uri.Of(at); u.File() == "" && f.Get("goToFileUri").Has() {
			at = f.Get("goToFileUri")
		}
		r.touchURI(at, kind)
		list = append(list, changed(kind, fileName(at), "", f))
	}
	r.changedFiles(plain(data.Get("title")), list)
}

// externalEdit tells of a file that an agent outside of the editor changed.
func (r *reader) externalEdit(p *tree.Node) {
	kind, before := sources.Edited, ""
	switch p.Get("editKind").Text() {
	case "create":
		kind = sources.Created
	case "delete":
		kind = sources.Deleted
	case "rename":
		kind, before = sources.Renamed, fileName(p.Get("originalUri"))
	}
	r.touchURI(p.Get("uri"), kind)
	if kind == sources.Renamed {
		r.touchURI(p.Get("originalUri"), sources.Deleted)
	}
	r.changedFiles("", []string{changed(kind, fileName(p.Get("uri")), before, p.Get("diff"))})
}

// workspaceEdit tells of files that were created, deleted or renamed.
func (r *reader) workspaceEdit(p *tree.Node) {
	var list []string
	for _, e := range p.Get("edits").Items() {
		before, after := e.Get("oldResource"), e.Get("newResource")
		switch {
		case before.Has() && after.Has():
			r.touchURI(before, sources.Deleted)
			r.touchURI(after, sources.Renamed)
			list = append(list, changed(sources.Renamed, fileName(after), fileName(before), nil))
		case after.Has():
			r.touchURI(after, sources.Created)
			list = append(list, changed(sources.Created, fileName(after), "", nil))
		case before.Has():
			r.touchURI(before, sources.Deleted)
			list = append(list, changed(sources.Deleted, fileName(before), "", nil))
		}
	}
	r.changedFiles("", list)
}

// changed is one line of a list of changed files; before is the old name of a
// renamed one, lines may hold numbers of lines added and removed.
func changed(kind, name, before string, lines *tree.Node) string {
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
	added, ok := lines.Get("added").Int()
	removed, also := lines.Get("removed").Int()
	if ok && also && added+removed > 0 {
		s += fmt.Sprintf(" (+%d −%d)", added, removed)
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

func (r *reader) touchURI(at *tree.Node, kind string) {
	if u, ok := uri.Of(at); ok {
		r.touched.add(touch{u.File(), kind}, "", fromPart)
	}
}
