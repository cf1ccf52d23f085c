package memdb

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// Rules say what a statement may name.
type Rules struct {
	Tables    []string // that it may read, views among them
	Functions []string // that it may call, in lower case
	MaxText   int      // most bytes of a value and of a row
}

// Read is a column that a statement reads; an empty one stands for none of a table that it names.
type Read struct{ Table, Column string }

// Lock leaves a database in which one can do nothing but read by the rules. What is prepared
// from then on is checked when it is compiled, again when SQLite compiles it anew, and what it
// does when it runs besides.
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

// maxStatement is the most bytes of a statement.
const maxStatement = 100_000

// address is what C calls a function of Go by. It is valid as long as f holds the function.
func address[F any](f *F) uintptr { return *(*uintptr)(unsafe.Pointer(f)) }

func (d *DB) configure(option, value int32) error {
	args := d.tls.Alloc(2 * vaSlot)
	defer d.tls.Free(2 * vaSlot)
	return d.failure(lib.Xsqlite3_db_config(d.tls, d.db, option, libc.VaList(args, value, uintptr(0))))
}

// keepModules takes away all kinds of virtual tables but those named.
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

// allow is asked by SQLite for each thing that a statement does, while it compiles it.
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

// allowRead allows to read the tables of the rules, and what a statement names itself: of that
// SQLite asks without a column, and without a database.
func (d *DB) allowRead(table, column, database string) int32 {
	switch {
	case slices.Contains(d.rules.Tables, table) && (database == "main" || database == ""):
		d.reads = append(d.reads, Read{table, column})
		return lib.SQLITE_OK
	case table == "json_each" || table == "json_tree":
		return lib.SQLITE_OK
	case column == "" && database == "" && !strings.HasPrefix(table, "sqlite_") && !strings.HasPrefix(table, "pragma_"): // these are of SQLite itself
		return lib.SQLITE_OK
	}
	return d.deny("it cannot read the table " + table)
}

func (d *DB) deny(what string) int32 {
	if d.denied == "" {
		d.denied = what
	}
	return lib.SQLITE_DENY
}
