package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// ErrDamaged says that the ledger's file is damaged. It is quarantined when the
// ledger is closed, and the next run begins anew: the ledger is a cache.
var ErrDamaged = errors.New("the ledger is damaged")

// told is system for an open ledger, which takes note of damage.
func (l *Ledger) told(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && (e.Code()&0xff == lib.SQLITE_CORRUPT || e.Code()&0xff == lib.SQLITE_NOTADB) {
		return l.harmed(err)
	}
	return system(err)
}

// Failed is the first read or write that failed since the ledger was opened, nil
// if none did. Nothing is written or committed after it, for what was made of what the
// ledger said since then may lack something.
func (l *Ledger) Failed() error {
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Fail takes note of an error by which what the ledger holds cannot be used, and returns
// it.
func (l *Ledger) Fail(err error) error {
	l.failed.CompareAndSwap(nil, &err)
	return err
}

// Got is what was read of the ledger, by a stage of a run. What could not be read is
// nothing: the ledger has [Ledger.Failed] then, keeps nothing of what is made of that, and
// nobody changes the vault any more.
func Got[T any](read T, _ error) T { return read }

// Found is [Got] for what may not be there.
func Found[T any](read T, there bool, _ error) (T, bool) { return read, there }

// harmed says that what was read from the ledger is not what was put there.
func (l *Ledger) harmed(err error) error {
	l.damaged.Store(true)
	return l.Fail(fmt.Errorf("%w: %w", ErrDamaged, err))
}

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
