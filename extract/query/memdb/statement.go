package memdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// Statement is a prepared statement.
type Statement struct {
	db      *DB
	handle  uintptr
	Columns []string // names of the result
	Reads   []Read   // columns that it reads from the tables of the rules
}

// Prepare compiles one statement. In a locked database it returns a [*RefusedError] for several statements,
// or one that does not only read.
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

// checkOne refuses a statement that writes, and a second one. SQLite decides, so a comment or a semicolon is
// not taken for a statement.
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
	lib.Xsqlite3_finalize(s.db.tls, s.handle) // the step reported the error
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

// Watch makes SQLite stop compiling or running once ctx ends, until end is called.
func (d *DB) Watch(ctx context.Context) (end func()) {
	// stepsBetween is how many steps SQLite runs between checks for a stop.
	const stepsBetween = 1000
	d.progress = func(*libc.TLS, uintptr) int32 { return libc.Bool32(ctx.Err() != nil) }
	lib.Xsqlite3_progress_handler(d.tls, d.db, stepsBetween, address(&d.progress), 0)
	return func() { lib.Xsqlite3_progress_handler(d.tls, d.db, 0, 0, 0) }
}

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

// Rules limit the names in a statement.
type Rules struct {
	Tables    []string // tables and views that it may read
	Functions []string // functions that it may call, in lower case
	MaxText   int      // limit of a value and of a row in bytes
}

// Read is a column that a statement reads; an empty one stands for none of a named table.
type Read struct{ Table, Column string }

// Lock allows only reading by the rules from then on. A statement is checked whenever SQLite compiles it, and
// when it runs.
func (d *DB) Lock(r Rules) error {
	for _, c := range []struct{ option, value int32 }{
		{lib.SQLITE_DBCONFIG_DEFENSIVE, 1}, {lib.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {lib.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
		{lib.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {lib.SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0}, {lib.SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, 0},
		{lib.SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, 0}, {lib.SQLITE_DBCONFIG_DQS_DML, 0}, {lib.SQLITE_DBCONFIG_DQS_DDL, 0},
	} {
		if err := d.configure(c.option, c.value); err != nil {
			return fmt.Errorf("lock the database: %w", err)
		}
	}
	if err := d.keepModules("json_each", "json_tree"); err != nil {
		return fmt.Errorf("lock the database: %w", err)
	}
	if err := d.Exec("PRAGMA query_only=ON"); err != nil {
		return fmt.Errorf("lock the database: %w", err)
	}
	for _, l := range []struct{ id, value int }{
		{lib.SQLITE_LIMIT_ATTACHED, 0}, {lib.SQLITE_LIMIT_LENGTH, r.MaxText}, {lib.SQLITE_LIMIT_SQL_LENGTH, maxStatement},
		{lib.SQLITE_LIMIT_EXPR_DEPTH, 200}, {lib.SQLITE_LIMIT_COMPOUND_SELECT, 50}, {lib.SQLITE_LIMIT_COLUMN, 500},
		{lib.SQLITE_LIMIT_VDBE_OP, 250_000}, {lib.SQLITE_LIMIT_FUNCTION_ARG, 100}, {lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
		{lib.SQLITE_LIMIT_VARIABLE_NUMBER, 0}, {lib.SQLITE_LIMIT_TRIGGER_DEPTH, 0}, {lib.SQLITE_LIMIT_WORKER_THREADS, 0},
	} {
		lib.Xsqlite3_limit(d.tls, d.db, int32(l.id), int32(l.value))
	}
	d.rules = &r
	d.authorize = d.allow
	return d.failure(lib.Xsqlite3_set_authorizer(d.tls, d.db, address(&d.authorize), 0))
}

// maxStatement limits the bytes of a statement.
const maxStatement = 100_000

// address returns C's address of a Go function. It is valid as long as f holds the function.
func address[F any](f *F) uintptr { return *(*uintptr)(unsafe.Pointer(f)) }

func (d *DB) configure(option, value int32) error {
	args := d.tls.Alloc(2 * vaSlot)
	defer d.tls.Free(2 * vaSlot)
	return d.failure(lib.Xsqlite3_db_config(d.tls, d.db, option, libc.VaList(args, value, uintptr(0))))
}

// keepModules removes all modules of virtual tables except the named ones.
func (d *DB) keepModules(names ...string) error {
	list := d.tls.Alloc((len(names) + 1) * pointer)
	defer d.tls.Free((len(names) + 1) * pointer)
	size := unsafe.Sizeof(list)
	for i, name := range names {
		text, err := libc.CString(name)
		if err != nil {
			return err
		}
		defer libc.Xfree(d.tls, text)
		libc.AtomicStorePUintptr(list+uintptr(i)*size, text)
	}
	libc.AtomicStorePUintptr(list+uintptr(len(names))*size, 0)
	return d.failure(lib.Xsqlite3_drop_modules(d.tls, d.db, list))
}

// allow is called by SQLite for each action of a statement while it compiles it.
func (d *DB) allow(_ *libc.TLS, _ uintptr, action int32, a, b, database, _ uintptr) int32 {
	first, second := libc.GoString(a), libc.GoString(b)
	switch action {
	case lib.SQLITE_SELECT, lib.SQLITE_RECURSIVE:
		return lib.SQLITE_OK
	case lib.SQLITE_FUNCTION:
		if slices.Contains(d.rules.Functions, strings.ToLower(second)) {
			return lib.SQLITE_OK
		}
		return d.deny("it cannot call the function " + second)
	case lib.SQLITE_READ:
		return d.allowRead(strings.ToLower(first), strings.ToLower(second), libc.GoString(database))
	case lib.SQLITE_PRAGMA:
		return d.deny("it cannot use PRAGMA " + first)
	case lib.SQLITE_ATTACH, lib.SQLITE_DETACH:
		return d.deny("it cannot use ATTACH, DETACH or VACUUM")
	}
	return d.deny("it can do nothing but read")
}

// allowRead allows reading the tables of the rules, and names that a statement defines itself: for those
// SQLite passes no column and no database.
func (d *DB) allowRead(table, column, database string) int32 {
	switch {
	case slices.Contains(d.rules.Tables, table) && (database == "main" || database == ""):
		d.reads = append(d.reads, Read{table, column})
		return lib.SQLITE_OK
	case table == "json_each" || table == "json_tree":
		return lib.SQLITE_OK
	case column == "" && database == "" && !strings.HasPrefix(table, "sqlite_") && !strings.HasPrefix(table, "pragma_"): // SQLite's own
		return lib.SQLITE_OK
	}
	return d.deny("it cannot read the table " + table)
}

func (d *DB) deny(what string) int32 {
	d.denied = cmp.Or(d.denied, what)
	return lib.SQLITE_DENY
}
