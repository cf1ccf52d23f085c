package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// system gives an error of SQLite the error of the system that it stands for: a
// full disk looks the same wherever it is met.
func system(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff { // the rest of the code only says more
	case lib.SQLITE_FULL:
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	case lib.SQLITE_IOERR:
		return fmt.Errorf("%w: %w", syscall.EIO, err)
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		return fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	return err
}
