package files

import (
	"io"
	"sync"
)

// Windows are windows of readers that are used again by others: a source has many logs,
// most of them smaller than one window. It is safe for concurrent use; a nil one keeps none.
type Windows struct{ free sync.Pool }

// New is [NewLines] with a window of another reader, where there is one.
func (w *Windows) New(src io.ReaderAt, limit int) *Lines {
	r := NewLines(src, limit)
	if w != nil {
		if kept, ok := w.free.Get().(*[bufSize]byte); ok {
			r.buf = kept[:0]
		}
	}
	return r
}

// Back takes the window of a reader that is not used any more.
func (w *Windows) Back(r *Lines) {
	if w != nil && cap(r.buf) == bufSize {
		w.free.Put((*[bufSize]byte)(r.buf[:bufSize]))
	}
	r.buf = nil
}
