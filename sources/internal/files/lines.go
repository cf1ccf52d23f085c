package files

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"sync"
)

// Sizes in bytes.
const (
	// MaxLine is the longest line that is held. Reading a session takes about ten times the memory of
	// its longest line; real ones, with pictures, stay below 20 MiB.
	MaxLine = 64 << 20

	bufSize  = 64 << 10
	headSize = 4 << 10 // length of Head for a longer line
	keepSize = 1 << 20 // a larger line buffer is dropped after use
)

// Errors of Lines.Bytes.
var (
	// ErrTorn says that the input ends within the line.
	ErrTorn = errors.New("line has no end yet")
	// ErrTooLong says that the line is longer than the limit; it is skipped.
	ErrTooLong = errors.New("line too long")
)

// Lines reads the lines of an append-only log of one record per line. Only \n ends a line, only
// requested lines are held, and a last line without its \n is not a line yet:
//
//	for r.Next() {
//		if wanted(r.Head()) {
//			line, err := r.Bytes()
//			…
//		}
//	}
//	err := r.Err()
type Lines struct {
	in  *bufio.Reader
	max int
	err error // error of the input, also io.EOF

	long   []byte // the current line, if it outgrew the buffer
	start  int64  // offset of the current line
	at     int64  // offset up to which the input was consumed
	within bool   // the current line was not consumed to its end
}

// buffers are reused, as there are many logs.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, bufSize) }}

// NewLines reads an input. Lines longer than limit bytes are not held; 0 means MaxLine.
func NewLines(in io.Reader, limit int) *Lines {
	if limit <= 0 {
		limit = MaxLine
	}
	r := &Lines{in: buffers.Get().(*bufio.Reader), max: limit}
	r.in.Reset(in)
	return r
}

// Release returns the buffer of a reader that is no longer used.
func (r *Lines) Release() {
	r.in.Reset(nil)
	buffers.Put(r.in)
	r.in = nil
}

// Next moves to the next line, and reports whether it has a byte.
func (r *Lines) Next() bool {
	if err := r.Skip(); err != nil {
		return false
	}
	r.start = r.at
	if cap(r.long) > keepSize {
		r.long = nil
	}
	if _, err := r.in.Peek(1); err != nil {
		r.err = err
		return false
	}
	r.within = true
	return true
}

// Head returns the first bytes of the current line: all of a short line, without its \n, and 4 KiB of a
// longer one. It is valid until another method is called, and only before Bytes or Skip.
func (r *Lines) Head() []byte {
	head, _ := r.in.Peek(headSize) // an error is returned again
	head, _, _ = bytes.Cut(head, []byte{'\n'})
	return head
}

// Bytes returns the current line without its \n, valid until the next call. Errors are ErrTorn, which comes
// with a short line, ErrTooLong and the input's.
func (r *Lines) Bytes() ([]byte, error) {
	line, err := r.slice()
	if isFull(err) { // it outgrew the buffer
		for r.long = r.long[:0]; isFull(err) && len(r.long) <= r.max; line, err = r.slice() {
			r.long = append(r.long, line...)
		}
		switch {
		case isFull(err):
			r.long = nil
			return nil, cmp.Or(r.Skip(), ErrTooLong)
		case err != nil:
			return nil, err
		}
		r.long = append(r.long, line...)
		line = r.long
	}
	switch {
	case err != nil:
		return line, err
	case len(line)-1 > r.max:
		return nil, ErrTooLong
	}
	return line[:len(line)-1], nil
}

// isFull reports whether a part of a line fills the buffer, so that the line goes on.
func isFull(err error) bool { return errors.Is(err, bufio.ErrBufferFull) }

// slice consumes the rest of the line with its \n, or as much as the buffer holds.
func (r *Lines) slice() ([]byte, error) {
	part, err := r.in.ReadSlice('\n')
	r.at += int64(len(part))
	switch {
	case err == nil:
		r.within = false
	case errors.Is(err, io.EOF): // within the line
		r.err, err = err, ErrTorn
	case !isFull(err):
		r.err = err
	}
	return part, err
}

// Skip skips the rest of the current line without holding it. Errors are ErrTorn and the input's.
func (r *Lines) Skip() error {
	for r.within {
		if _, err := r.slice(); err != nil && !isFull(err) {
			return err
		}
	}
	return nil
}

// Start returns the offset of the current line.
func (r *Lines) Start() int64 { return r.start }

// Done returns the offset after the last complete line.
func (r *Lines) Done() int64 {
	if r.within {
		return r.start
	}
	return r.at
}

// Err returns the error that ended the reading, nil at the end of the input.
func (r *Lines) Err() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}
