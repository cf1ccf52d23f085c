package words

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// Arguments are the parameters of a tool call: those of the agents' own tools and
// the usual ones of others, which tell what the call was about; never what is
// written into a file.
type Arguments struct {
	NamedFile
	URL            string      `json:"url" max:"2048"`
	Query          string      `json:"query" max:"2048"`
	Pattern        string      `json:"pattern" max:"2048"`
	IncludePattern string      `json:"includePattern" max:"2048"`
	Command        Command     `json:"command"`
	Description    string      `json:"description" max:"2048"`
	SymbolName     string      `json:"symbolName" max:"2048"`
	Symbol         string      `json:"symbol" max:"2048"`
	FilePaths      []string    `json:"filePaths" max:"2048"`
	Files          []string    `json:"files" max:"2048"`
	Paths          []string    `json:"paths" max:"2048"`
	URLs           []string    `json:"urls" max:"2048"`
	Replacements   []NamedFile `json:"replacements"`
	Edits          []NamedFile `json:"edits"`
	Input          Patch       `json:"input"`
	Patch          Patch       `json:"patch"`
	TodoList       []Todo      `json:"todoList"`                // nil: none
	First          string      `json:"-" as:"first" max:"1024"` // whatever its name

	PullNumber      decode.Whole `json:"pullNumber"` // of a tool of a forge, as the others
	PullNumberSnake decode.Whole `json:"pull_number"`
	IssueNumber     decode.Whole `json:"issueNumber"`
	IssueSnake      decode.Whole `json:"issue_number"`
	SHA             string       `json:"sha" max:"2048"`
	Owner           string       `json:"owner" max:"2048"`
	Repo            string       `json:"repo" max:"2048"`
}

// NamedFile is a file, as tools call the parameter.
type NamedFile struct {
	FilePath      string `json:"filePath" max:"2048"`
	FilePathSnake string `json:"file_path" max:"2048"`
	Path          string `json:"path" max:"2048"`
	File          string `json:"file" max:"2048"`
	DirPath       string `json:"dirPath" max:"2048"`
	URI           string `json:"uri" max:"2048"`
}

// Name is what the file is called.
func (f NamedFile) Name() string {
	return cmp.Or(f.FilePath, f.FilePathSnake, f.Path, f.File, f.DirPath, f.URI)
}

// Command is what a shell runs, a text or its words; of other tools a sub-command.
type Command struct {
	Text  string   `as:"text" max:"65536"`
	Words []string `as:"list"`
}

// maxLine is the size in bytes of what is kept of a command, scripts in it included.
const maxLine = 8 << 10

// Line is what the shell was given, whole but for the end of a long script.
func (c Command) Line() string { return CommandLine(cmp.Or(c.Text, strings.Join(c.Words, " "))) }

// CommandLine is a command as it is kept: what a terminal hides is out, line breaks stay. A
// long one is cut behind a line or a word: half a word may be half a secret.
func CommandLine(text string) string {
	if strings.ContainsAny(text, "\x1b\u009b") {
		text = codes.ReplaceAllString(text, "")
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if len(text) <= maxLine {
		return text
	}
	text = decode.Cut(text, maxLine-len("…"))
	return text[:max(strings.LastIndexAny(text, " \n"), 0)] + "…"
}

// Todo is an entry of the agent's list.
type Todo struct {
	ID          decode.Scalar `json:"id"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Status      string        `json:"status"`
}

// ReadJSON reads an object, or the text of one. Another text may be a patch, of a
// call whose one parameter that is. A parameter of another type is that of a tool
// nobody here knows, and not counted.
func (a *Arguments) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object Arguments
	counted := d.Misfits
	d.Misfits = nil
	defer func() { d.Misfits = counted }()
	switch d.PeekKind() {
	case '{':
		return true, d.Read((*object)(a))
	case '"':
		var text string
		if err := d.Read(&text); err != nil {
			return false, err
		}
		if decode.Text(text, (*object)(a)) != nil {
			*a = Arguments{Patch: Patch{Files: patchOf(text).Files}}
		}
		return true, nil
	}
	return false, d.SkipValue()
}

// Patch is a patch, of which the files it names are kept, or another text, of which
// the beginning is.
type Patch struct {
	Files []PatchFile
	Text  string
}

// ReadJSON implements decode.Reader.
func (p *Patch) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if d.PeekKind() != '"' {
		return false, d.SkipValue()
	}
	var text string
	err = d.Read(&text)
	*p = patchOf(text)
	return true, err
}

// PatchFile is a file that a patch names, with what is done to it: one of the kinds
// of file touches.
type PatchFile struct{ Path, Kind string }

// Sizes of what is kept of a patch.
const (
	maxFiles = 200
	maxText  = 2 << 10 // bytes
)

// PatchFiles are the files that a patch names, none of what is no patch.
func PatchFiles(text string) []PatchFile { return patchOf(text).Files }

// patchOf reads the file headers of a patch. A move gives the old path as deleted and
// the new one as renamed. Text that is no patch names none.
func patchOf(text string) Patch {
	var out []PatchFile
	for line := range strings.Lines(text) {
		header, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "*** ")
		if !ok || len(out) >= maxFiles {
			continue
		}
		verb, path, _ := strings.Cut(header, ": ")
		if path = decode.Cut(strings.TrimSpace(path), maxText); path == "" {
			continue
		}
		switch verb {
		case "Add File":
			out = append(out, PatchFile{path, sources.Created})
		case "Update File":
			out = append(out, PatchFile{path, sources.Edited})
		case "Delete File":
			out = append(out, PatchFile{path, sources.Deleted})
		case "Move to":
			if n := len(out); n > 0 && out[n-1].Kind == sources.Edited {
				out[n-1].Kind = sources.Deleted
			}
			out = append(out, PatchFile{path, sources.Renamed})
		}
	}
	if len(out) > 0 {
		return Patch{Files: out}
	}
	return Patch{Text: decode.Cut(text, maxText)}
}

// Todos are the agent's list of things to do, in its order, as it stood at a time.
func Todos(list []Todo, at time.Time) []sources.Todo {
	var out []sources.Todo
	for i, n := range list {
		t := sources.Todo{ID: cmp.Or(OneLine(n.ID.Text, len(n.ID.Text)), strconv.Itoa(i+1)), Title: OneLine(n.Title, maxText),
			Status: TodoStatus(n.Status), Raw: n.Status, Origin: "todo list", Description: n.Description, At: at}
		if t.Title != "" {
			out = append(out, t)
		}
	}
	return out
}

// TodoStatus maps the states of all agents; one that is not known is open.
func TodoStatus(raw string) string {
	switch strings.ToLower(strings.TrimSpace(raw)) {
	case "done", "completed", "complete":
		return sources.TodoDone
	case "in_progress", "in-progress":
		return sources.TodoInProgress
	case "blocked":
		return sources.TodoBlocked
	}
	return sources.TodoOpen
}
