package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Sizes in bytes.
const (
	// MaxLine is the longest line that is held. Reading a session takes about
	// ten times its longest line; real ones, with pictures, stay below 20 MiB.
	MaxLine = 64 << 20

	smallBuf = 16 << 10 // enough for a few new lines
	bufSize  = 64 << 10
	headSize = 4 << 10 // Head shows at least so much of a longer line
	keepSize = 1 << 20 // a larger line buffer is given back after use
)

// Errors of Lines.Bytes.
var (
	// ErrTorn says that the input ends within the line.
	ErrTorn = errors.New("line has no end yet")
	// ErrTooLong says that the line is longer than the limit; it is skipped.
	ErrTooLong = errors.New("line too long")
)

// Lines walks over the lines of an append-only log of one record per line. Nothing
// splits a line but \n, no line is held that the caller does not ask for, and a last
// line without its \n is not a line yet:
//
//	for r.Next() {
//		if wanted(r.Head()) {
//			line, err := r.Bytes()
//			…
//		}
//	}
//	err := r.Err()
//
// A line that outgrows the window is looked through to its end before it is
// held, so that it is held once and exactly.
type Lines struct {
	src io.ReaderAt
	max int
	err error // of src, io.EOF included

	buf  []byte // window of the input: buf[pos:] is not consumed
	pos  int
	base int64 // offset of buf[0]

	long  []byte // the current line, where it outgrew buf
	start int64  // of the current line
	next  int64  // of the line after it, -1 while unknown
	done  int64  // end of the last complete line
}

// NewLines reads src. Lines longer than limit bytes are not held; 0 means MaxLine.
func NewLines(src io.ReaderAt, limit int) *Lines {
	if limit <= 0 {
		limit = MaxLine
	}
	return &Lines{src: src, max: limit}
}

// Next moves to the next line, over whatever is left of the current one, and
// reports whether there is a byte of it.
func (r *Lines) Next() bool {
	if err := r.Skip(); err != nil {
		return false
	}
	r.start, r.next = r.next, -1
	if cap(r.long) > keepSize {
		r.long = nil
	}
	for more := true; more && len(r.buf)-r.pos < headSize; {
		more = r.fill()
	}
	return len(r.buf) > r.pos
}

// Head returns the first bytes of the current line, without reading the rest:
// all of a short line, without its \n, and at least 4 KiB of a longer one. It
// is valid until the next call of another method and only before Bytes or Skip.
func (r *Lines) Head() []byte {
	head := r.buf[r.pos:]
	if i := bytes.IndexByte(head[:min(len(head), headSize)], '\n'); i >= 0 {
		return head[:i]
	}
	return head[:min(len(head), headSize)]
}

// Bytes returns the current line without its \n, valid until the next call.
// The errors are ErrTorn, ErrTooLong and those of the input.
func (r *Lines) Bytes() ([]byte, error) {
	if r.next >= 0 {
		return nil, errors.New("line was already consumed")
	}
	for scanned := 0; ; {
		window := r.buf[r.pos:]
		if i := bytes.IndexByte(window[scanned:], '\n'); i >= 0 {
			return r.take(scanned + i)
		}
		scanned = len(window)
		if scanned == bufSize {
			return r.collect()
		}
		if !r.fill() {
			return nil, r.torn()
		}
	}
}

// take consumes the line whose \n stands n bytes behind pos.
func (r *Lines) take(n int) ([]byte, error) {
	line := r.buf[r.pos : r.pos+n]
	r.pos += n + 1
	r.finish()
	if n > r.max {
		return nil, ErrTooLong
	}
	return line, nil
}

// collect holds a line that fills the window, once its length is known.
func (r *Lines) collect() ([]byte, error) {
	if err := r.Skip(); err != nil {
		return nil, err
	}
	n := int(r.next - r.start - 1)
	if n > r.max {
		return nil, ErrTooLong
	}
	if r.long = r.long[:0]; cap(r.long) < n {
		r.long = make([]byte, 0, n)
	}
	r.long = r.long[:n]
	if got, err := r.src.ReadAt(r.long, r.start); got < n {
		r.err = fmt.Errorf("read a line of %d bytes again: %w", n, err)
		return nil, r.err
	}
	return r.long, nil
}

// Skip passes the current line without holding it; it does nothing where the
// line was consumed. The errors are ErrTorn and those of the input.
func (r *Lines) Skip() error {
	for r.next < 0 {
		window := r.buf[r.pos:]
		if i := bytes.IndexByte(window, '\n'); i >= 0 {
			r.pos += i + 1
			r.finish()
			return nil
		}
		r.pos += len(window)
		if !r.fill() {
			return r.torn()
		}
	}
	return nil
}

// Body reads what is left of the current line, without its \n and without
// holding it; it is valid until the next call of another method, which may be
// Skip for the rest. Its errors are io.EOF at the \n, ErrTorn where the input
// ends before it, and those of the input.
func (r *Lines) Body() io.Reader { return body{r} }

type body struct{ *Lines }

func (r body) Read(b []byte) (int, error) {
	if r.next >= 0 {
		return 0, io.EOF
	}
	if len(r.buf) == r.pos && !r.fill() {
		return 0, r.torn()
	}
	window := r.buf[r.pos:]
	n := copy(b, window)
	if i := bytes.IndexByte(window[:n], '\n'); i == 0 {
		r.pos++
		r.finish()
		return 0, io.EOF
	} else if i > 0 {
		n = i
	}
	r.pos += n
	return n, nil
}

// Start is the offset of the current line.
func (r *Lines) Start() int64 { return r.start }

// Done is the offset behind the last complete line.
func (r *Lines) Done() int64 { return r.done }

// Err is what ended the reading, nil at the end of the input.
func (r *Lines) Err() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}

func (r *Lines) torn() error {
	if err := r.Err(); err != nil {
		return err
	}
	return ErrTorn
}

func (r *Lines) finish() {
	r.next = r.base + int64(r.pos)
	r.done = r.next
}

// makeRoom moves the window to the front of the buffer, the first time of a
// larger one.
func (r *Lines) makeRoom() {
	to := r.buf[:cap(r.buf)]
	switch {
	case to == nil:
		to = make([]byte, smallBuf)
	case len(to) < bufSize:
		to = make([]byte, bufSize)
	}
	n := copy(to, r.buf[r.pos:])
	r.base += int64(r.pos)
	r.buf, r.pos = to[:n], 0
}

// fill reads more input behind the window. It reports false when there is no
// more.
func (r *Lines) fill() bool {
	if r.err != nil {
		return false
	}
	if cap(r.buf)-len(r.buf) < headSize {
		r.makeRoom()
	}
	n, err := r.src.ReadAt(r.buf[len(r.buf):cap(r.buf)], r.base+int64(len(r.buf)))
	r.buf = r.buf[:len(r.buf)+n]
	r.err = err
	return n > 0
}
