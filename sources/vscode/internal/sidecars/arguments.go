package sidecars

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
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

// raw are the arguments of a call as they stand there, an object or JSON within a
// string (formats/vscode-copilot-chat.md, section 7, case 27). A text that is no
// JSON is a patch.
type raw string

// ReadJSON implements decode.Reader.
func (r *raw) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	switch d.PeekKind() {
	case '"':
		tok, err := d.ReadToken()
		if err == nil {
			*r = raw(tok.String())
		}
		return err == nil, err
	case '{':
		value, err := d.ReadValue()
		*r = raw(value)
		return err == nil, err
	}
	return false, d.SkipValue()
}

// arguments are those that tell what a call does.
type arguments struct {
	file
	DirPath      string   `json:"dirPath"`
	Query        string   `json:"query"`
	Pattern      string   `json:"pattern"`
	URL          string   `json:"url"`
	Description  string   `json:"description"`
	Explanation  string   `json:"explanation"`
	Command      string   `json:"command"`
	Input        string   `json:"input"`
	Patch        string   `json:"patch"`
	URLs         []string `json:"urls"`
	Replacements []file   `json:"replacements"`
	TodoList     []todo   `json:"todoList"` // nil: none
}

// file is one that a call names.
type file struct {
	FilePath      string `json:"filePath"`
	Path          string `json:"path"`
	FilePathSnake string `json:"file_path"`
}

// todo is an entry of the agent's list of things to do.
type todo struct {
	ID          decode.Scalar `json:"id"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Status      string        `json:"status"`
}

// effectsOf reads the arguments of a call.
func effectsOf(name string, text raw) effects {
	var args arguments
	if decode.Text(string(text), &args) != nil {
		args = arguments{Patch: string(text)}
	}
	e := effects{known: text != "", kind: words.ToolKind(name, "", args.Command)}
	if strings.Contains(name, "patch") || strings.Contains(name, "Patch") {
		e.touches = patchTouches(cmp.Or(args.Input, args.Patch))
	} else {
		e.touches = touchesOf(e.kind, args)
	}
	if args.TodoList != nil {
		e.todos = todosOf(args.TodoList)
	}
	e.detail = words.OneLine(cmp.Or(e.describe(args), text.first()), detailSize)
	return e
}

// first is the first text among arguments that is not written into a file.
func (r raw) first() (text string) {
	d := decode.New(strings.NewReader(string(r)))
	_ = d.Members(func(name string) error { // what comes before a fault counts
		switch name {
		case "content", "oldString", "newString", "code":
			return d.SkipValue()
		}
		var value decode.Scalar
		if text != "" || d.PeekKind() != '"' {
			return d.SkipValue()
		}
		err := d.Read(&value)
		text = value.Text
		return err
	})
	return text
}

// touchesOf names the files among the arguments of a call.
func touchesOf(kind string, args arguments) []touch {
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
	for _, f := range append([]file{args.file}, args.Replacements...) {
		path := fileOf(cmp.Or(f.FilePath, f.Path, f.FilePathSnake))
		if path != "" && !strings.HasPrefix(path, "/memories/") { // the memory tool's own
			out = append(out, touch{path, as})
		}
	}
	return out
}

// patchTouches are the files a patch names.
func patchTouches(text string) []touch {
	var out []touch
	for _, f := range words.PatchFiles(text, -1) {
		if path := fileOf(f.Path); path != "" {
			out = append(out, touch{path, f.Kind})
		}
	}
	return out
}

// describe tells a call by its files, else by its command, what it looks for,
// or its description.
func (e effects) describe(args arguments) string {
	var paths []string
	for i, t := range e.touches {
		if i == 0 || t.path != e.touches[i-1].path {
			paths = append(paths, t.path)
		}
	}
	if len(paths) > 0 {
		return strings.Join(paths, ", ")
	}
	first, url := "", ""
	switch e.kind {
	case sources.ToolRun:
		first = args.Command
	case sources.ToolTask:
		first = args.Description
	}
	if len(args.URLs) > 0 {
		url = args.URLs[0]
	}
	return cmp.Or(first, args.Path, args.FilePath, args.DirPath, args.Query, args.Pattern, args.URL, args.Description, args.Explanation, url)
}

// todosOf reads the agent's list of things to do, in its order.
func todosOf(list []todo) []sources.Todo {
	out := []sources.Todo{}
	for _, n := range list {
		id := n.ID.Text
		if number, ok := decode.Number(id); ok && n.ID.Kind == '0' {
			id = strconv.FormatInt(number, 10)
		}
		t := sources.Todo{ID: id, Title: n.Title, Description: n.Description,
			Raw: n.Status, Status: sources.TodoOpen, Origin: "todo list"}
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
