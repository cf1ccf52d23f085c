package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// makeFolder makes a folder and those above it that are missing, so that they are
// still there after a power failure.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, 0o777) // an error if it is no folder
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := makeFolder(above); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	parent, err := os.Open(above)
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(parent), parent.Close())
}
