package memdb

import (
	"errors"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// RefusedError says that a statement is none of those that may be run.
type RefusedError struct{ What string }

// Error says why.
func (e *RefusedError) Error() string { return e.What }

// Error is an error of SQLite.
type Error struct{ Text string }

// Error is what SQLite says.
func (e *Error) Error() string { return e.Text }

// Bounds that a statement may meet.
var (
	ErrMemory  = errors.New("the statement needs more memory than it may take")
	ErrTooLong = errors.New("the statement makes a text that is too long")
)

// failure is the error of a result code, nil where it is none.
func (d *DB) failure(rc int32) error {
	switch rc & 0xff {
	case lib.SQLITE_OK:
		return nil
	case lib.SQLITE_NOMEM:
		return ErrMemory
	case lib.SQLITE_TOOBIG:
		return ErrTooLong
	}
	if d.denied != "" {
		return &RefusedError{d.denied}
	}
	return &Error{libc.GoString(lib.Xsqlite3_errmsg(d.tls, d.db))}
}
