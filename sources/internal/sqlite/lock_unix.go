//go:build unix

package sqlite

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// lockShared takes a read lock on the bytes of SQLite's SHARED lock (sqlite.org, "File locking").
// Closing the file ends it.
func lockShared(f *os.File) error {
	lock := unix.Flock_t{Type: unix.F_RDLCK, Whence: io.SeekStart, Start: 0x40000002, Len: 510}
	if err := unix.FcntlFlock(f.Fd(), unix.F_SETLK, &lock); err != nil {
		if err == unix.EAGAIN || err == unix.EACCES {
			return fmt.Errorf("%w: %w", files.ErrBusy, err)
		}
		return nil // no locks on this file system: SQLite reports it if necessary
	}
	return nil
}
