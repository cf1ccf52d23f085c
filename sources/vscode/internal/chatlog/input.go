package chatlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// input is a file that is read: it counts the bytes, ends with the context and
// remembers what went wrong with the file itself.
type input struct {
	ctx  context.Context
	src  io.ReaderAt
	size int64 // when it was opened
	opt  Options
	read int64
	err  error

	unknown map[string]int // mutations of unknown kinds
	misfits map[string]int // values of another type than declared
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
	n, err := io.NewSectionReader(in.src, 0, in.size).ReadAt(b, at)
	in.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		in.err = err
	}
	return n, err
}

// decoder reads the bytes from offset to end.
func (in *input) decoder(offset, end int64) *decode.Decoder {
	return in.newDecoder(&blank{src: io.NewSectionReader(in, offset, end-offset), start: offset == 0})
}

// newDecoder reads any bytes as those of the file.
func (in *input) newDecoder(r io.Reader) *decode.Decoder {
	d := decode.New(r)
	d.Large, d.Misfits = in.opt.Images, in.misfits
	return d
}

// counted is what is not known, nil for nothing.
func (in *input) counted() map[string]int {
	for name, n := range in.misfits {
		in.unknown[fmt.Sprintf("%s of another type", name)] += n
	}
	if len(in.unknown) == 0 {
		return nil
	}
	return in.unknown
}

// blank reads the byte order mark at the start of a file, and zero bytes, as
// spaces: a crash may leave a file that has its length and not its content.
type blank struct {
	src   io.Reader
	start bool // at the start of the file
	zeros bool // there were zero bytes
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func (r *blank) Read(b []byte) (int, error) {
	n, err := r.src.Read(b)
	if r.start && n > 0 {
		// The decoder's first window holds the whole mark.
		r.start = false
		if bytes.HasPrefix(b[:n], byteOrderMark) {
			copy(b, "   ")
		}
	}
	for i := 0; i < n; i++ {
		j := bytes.IndexByte(b[i:n], 0)
		if j < 0 {
			break
		}
		i += j
		b[i], r.zeros = ' ', true
	}
	if errors.Is(err, files.ErrTorn) {
		err = io.EOF
	}
	return n, err
}

// openFile opens a file of a session as an input.
func openFile(ctx context.Context, path string, opt Options) (*input, func(), error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return nil, nil, err
	}
	in := &input{ctx: ctx, src: f, size: info.Size(), opt: opt, unknown: map[string]int{}, misfits: map[string]int{}}
	return in, func() { _ = f.Close() }, nil // nothing was written
}

// entryMarks begin an entry, requestMarks a request, pendingMarks those that wait, as VS Code writes them.
// Within a text they cannot stand: there their quotes are escaped.
var (
	entryMarks = [][]byte{[]byte(`{"kind":0,"v":{`), []byte(`{"kind":1,"k":[`), []byte(`{"kind":2,"k":[`), []byte(`{"kind":3,"k":[`)}

	requestMarks = [][]byte{[]byte(`{"requestId":"`)}
	pendingMarks = [][]byte{[]byte(`"pendingRequests":[`)} // which hold requests too
)

// mark gives the first place of a mark from offset on and before end, -1 where
// there is none.
func (in *input) mark(marks [][]byte, offset, end int64) int64 {
	overlap := len(marks[0]) - 1
	buf := make([]byte, max(0, min(64<<10, end-offset)))
	for offset < end {
		n, _ := in.ReadAt(buf[:min(int64(len(buf)), end-offset)], offset)
		first := -1
		for _, m := range marks {
			if i := bytes.Index(buf[:n], m); i >= 0 && (first < 0 || i < first) {
				first = i
			}
		}
		if first >= 0 {
			return offset + int64(first)
		}
		if n <= overlap {
			break
		}
		offset += int64(n - overlap)
	}
	return -1
}
