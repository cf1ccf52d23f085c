package memdb

import (
	"errors"
	"fmt"
	"strings"

	"modernc.org/libc"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// RefusedError says that a statement is not allowed.
type RefusedError struct{ What string }

// Error says why.
func (e *RefusedError) Error() string { return e.What }

// Error is an error of SQLite.
type Error struct{ Text string }

// Error returns SQLite's message.
func (e *Error) Error() string { return e.Text }

// Limits that a statement may reach.
var (
	ErrMemory  = errors.New("the statement needs more memory than it may take")
	ErrTooLong = errors.New("the statement makes a text that is too long")
)

// Explain returns an error of SQLite as one of this package. Others stay as they are.
func (d *DB) Explain(err error) error {
	var failed *sqlite.Error
	if !errors.As(err, &failed) {
		return err
	}
	switch failed.Code() & 0xff {
	case lib.SQLITE_NOMEM:
		return ErrMemory
	case lib.SQLITE_TOOBIG:
		return ErrTooLong
	}
	if d.denied != "" {
		return &RefusedError{d.denied}
	}
	text := strings.TrimSuffix(failed.Error(), fmt.Sprintf(" (%d)", failed.Code()))
	if _, own, more := strings.Cut(text, ": "); more { // after the name of the code
		text = own
	}
	return &Error{text}
}

var errUnbounded = errors.New("the memory of SQLite is not counted in this process")

// BoundMemory makes SQLite count its memory, so that a statement can be limited. It must be called before
// anything in this process opens a database.
func BoundMemory() error {
	tls := libc.NewTLS()
	defer tls.Close()
	const slot = 8 // bytes of an argument of a C function that takes any number
	args := tls.Alloc(slot)
	defer tls.Free(slot)
	lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, libc.VaList(args, int32(1))) // refused once a database is open
	return checkBounded()
}

func checkBounded() error {
	tls := libc.NewTLS()
	defer tls.Close()
	p := lib.Xsqlite3_malloc(tls, 1) // allocates something to start counting
	defer lib.Xsqlite3_free(tls, p)
	if lib.Xsqlite3_memory_used(tls) == 0 {
		return errUnbounded
	}
	return nil
}

// Limit limits the memory of SQLite in this process to its present use and more bytes. Zero: no limit.
func Limit(more int64) {
	tls := libc.NewTLS()
	defer tls.Close()
	if more > 0 {
		more += lib.Xsqlite3_memory_used(tls)
	}
	lib.Xsqlite3_hard_heap_limit64(tls, more) // its PRAGMA takes no limit back
}
