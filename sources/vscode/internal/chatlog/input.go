package chatlog

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// input is a file that is read as it was when it was opened: what is appended meanwhile waits for the next time. It
// ends with the context, and remembers what went wrong with the file itself.
type input struct {
	*decode.Decoder
	ctx  context.Context
	file *io.SectionReader
	err  error
}

// readFrom decodes what stands behind a place in the file.
func (in *input) readFrom(at int64) *blank {
	text := &blank{src: io.NewSectionReader(in, at, in.file.Size()-at), zeros: -1}
	in.Reset(text)
	return text
}

// ReadAt implements io.ReaderAt.
func (in *input) ReadAt(b []byte, at int64) (n int, err error) {
	if err = in.ctx.Err(); err == nil {
		n, err = in.file.ReadAt(b, at)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		in.err = err
	}
	return n, err
}

// blank reads byte order marks at the start of a window, and zero bytes, as spaces: a crash may
// leave a file that has its length and not its content.
type blank struct {
	src   io.Reader
	read  int64
	zeros int64 // where the first zero byte stood, -1: nowhere
}

func (r *blank) Read(b []byte) (int, error) {
	n, err := r.src.Read(b)
	if r.read == 0 && bytes.HasPrefix(b[:n], []byte("\ufeff")) { // the decoder's first window holds the whole mark
		copy(b, "   ")
	}
	if at := bytes.IndexByte(b[:n], 0); at >= 0 {
		if r.zeros < 0 {
			r.zeros = r.read + int64(at)
		}
		copy(b, bytes.ReplaceAll(b[:n], []byte{0}, []byte{' '}))
	}
	r.read += int64(n)
	return n, err
}

// maxShort is how many bytes are kept of a text that is shown in part.
const maxShort = 4 << 10

// Rendered is what a prompt told the model of the workspace. All else of a rendered prompt repeats the conversation.
type Rendered struct {
	RepoContext, WorkspaceInfo string
}

// ReadJSON reads a prompt as the model got it: a text, or parts of it.
func (r *Rendered) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var prompt struct {
		Text  string    `json:"text" as:"text"`
		Parts []Summary `as:"list"`
	}
	err = d.Read(&prompt)
	var all strings.Builder
	for _, p := range prompt.Parts {
		all.WriteString(p.Text)
	}
	all.WriteString(prompt.Text)
	r.RepoContext, r.WorkspaceInfo = tagged(all.String(), "repoContext"), tagged(all.String(), "workspace_info")
	return true, err
}

func tagged(text, tag string) string {
	_, rest, _ := strings.Cut(text, "<"+tag+">")
	inner, _, _ := strings.Cut(rest, "</"+tag+">")
	return decode.Cut(inner, maxShort)
}

// maxImage is how many bytes of an image are kept.
const maxImage = 10 << 20

// Value is what a variable stands for. A place stays, bytes only where large values are wanted; the rest is text for
// the model. Bytes stand there as {"$base64": …}, or as an object with a member for each.
type Value struct {
	Place
	Bytes []byte
}

// ReadJSON implements decode.Reader.
func (v *Value) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if kind := d.PeekKind(); kind != '{' {
		return kind == '"', d.SkipValue()
	}
	isBytes := false
	err = d.Members(func(name string) error {
		_, noIndex := strconv.ParseUint(name, 10, 32)
		switch {
		case noIndex == nil && d.PeekKind() == '0':
			isBytes = true
			if !d.Large || len(v.Bytes) > maxImage {
				return d.SkipValue()
			}
			var b int64
			err := d.Read(&b)
			v.Bytes = append(v.Bytes, byte(b))
			return err
		case name == "$base64":
			isBytes = true
			var text decode.Large
			err := d.Read(&text)
			if content, wrong := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(text), "=")); wrong == nil && text != "" {
				v.Bytes = content
			}
			return err
		}
		return d.Member(&v.Place, name)
	})
	if isBytes {
		v.Place = Place{}
	}
	if len(v.Bytes) > maxImage {
		v.Bytes = nil
	}
	return true, err
}
