package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
			return nil, locked(path)
		case !current(lock):
			// Deleted between its opening and its locking: the next one locks
			// another file.
			if err := lock.Unlock(); err != nil {
				return nil, fmt.Errorf("lock %q: %w", path, err)
			}
			continue
		}
		// The pid is a hint for the message only; the lock itself is the truth.
		_ = os.WriteFile(path+".pid", []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
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

// locked is ErrLocked with the process that holds the lock, where it has said so
// already and still lives.
func locked(path string) error {
	text, _ := os.ReadFile(path + ".pid")
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return ErrLocked
	}
	holder, err := os.FindProcess(pid)
	if err == nil {
		err = holder.Signal(syscall.Signal(0)) // asks whether it lives
	}
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH) {
		return ErrLocked
	}
	return fmt.Errorf("%w (process %d)", ErrLocked, pid)
}
