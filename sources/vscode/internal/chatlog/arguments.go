package chatlog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Sizes of what is kept.
const (
	maxShort = 4 << 10 // bytes of a text that is shown in part
	maxFiles = 200     // files of a patch
)

// Arguments are the parameters of a tool call: those of VS Code's own tools and
// the usual ones of others, which tell what the call was about; never what is
// written into a file.
type Arguments struct {
	NamedFile
	URL            string      `json:"url" max:"2048"`
	Query          string      `json:"query" max:"2048"`
	Pattern        string      `json:"pattern" max:"2048"`
	IncludePattern string      `json:"includePattern" max:"2048"`
	Command        string      `json:"command" max:"2048"`
	Description    string      `json:"description" max:"2048"`
	SymbolName     string      `json:"symbolName" max:"2048"`
	Symbol         string      `json:"symbol" max:"2048"`
	FilePaths      []string    `json:"filePaths" max:"2048"`
	Files          []string    `json:"files" max:"2048"`
	Paths          []string    `json:"paths" max:"2048"`
	URLs           []string    `json:"urls" max:"2048"`
	Replacements   []NamedFile `json:"replacements"`
	Edits          []NamedFile `json:"edits"`
	Patch          Patch       `json:"input"`
	TodoList       []Todo      `json:"todoList"` // nil: none
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

// ReadJSON reads an object, or the text of one. Another text may be a patch, of a
// call whose one parameter that is.
func (a *Arguments) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object Arguments
	switch d.PeekKind() {
	case '{':
		return true, d.Read((*object)(a))
	case '"':
		tok, err := d.ReadToken()
		if err != nil {
			return false, err
		}
		if text := tok.String(); decode.Text(text, (*object)(a)) != nil {
			*a = Arguments{Patch: patchOf(text)}
		}
		return true, nil
	}
	return false, d.SkipValue()
}

// Patch are the files that a patch names.
type Patch []words.PatchFile

// ReadJSON implements decode.Reader.
func (p *Patch) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if d.PeekKind() != '"' {
		return false, d.SkipValue()
	}
	tok, err := d.ReadToken()
	if err == nil {
		*p = patchOf(tok.String())
	}
	return true, err
}

func patchOf(text string) Patch {
	files := words.PatchFiles(text, maxFiles)
	for i := range files {
		files[i].Path = decode.Cut(files[i].Path, 2<<10)
	}
	return files
}

// Rendered is what a prompt told the model of the workspace. All else of a rendered
// prompt repeats the conversation.
type Rendered struct {
	RepoContext, WorkspaceInfo string
}

// ReadJSON reads a prompt as the model got it: a text, or parts of it.
func (r *Rendered) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type part struct {
		Text string `json:"text" as:"text"`
	}
	var prompt struct {
		part
		Parts []part `as:"list"`
	}
	err = d.Read(&prompt)
	var all strings.Builder
	for _, p := range append(prompt.Parts, prompt.part) {
		all.WriteString(p.Text)
	}
	r.RepoContext, r.WorkspaceInfo = tagged(all.String(), "repoContext"), tagged(all.String(), "workspace_info")
	return true, err
}

func tagged(text, tag string) string {
	_, rest, _ := strings.Cut(text, "<"+tag+">")
	inner, _, _ := strings.Cut(rest, "</"+tag+">")
	return decode.Cut(inner, maxShort)
}

// input is a file that is read: it ends with the context and remembers what
// went wrong with the file itself.
type input struct {
	*decode.Decoder
	ctx  context.Context
	file *os.File
	size int64 // when it was opened
	err  error
}

// openFile opens a file of a session as an input.
func openFile(ctx context.Context, path string, images bool) (*input, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return nil, err
	}
	in := &input{Decoder: decode.New(nil), ctx: ctx, file: f, size: info.Size()}
	in.Large = images
	return in, nil
}

// ReadAt reads of the file as it was when it was opened: what is appended
// meanwhile waits for the next time.
func (in *input) ReadAt(b []byte, at int64) (int, error) {
	if in.err == nil {
		in.err = in.ctx.Err()
	}
	if in.err != nil {
		return 0, in.err
	}
	n, err := io.NewSectionReader(in.file, 0, in.size).ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		in.err = err
	}
	return n, err
}

// blank reads the byte order mark at the start of a file, and zero bytes, as
// spaces: a crash may leave a file that has its length and not its content.
type blank struct {
	src   io.Reader
	start bool // at the start of the file
	zeros bool // there were zero bytes
}

func (r *blank) Read(b []byte) (int, error) {
	n, err := r.src.Read(b)
	if r.start && n > 0 { // the decoder's first window holds the whole mark
		r.start = false
		if bytes.HasPrefix(b[:n], []byte("\ufeff")) {
			copy(b, "   ")
		}
	}
	if bytes.IndexByte(b[:n], 0) >= 0 {
		r.zeros = true
		copy(b, bytes.ReplaceAll(b[:n], []byte{0}, []byte{' '}))
	}
	if errors.Is(err, files.ErrTorn) {
		err = io.EOF
	}
	return n, err
}
