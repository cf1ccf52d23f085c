package system

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Makeable fails where no file can be made in a folder, or above it where the folder is not there.
func Makeable(dir string) error {
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	return Writable(dir)
}

// Writable fails where no file can be made in a folder.
func Writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
