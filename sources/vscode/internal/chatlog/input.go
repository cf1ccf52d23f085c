package chatlog

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

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
