package chat

import (
	"cmp"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// touch is what happened to a file, in words of package sources.
type touch struct{ path, kind string }

// origin says how it is known.
type origin int

const (
	fromPart  origin = iota
	fromGroup        // edits of a file as the editor applied them, also of one that a tool created
	fromTool
)

// touches are the files of an answer in order of the first touch.
type touches struct {
	all  []sources.FileTouch
	from []origin // of each
	at   map[touch]int
}

// add notes a touch once per path and kind.
func (t *touches) add(to touch, tool string, from origin) {
	if to.path == "" {
		return
	}
	if i, ok := t.at[to]; ok {
		if t.from[i] == fromGroup {
			t.from[i] = from
		}
		t.all[i].Tool = cmp.Or(t.all[i].Tool, tool)
		return
	}
	if t.at == nil {
		t.at = make(map[touch]int)
	}
	t.at[to] = len(t.all)
	t.from = append(t.from, from)
	t.all = append(t.all, sources.FileTouch{Path: to.path, Kind: to.kind, Tool: tool, Turn: -1})
}

func (t *touches) has(path, kind string) bool {
	_, ok := t.at[touch{path, kind}]
	return ok
}

// list leaves out the edits that made up the files a tool created.
func (t *touches) list() []sources.FileTouch {
	var out []sources.FileTouch
	for i, f := range t.all {
		if t.from[i] != fromGroup || !t.has(f.Path, sources.Created) {
			out = append(out, f)
		}
	}
	return out
}

// touchKind says what a tool of a kind does to the files it names.
func touchKind(tool string) string {
	switch tool {
	case sources.ToolRead:
		return sources.Viewed
	case sources.ToolEdit:
		return sources.Edited
	case sources.ToolCreate:
		return sources.Created
	}
	return ""
}

// argFiles are the files the arguments of a call name; those of a patch with what
// is done to them.
func argFiles(args *chatlog.Arguments) []touch {
	if args == nil {
		return nil
	}
	var out []touch
	seen := map[touch]bool{}
	add := func(path, kind string) {
		if t := (touch{fileOf(path), kind}); t.path != "" && !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	for _, path := range []string{args.FilePath, args.FilePathSnake, args.Path, args.File, args.DirPath, args.URI} {
		add(path, "")
	}
	for _, path := range slices.Concat(args.FilePaths, args.Files, args.Paths) {
		add(path, "")
	}
	for _, e := range slices.Concat(args.Replacements, args.Edits) {
		add(e.FilePath, "")
		add(e.Path, "")
	}
	for _, f := range args.Patch {
		add(f.Path, f.Kind)
	}
	return out
}

// messageFiles are the files the message of a call links to, taken from what the
// links are said to lead to, else from the links.
func messageFiles(part *chatlog.Part) []touch {
	var out []touch
	seen := map[string]bool{}
	for _, message := range []*chatlog.Markdown{part.PastTenseMessage, part.InvocationMessage} {
		if message == nil {
			continue
		}
		add := func(u places.URI, ok bool) {
			if path := u.File(); ok && path != "" && !seen[path] {
				seen[path] = true
				out = append(out, touch{path: path})
			}
		}
		for _, target := range message.URIs.All() {
			add(target, true)
		}
		if len(out) == 0 {
			for _, m := range links.FindAllStringSubmatch(markdown(message), -1) {
				add(places.ParseURI(m[2]))
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}
