package memdb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// Statement is a prepared statement.
type Statement struct {
	db      *DB
	handle  uintptr
	Columns []string // names of what it gives
	Reads   []Read   // what it reads of the tables of the rules
}

// Prepare compiles one statement. In a locked database a [*RefusedError] says that it is none
// that only reads, or more than one.
func (d *DB) Prepare(query string) (*Statement, error) {
	if strings.Contains(query, "\x00") {
		return nil, &RefusedError{"it holds a zero byte"}
	}
	if d.rules != nil && len(query) > maxStatement {
		return nil, &RefusedError{fmt.Sprintf("it has more than %d bytes", maxStatement)}
	}
	text, err := libc.CString(query)
	if err != nil {
		return nil, fmt.Errorf("take a statement: %w", err)
	}
	defer libc.Xfree(d.tls, text)
	handle, tail, err := d.compile(text)
	if err != nil {
		return nil, err
	}
	s := &Statement{db: d, handle: handle, Reads: d.reads}
	rest := query[tail-text:]
	if err := d.checkOne(s, rest); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for i := range lib.Xsqlite3_column_count(d.tls, handle) {
		s.Columns = append(s.Columns, libc.GoString(lib.Xsqlite3_column_name(d.tls, handle, i)))
	}
	return s, nil
}

func (d *DB) compile(text uintptr) (handle, tail uintptr, err error) {
	out := d.tls.Alloc(2 * pointer)
	defer d.tls.Free(2 * pointer)
	d.reads, d.denied = nil, ""
	rc := lib.Xsqlite3_prepare_v2(d.tls, d.db, text, -1, out, out+pointer)
	return libc.AtomicLoadPUintptr(out), libc.AtomicLoadPUintptr(out + pointer), d.failure(rc)
}

// checkOne refuses a statement that writes, and one that another one follows: SQLite is asked
// for it, so that a comment or a semicolon is none.
func (d *DB) checkOne(s *Statement, rest string) error {
	if d.rules == nil {
		return nil
	}
	if s.handle == 0 {
		return &RefusedError{"there is no statement"}
	}
	if lib.Xsqlite3_stmt_readonly(d.tls, s.handle) == 0 || lib.Xsqlite3_column_count(d.tls, s.handle) == 0 {
		return &RefusedError{"it can do nothing but read"}
	}
	if lib.Xsqlite3_stmt_isexplain(d.tls, s.handle) != 0 {
		return &RefusedError{"it cannot use EXPLAIN"}
	}
	for rest != "" {
		next, left, err := d.following(rest)
		if err != nil || next {
			return &RefusedError{"one statement at a time"}
		}
		if left == rest {
			break
		}
		rest = left
	}
	return nil
}

func (d *DB) following(text string) (is bool, rest string, err error) {
	c, err := libc.CString(text)
	if err != nil {
		return false, "", err
	}
	defer libc.Xfree(d.tls, c)
	handle, tail, err := d.compile(c)
	if err != nil {
		return false, "", err
	}
	lib.Xsqlite3_finalize(d.tls, handle)
	return handle != 0, text[tail-c:], nil
}

// Close ends the statement.
func (s *Statement) Close() error {
	lib.Xsqlite3_finalize(s.db.tls, s.handle) // what went wrong was told by the step
	return nil
}

func (s *Statement) step() (row bool, err error) {
	rc := lib.Xsqlite3_step(s.db.tls, s.handle)
	if rc == lib.SQLITE_ROW || rc == lib.SQLITE_DONE {
		return rc == lib.SQLITE_ROW, nil
	}
	return false, s.db.failure(rc)
}

// Each calls found with each row: nil, int64, float64, string or []byte for a column.
func (s *Statement) Each(found func([]any) error) error {
	s.db.denied = ""
	for {
		more, err := s.step()
		if err != nil || !more {
			return err
		}
		if err := found(s.row()); err != nil {
			return err
		}
	}
}

// Watch has SQLite stop what it compiles or runs once ctx ends, until end is called.
func (d *DB) Watch(ctx context.Context) (end func()) {
	d.progress = func(*libc.TLS, uintptr) int32 { return libc.Bool32(ctx.Err() != nil) }
	lib.Xsqlite3_progress_handler(d.tls, d.db, stepsBetween, address(&d.progress), 0)
	return func() { lib.Xsqlite3_progress_handler(d.tls, d.db, 0, 0, 0) }
}

// stepsBetween are the steps of SQLite's machine after which it is asked whether to stop.
const stepsBetween = 1000

func (s *Statement) row() []any {
	row := make([]any, len(s.Columns))
	for i := range row {
		row[i] = s.value(int32(i))
	}
	return row
}

func (s *Statement) value(at int32) any {
	tls := s.db.tls
	switch lib.Xsqlite3_column_type(tls, s.handle, at) {
	case lib.SQLITE_INTEGER:
		return lib.Xsqlite3_column_int64(tls, s.handle, at)
	case lib.SQLITE_FLOAT:
		return lib.Xsqlite3_column_double(tls, s.handle, at)
	case lib.SQLITE_TEXT:
		p := lib.Xsqlite3_column_text(tls, s.handle, at)
		return string(bytesAt(p, lib.Xsqlite3_column_bytes(tls, s.handle, at)))
	case lib.SQLITE_BLOB:
		p := lib.Xsqlite3_column_blob(tls, s.handle, at)
		return append([]byte{}, bytesAt(p, lib.Xsqlite3_column_bytes(tls, s.handle, at))...)
	}
	return nil
}

func bytesAt(p uintptr, size int32) []byte {
	if p == 0 || size == 0 {
		return nil
	}
	return libc.GoBytes(p, int(size))
}
