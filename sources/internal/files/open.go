// Package files reads what agents leave on disk, and changes nothing: logs line by line, small texts,
// and the parts of an item with their stamps.
package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"
)

// Reasons for not reading a file.
var (
	ErrNotRegular  = errors.New("not a regular file")  // a folder, a pipe, a socket, a device, a link
	ErrTooLarge    = errors.New("too large for a log") // see MaxLog
	ErrBusy        = errors.New("database is busy")    // it changed or was locked at every attempt; the next run may succeed
	ErrNotDatabase = errors.New("not a database")      // not a SQLite database
	ErrPointer     = errors.New("pointers of Git LFS stand in place of files")
)

// MaxLog is the size in bytes of the largest log that is opened: a sparse one would take hours.
const MaxLog = 16 << 30

// OpenLog opens a regular file of at most MaxLog bytes, or a link to one.
func OpenLog(path string) (*os.File, fs.FileInfo, error) {
	f, info, err := open(path, 0)
	if err == nil && info.Size() > MaxLog {
		f.Close()
		return nil, nil, fmt.Errorf("open %q of %d bytes: %w", path, info.Size(), ErrTooLarge)
	}
	return f, info, err
}

// OpenText opens a regular file, but no link to one.
func OpenText(path string) (*os.File, fs.FileInfo, error) {
	f, info, err := open(path, noFollow)
	if err != nil {
		if there, lerr := os.Lstat(path); lerr == nil && !there.Mode().IsRegular() {
			err = fmt.Errorf("open %q: %w (%s)", path, ErrNotRegular, kind(there.Mode()))
		}
	}
	return f, info, err
}

// open refuses anything but a regular file, and never waits, as for a pipe's writer.
func open(path string, flags int) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking|flags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %q: %w (%s)", path, ErrNotRegular, kind(info.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "a device"
	}
}

// Reasons for leaving out the text of a file.
const (
	LeftBinary = "binary"
	LeftLarge  = "too large"
)

// Text is the content of a small file.
type Text struct {
	Body string // empty if Left is set; without byte order mark
	Size int64  // bytes on disk
	Left string // LeftBinary, LeftLarge or ""
}

// ReadText reads a file of at most limit bytes. For a larger one, or one that is not UTF-8 text, it
// sets Left, leaves Body empty and returns no error.
func ReadText(path string, limit int64) (Text, error) {
	f, info, err := OpenText(path)
	if err != nil {
		return Text{}, err
	}
	defer f.Close()
	t := Text{Size: info.Size()}
	if t.Size > limit {
		t.Left = LeftLarge
		return t, nil
	}
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return t, fmt.Errorf("read %q: %w", path, err)
	}
	t.Size = int64(len(body))
	switch {
	case t.Size > limit: // it grew meanwhile
		t.Left = LeftLarge
	case bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(body):
		t.Left = LeftBinary
	default:
		t.Body = string(bytes.TrimPrefix(body, []byte("\ufeff")))
	}
	return t, nil
}
