//go:build unix

package ledger

import (
	"errors"
	"syscall"
)

// lockless tells a file system that knows no locks.
func lockless(err error) bool {
	return errors.Is(err, syscall.ENOLCK) || errors.Is(err, errors.ErrUnsupported)
}

// alive tells whether there is a process of that number.
func alive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
