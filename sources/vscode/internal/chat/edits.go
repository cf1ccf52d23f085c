package chat

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
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
		r.touched.add(path, sources.Edited, "")
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
func (r *reader) multiDiff(p *chatlog.Part) {
	data := p.MultiDiffData
	if data == nil {
		return
	}
	var list []string
	for _, f := range data.Resources {
		kind, at := changeOf(f.OriginalURI, f.ModifiedURI, sources.Edited)
		if at.File() == "" && f.GoToFileURI.IsSet() {
			at = f.GoToFileURI
		}
		list = append(list, r.changed(kind, at, editor.URI{}, f.Lines))
	}
	r.changedFiles(plain(data.Title), list)
}

// externalEdit tells of a file that an agent outside of the editor changed.
func (r *reader) externalEdit(p *chatlog.Part) {
	r.changedFiles("", []string{r.changed(words.ChangeKind(p.EditKind), p.URI, p.OriginalURI, p.Diff)})
}

// workspaceEdit tells of files that were created, deleted or renamed.
func (r *reader) workspaceEdit(p *chatlog.Part) {
	var list []string
	for _, e := range p.Edits {
		kind, at := changeOf(e.OldResource, e.NewResource, sources.Renamed)
		list = append(list, r.changed(kind, at, e.OldResource, chatlog.Lines{}))
	}
	r.changedFiles("", list)
}

// changeOf is what was done where a file was and is there, and to which file.
func changeOf(before, after editor.URI, both string) (kind string, at editor.URI) {
	switch {
	case !after.IsSet():
		return sources.Deleted, before
	case !before.IsSet():
		return sources.Created, after
	}
	return both, after
}

// changed notes a change of a file and writes it as one line of a list; before is
// the old place of a renamed one, lines may hold numbers of lines added and removed.
func (r *reader) changed(kind string, at, before editor.URI, lines chatlog.Lines) string {
	name, old := fileName(at), fileName(before)
	if kind == sources.Renamed {
		r.touched.add(before.File(), sources.Deleted, "")
	}
	r.touched.add(at.File(), kind, "")
	s := "- " + codeSpan(name)
	switch {
	case name == "":
		return ""
	case kind == sources.Renamed && old != "":
		s = "- renamed " + codeSpan(old) + " to " + codeSpan(name)
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

// reference puts a name that stands for a file, a symbol or a page into the text.
// It has four shapes: an address, one
// with a path of Windows, one with a range, a symbol.
func (r *reader) reference(part *chatlog.Part) {
	to, name := part.InlineReference, part.Name
	if to == nil {
		to = &chatlog.Place{}
	}
	u := to.URI()
	if !to.At.IsSet() && to.Text != "" {
		u, _ = editor.ParseURI(to.Text)
	}
	switch {
	case to.Location != nil && to.Path == "", !u.IsSet():
		r.page.code(cmp.Or(name, to.Name))
	case u.IsWeb():
		r.page.text(u.Link())
	default:
		r.page.code(cmp.Or(name, u.Base(), u.String()) + cmp.Or(lines(to.Range), anchorLines(u.Fragment)))
	}
}

// fileName is the name by which text calls a file, empty where there is none.
func fileName(u editor.URI) string {
	if !u.IsSet() {
		return ""
	}
	return oneLine(cmp.Or(u.Base(), u.String()))
}

// About reads the arguments of a call: its kind, one line, and what it does to files.
func About(name string, args *words.Arguments) (kind, detail string, does []words.PatchFile) {
	kind = words.ToolKind(name, "", args.Command.Text)
	files := argFiles(args)
	for _, f := range touched(name, kind, files) {
		does = append(does, words.PatchFile{Path: f.Path, Kind: f.Kind})
	}
	return kind, words.OneLine(subject(kind, args, files), detailSize), does
}

// touched is what a tool does to the files it was called with.
func touched(name, kind string, files []sources.FileTouch) []sources.FileTouch {
	as := words.TouchKind(kind)
	if as == "" || words.PlainTool(name) == "create_directory" {
		return nil
	}
	out := slices.Clone(files)
	for i := range out {
		out[i].Kind, out[i].Tool = cmp.Or(out[i].Kind, as), words.OneLine(name, nameSize)
	}
	return out
}

// subject is what a call of its kind was about.
func subject(kind string, args *words.Arguments, files []sources.FileTouch) string {
	switch kind {
	case sources.ToolRead, sources.ToolEdit, sources.ToolCreate, sources.ToolList:
		var paths []string
		for _, t := range files {
			paths = append(paths, t.Path)
		}
		return strings.Join(paths, ", ")
	case sources.ToolSearch:
		return cmp.Or(args.Query, args.Pattern, args.IncludePattern, args.SymbolName, args.Symbol)
	case sources.ToolRun:
		return args.Command.Text
	case sources.ToolWeb:
		return cmp.Or(args.URL, strings.Join(args.URLs, " "), args.Query)
	case sources.ToolTask:
		return args.Description
	}
	return ""
}

// argFiles are the files the arguments of a call name; those of a patch with what
// is done to them.
func argFiles(args *words.Arguments) []sources.FileTouch {
	var out fileList
	for _, f := range slices.Concat([]words.NamedFile{args.NamedFile}, args.Replacements, args.Edits) {
		out.add(editor.FileOf(f.Name()), "", "")
	}
	for _, path := range slices.Concat(args.FilePaths, args.Files, args.Paths) {
		out.add(editor.FileOf(path), "", "")
	}
	for _, f := range slices.Concat(args.Input.Files, args.Patch.Files) {
		out.add(editor.FileOf(f.Path), f.Kind, "")
	}
	return out.all
}

// messageFiles are the files the message of a call links to, taken from what the
// links are said to lead to, else from the links.
func messageFiles(part *chatlog.Part) []sources.FileTouch {
	var told, linked fileList
	for _, message := range []*chatlog.Markdown{part.PastTenseMessage, part.InvocationMessage} {
		if message == nil || len(told.all)+len(linked.all) > 0 {
			continue
		}
		for _, target := range message.URIs.All() {
			told.add(target.File(), "", "")
		}
		for _, m := range links().FindAllStringSubmatch(markdown(message), -1) {
			u, _ := editor.ParseURI(m[2])
			linked.add(u.File(), "", "")
		}
	}
	if len(told.all) > 0 {
		return told.all
	}
	return linked.all
}

// agree tells that two lists name the same files, as far as they name any.
func agree(shown, asked []sources.FileTouch) bool {
	for _, s := range shown {
		for _, a := range asked {
			if strings.EqualFold(path.Base(s.Path), path.Base(a.Path)) {
				return true
			}
		}
	}
	return len(shown) == 0 || len(asked) == 0
}
