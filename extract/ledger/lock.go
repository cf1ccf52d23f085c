package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

// Errors that a caller tells apart.
var (
	// ErrLocked says that another run holds the lock of this vault.
	ErrLocked = errors.New("another run is at work on this vault")
	// ErrNoLocks says that no lock can be had where the state folder lies.
	ErrNoLocks = errors.New("no lock can be had here")
)

// takeLock takes the lock of a state folder, or returns [ErrLocked] at once.
// The lock goes with the process that holds it, however that ends.
func takeLock(path string) (*flock.Flock, error) {
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		switch {
		case errors.Is(err, syscall.ENOLCK) || errors.Is(err, errors.ErrUnsupported):
			return nil, fmt.Errorf("lock %q: %w: %w", path, ErrNoLocks, err)
		case err != nil:
			return nil, fmt.Errorf("lock %q: %w", path, err)
		case !ok:
			return nil, ErrLocked
		case !current(lock):
			// Deleted between its opening and its locking: the next one locks
			// another file.
			if err := lock.Unlock(); err != nil {
				return nil, fmt.Errorf("lock %q: %w", path, err)
			}
			continue
		}
		return lock, nil
	}
}

// current tells whether the locked file is still the one of that name.
func current(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return true // nothing is known against it
	}
	named, err := os.Stat(filepath.Clean(lock.Path()))
	return err == nil && os.SameFile(held, named)
}
