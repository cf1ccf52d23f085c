package store

import (
	"errors"
	"io/fs"
	"syscall"
)

// tolerate forgives a file system that does not know a call at all.
func tolerate(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// tolerateMode forgives a file system that keeps no modes, or has another owner for
// whatever is made on it: as made, the file is open to nobody else.
func tolerateMode(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return tolerate(err)
}

// noLinks tells whether a second link failed because the file system has none.
func noLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM)
}
