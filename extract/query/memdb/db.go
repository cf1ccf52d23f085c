// Package memdb is a SQLite database in memory for untrusted statements: it has no file, and SQLite itself
// limits what a statement may name, its memory and its time.
//
// It calls the C interface of SQLite, as database/sql does not report whether a statement only reads and what
// follows it. A database is for one caller at a time.
package memdb

import (
	"errors"
	"fmt"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// DB is a database in memory.
type DB struct {
	tls   *libc.TLS
	db    uintptr
	rules *Rules // nil: everything is allowed
	// Callbacks of SQLite. C holds their addresses, so they are kept here from the garbage collector.
	authorize func(tls *libc.TLS, arg uintptr, action int32, a, b, database, view uintptr) int32
	progress  func(tls *libc.TLS, arg uintptr) int32
	reads     []Read // columns read by the statement being prepared
	denied    string // why it is refused, or ""
}

const pointer = 8 // bytes of a pointer, or more

// Open opens an empty database. Call [BoundMemory] first.
func Open() (*DB, error) {
	d := &DB{tls: libc.NewTLS()}
	if err := checkBounded(d.tls); err != nil {
		d.tls.Close()
		return nil, err
	}
	name, err := libc.CString(":memory:")
	if err != nil {
		d.tls.Close()
		return nil, fmt.Errorf("open a database in memory: %w", err)
	}
	defer libc.Xfree(d.tls, name)
	out := d.tls.Alloc(pointer)
	defer d.tls.Free(pointer)
	const flags = lib.SQLITE_OPEN_READWRITE | lib.SQLITE_OPEN_CREATE | lib.SQLITE_OPEN_MEMORY | lib.SQLITE_OPEN_NOMUTEX | lib.SQLITE_OPEN_PRIVATECACHE
	rc := lib.Xsqlite3_open_v2(d.tls, name, out, flags, 0)
	d.db = libc.AtomicLoadPUintptr(out)
	if rc == lib.SQLITE_OK {
		rc = lib.Xsqlite3_extended_result_codes(d.tls, d.db, 1)
	}
	if err = d.failure(rc); err == nil {
		err = d.Exec("PRAGMA temp_store=MEMORY") // no overflow to files
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open a database in memory: %w", err), d.Close())
	}
	return d, nil
}

// Close frees the database with its content.
func (d *DB) Close() error {
	err := d.failure(lib.Xsqlite3_close_v2(d.tls, d.db))
	d.tls.Close()
	return err
}

// Exec runs one statement that returns no rows.
func (d *DB) Exec(query string) error {
	s, err := d.Prepare(query)
	if err != nil {
		return err
	}
	_, err = s.step()
	return errors.Join(err, s.Close())
}

// Run runs a prepared statement of the program with values for its parameters: nil, bool, int, int64, float64
// or string.
func (s *Statement) Run(values ...any) error {
	for i, v := range values {
		if err := s.bind(int32(i+1), v); err != nil {
			return err
		}
	}
	_, err := s.step()
	lib.Xsqlite3_reset(s.db.tls, s.handle)
	return err
}

func (s *Statement) bind(at int32, value any) error {
	tls := s.db.tls
	var rc int32
	switch v := value.(type) {
	case nil:
		rc = lib.Xsqlite3_bind_null(tls, s.handle, at)
	case bool:
		n := lib.Tsqlite_int64(0)
		if v {
			n = 1
		}
		rc = lib.Xsqlite3_bind_int64(tls, s.handle, at, n)
	case int:
		rc = lib.Xsqlite3_bind_int64(tls, s.handle, at, lib.Tsqlite_int64(v))
	case int64:
		rc = lib.Xsqlite3_bind_int64(tls, s.handle, at, v)
	case float64:
		rc = lib.Xsqlite3_bind_double(tls, s.handle, at, v)
	case string:
		text, err := libc.CString(v)
		if err != nil {
			return fmt.Errorf("take a text of %d bytes: %w", len(v), err)
		}
		rc = lib.Xsqlite3_bind_text(tls, s.handle, at, text, int32(len(v)), ^uintptr(0)) // SQLite copies it
		libc.Xfree(tls, text)
	default:
		return fmt.Errorf("value %d is %T, which no column holds", at, value)
	}
	return s.db.failure(rc)
}

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

// failure returns the error of a result code, or nil.
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

// vaSlot is the size in bytes of an argument of a C function that takes any number.
const vaSlot = 8

var errUnbounded = errors.New("the memory of SQLite is not counted in this process")

// BoundMemory makes SQLite count its memory, so that a statement can be limited. It must be called before
// anything in this process opens a database.
func BoundMemory() error {
	tls := libc.NewTLS()
	defer tls.Close()
	args := tls.Alloc(vaSlot)
	defer tls.Free(vaSlot)
	lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, libc.VaList(args, int32(1))) // refused once a database is open
	return checkBounded(tls)
}

func checkBounded(tls *libc.TLS) error {
	p := lib.Xsqlite3_malloc(tls, 1) // allocates something to start counting
	defer lib.Xsqlite3_free(tls, p)
	if lib.Xsqlite3_memory_used(tls) == 0 {
		return errUnbounded
	}
	return nil
}

// Limit limits the memory of SQLite in this process to its present use and more bytes. Zero: no limit.
func (d *DB) Limit(more int64) {
	if more > 0 {
		more += d.MemoryUsed()
	}
	lib.Xsqlite3_hard_heap_limit64(d.tls, more)
}

// MemoryUsed returns how many bytes SQLite uses in this process.
func (d *DB) MemoryUsed() int64 { return lib.Xsqlite3_memory_used(d.tls) }
