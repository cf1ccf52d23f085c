package sidecars

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/oneline"
	"github.com/sessionloom/sessionloom/sources/internal/patch"
	"github.com/sessionloom/sessionloom/sources/internal/toolkind"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// detailSize bounds the one line of a call, in bytes.
const detailSize = 300

// effects is what the arguments of a call say it does.
type effects struct {
	known   bool // there were arguments
	kind    string
	detail  string
	touches []touch
	todos   []sources.Todo // nil: the call writes no list
}

// touch is what a call does with one file.
type touch struct{ path, kind string }

// effectsOf reads the arguments of a call, an object or JSON within a string
// (formats/vscode-copilot-chat.md, section 7, quirk 27).
func effectsOf(name string, args *tree.Node) effects {
	diff := ""
	if text := args.Text(); text != "" {
		if n, err := tree.Parse(text); err == nil {
			args = n
		} else {
			diff = text
		}
	}
	diff = cmp.Or(diff, args.Get("input").Text(), args.Get("patch").Text())
	e := effects{known: args.Has(), kind: toolkind.Of(name, "", args.Get("command").Text())}
	if strings.Contains(name, "patch") || strings.Contains(name, "Patch") {
		e.touches = patchTouches(diff)
	} else {
		e.touches = touchesOf(e.kind, args)
	}
	if list := args.Get("todoList"); list.Kind() == tree.Array {
		e.todos = todosOf(list)
	}
	e.detail = oneline.Clip(e.describe(args), detailSize)
	return e
}

// touchesOf names the files among the arguments of a call.
func touchesOf(kind string, args *tree.Node) []touch {
	as := ""
	switch kind {
	case sources.ToolRead:
		as = sources.Viewed
	case sources.ToolEdit:
		as = sources.Edited
	case sources.ToolCreate:
		as = sources.Created
	default:
		return nil
	}
	var out []touch
	add := func(n *tree.Node) {
		path := fileOf(pathOf(n))
		if path != "" && !strings.HasPrefix(path, "/memories/") { // the memory tool's own
			out = append(out, touch{path, as})
		}
	}
	add(args)
	for _, r := range args.Get("replacements").Items() {
		add(r)
	}
	return out
}

// pathOf is the file among the arguments of a call.
func pathOf(args *tree.Node) string {
	return cmp.Or(args.Get("filePath").Text(), args.Get("path").Text(), args.Get("file_path").Text())
}

// patchTouches are the files a patch names.
func patchTouches(text string) []touch {
	var out []touch
	for _, f := range patch.Files(text, -1) {
		if path := fileOf(f.Path); path != "" {
			out = append(out, touch{path, f.Kind})
		}
	}
	return out
}

// describe tells a call by its files, else by its command, what it looks for,
// its description, or the first text among its arguments.
func (e effects) describe(args *tree.Node) string {
	var paths []string
	for i, t := range e.touches {
		if i == 0 || t.path != e.touches[i-1].path {
			paths = append(paths, t.path)
		}
	}
	if len(paths) > 0 {
		return strings.Join(paths, ", ")
	}
	keys := []string{"path", "filePath", "dirPath", "query", "pattern", "url", "description", "explanation"}
	switch e.kind {
	case sources.ToolRun:
		keys = append([]string{"command"}, keys...)
	case sources.ToolTask:
		keys = append([]string{"description"}, keys...)
	}
	for _, key := range keys {
		if text := args.Get(key).Text(); text != "" {
			return text
		}
	}
	if text := args.Get("urls").At(0).Text(); text != "" {
		return text
	}
	for _, value := range args.Members() {
		if text := value.Text(); text != "" {
			return text
		}
	}
	return ""
}

// todosOf reads the agent's list of things to do, in its order.
func todosOf(list *tree.Node) []sources.Todo {
	out := []sources.Todo{}
	for _, n := range list.Items() {
		id := n.Get("id").Text()
		if number, ok := n.Get("id").Int(); ok {
			id = strconv.FormatInt(number, 10)
		}
		t := sources.Todo{ID: id, Title: n.Get("title").Text(), Description: n.Get("description").Text(),
			Raw: n.Get("status").Text(), Status: sources.TodoOpen, Origin: "todo list"}
		switch t.Raw {
		case "completed", "done":
			t.Status = sources.TodoDone
		case "in-progress", "in_progress":
			t.Status = sources.TodoInProgress
		}
		if t.Title != "" {
			out = append(out, t)
		}
	}
	return out
}
