package lines

import (
	"errors"
	"fmt"
	"os"
)

// ErrNotRegular says that a path names a pipe, a folder or a device.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading. It follows symbolic links, and never
// waits: a named pipe without a writer is ErrNotRegular like any other.
func Open(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %q: %w", path, ErrNotRegular)
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
