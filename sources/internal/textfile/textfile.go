// Package textfile reads small text files of unknown origin: it never blocks on
// a pipe, never follows a symbolic link at the end of the path, never holds more
// than a limit, and tells text from binary.
package textfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"
)

// ErrNotRegular is returned for what is no plain file: a folder, a pipe, a
// socket, a device, a symbolic link.
var ErrNotRegular = errors.New("not a regular file")

// Why the text of a file is not given.
const (
	LeftBinary = "binary"
	LeftLarge  = "too large"
)

// Text is what a file holds.
type Text struct {
	Body string // empty where Left is set; a byte order mark is removed
	Size int64  // bytes on disk
	Left string // LeftBinary, LeftLarge or empty
	Read int64  // bytes that were read
}

// Open opens a regular file for reading and refuses everything else with
// ErrNotRegular, without waiting for a writer at the other end of a pipe.
func Open(path string) (*os.File, fs.FileInfo, error) {
	f, err := open(path)
	if err != nil {
		if info, lerr := os.Lstat(path); lerr == nil && !info.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("open %q: %w (%s)", path, ErrNotRegular, kind(info.Mode()))
		}
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

// Read reads a file of at most limit bytes. A larger one, or one that is no
// UTF-8 text, is told by Left and gives no body; this is no error.
func Read(path string, limit int64) (Text, error) {
	f, info, err := Open(path)
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
	t.Read = int64(len(body))
	if err != nil {
		return t, fmt.Errorf("read %q: %w", path, err)
	}
	t.Size = t.Read
	switch {
	case t.Read > limit: // it grew meanwhile
		t.Left = LeftLarge
	case bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(body):
		t.Left = LeftBinary
	default:
		t.Body = string(bytes.TrimPrefix(body, []byte("\ufeff")))
	}
	return t, nil
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
