package lines

import (
	"errors"
	"fmt"
	"os"
)

var (
	// ErrNotRegular says that a path names a pipe, a folder or a device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge says that a file is larger than any log can be.
	ErrTooLarge = errors.New("too large for a log")
)

// MaxFile is the size in bytes of the largest file that is opened. A file of
// holes says it has terabytes, and reading them takes hours.
const MaxFile = 16 << 30

// Open opens a regular file for reading. It follows symbolic links, and never
// waits: a named pipe without a writer is ErrNotRegular like any other. One
// beyond MaxFile is ErrTooLarge.
func Open(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %q: %w", path, ErrNotRegular)
	} else if err == nil && info.Size() > MaxFile {
		err = fmt.Errorf("open %q of %d bytes: %w", path, info.Size(), ErrTooLarge)
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
