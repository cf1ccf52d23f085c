package system

import (
	"errors"
	"os"
)

// Writable fails where no file can be made in a folder.
func Writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
