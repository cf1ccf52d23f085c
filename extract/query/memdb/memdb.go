// Package memdb is a SQLite database in memory for untrusted statements: it has no file, and SQLite itself
// limits what a statement may name, its memory and its time.
package memdb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"modernc.org/libc"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// DB is a database in memory, for one caller at a time.
type DB struct {
	pool   *sql.DB
	conn   *sql.Conn // its only one
	handle uintptr   // SQLite's own
	rules  Rules
	own    []string // tables that SQLite makes itself
	reads  []Read   // columns read by the statement being prepared
	denied string   // why it is refused, or ""
}

// Open opens an empty database. Call [BoundMemory] first.
func Open() (*DB, error) {
	if err := checkBounded(); err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", ":memory:?_dqs=0&_defensive=1&_pragma=trusted_schema(0)&_pragma=temp_store(memory)") // no overflow to files
	if err != nil {
		return nil, fmt.Errorf("open a database in memory: %w", err)
	}
	conn, err := pool.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open a database in memory: %w", err), pool.Close())
	}
	d := &DB{pool: pool, conn: conn}
	return d, conn.Raw(func(of any) error {
		d.handle = uintptr(reflect.ValueOf(of).Elem().FieldByName("db").Uint())
		return nil
	})
}

// Close frees the database with its content.
func (d *DB) Close() error { return errors.Join(d.conn.Close(), d.pool.Close()) }

// Exec runs a statement of the program that returns no rows.
func (d *DB) Exec(query string) error {
	_, err := d.conn.ExecContext(context.Background(), query)
	return d.Explain(err)
}

// Prepare prepares a statement of the program. [DB.Explain] explains its errors.
func (d *DB) Prepare(query string) (*sql.Stmt, error) {
	return d.conn.PrepareContext(context.Background(), query)
}

// Rules limit the names in a statement.
type Rules struct {
	Tables    []string // tables and views that it may read
	Functions []string // functions that it may call, in lower case
	MaxText   int      // limit of a value and of a row in bytes
}

// Read is a column that a statement reads; an empty one stands for none of a named table.
type Read struct{ Table, Column string }

// maxStatement limits the bytes of a statement.
const maxStatement = 100_000

// Lock allows only reading by the rules from then on. A statement is checked whenever SQLite compiles it, and
// when it runs.
func (d *DB) Lock(r Rules) error {
	d.rules = r
	_, err := d.each(context.Background(), "PRAGMA module_list", func(row []any) error {
		d.own = append(d.own, fmt.Sprint(row[0]))
		return nil
	})
	if err == nil {
		err = d.Exec("PRAGMA query_only=ON")
	}
	for _, l := range []struct{ id, value int }{
		{lib.SQLITE_LIMIT_ATTACHED, 0}, {lib.SQLITE_LIMIT_LENGTH, r.MaxText}, {lib.SQLITE_LIMIT_SQL_LENGTH, maxStatement},
		{lib.SQLITE_LIMIT_EXPR_DEPTH, 200}, {lib.SQLITE_LIMIT_COMPOUND_SELECT, 50}, {lib.SQLITE_LIMIT_COLUMN, 500},
		{lib.SQLITE_LIMIT_VDBE_OP, 250_000}, {lib.SQLITE_LIMIT_FUNCTION_ARG, 100}, {lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
		{lib.SQLITE_LIMIT_VARIABLE_NUMBER, 0}, {lib.SQLITE_LIMIT_TRIGGER_DEPTH, 0}, {lib.SQLITE_LIMIT_WORKER_THREADS, 0},
	} {
		if err == nil {
			_, err = sqlite.Limit(d.conn, l.id, l.value)
		}
	}
	if err == nil {
		err = d.conn.Raw(func(conn any) error { return conn.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(d.allow) })
	}
	if err != nil {
		return fmt.Errorf("lock the database: %w", err)
	}
	return nil
}

// allow is called by SQLite for each action of a statement while it compiles it.
func (d *DB) allow(action sqlite.AuthorizerActionCode, first, second, database, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		if slices.Contains(d.rules.Functions, strings.ToLower(second)) {
			return sqlite.AuthorizerOK
		}
		return d.deny("it cannot call the function " + second)
	case sqlite.AuthRead:
		return d.allowRead(strings.ToLower(first), strings.ToLower(second), database)
	}
	return d.deny("it can do nothing but read")
}

// allowRead allows reading the tables of the rules, and names that a statement defines itself: for those
// SQLite passes no column and no database.
func (d *DB) allowRead(table, column, database string) sqlite.AuthorizerReturnCode {
	switch {
	case slices.Contains(d.rules.Tables, table) && (database == "main" || database == ""):
		d.reads = append(d.reads, Read{table, column})
		return sqlite.AuthorizerOK
	case table == "json_each" || table == "json_tree":
		return sqlite.AuthorizerOK
	case column == "" && database == "" && !slices.Contains(d.own, table) && !strings.HasPrefix(table, "sqlite_") && !strings.HasPrefix(table, "pragma_"):
		return sqlite.AuthorizerOK
	}
	return d.deny("it cannot read the table " + table)
}

func (d *DB) deny(what string) sqlite.AuthorizerReturnCode {
	d.denied = cmp.Or(d.denied, what)
	return sqlite.AuthorizerDeny
}

var (
	// besides matches comments, and texts and names in quotes.
	besides = regexp.MustCompile("(?s)--[^\n]*|/\\*.*?(?:\\*/|$)|'[^']*'|\"[^\"]*\"|`[^`]*`|\\[[^\\]]*\\]")
	reads   = regexp.MustCompile(`(?i)^\s*(?:select|with|values)\b`)
)

// checkOne refuses what is not one statement that reads. SQLite also asks allow about each of several.
func checkOne(query string) error {
	code := besides.ReplaceAllStringFunc(query, func(part string) string {
		if part[0] == '-' || part[0] == '/' {
			return " "
		}
		return "''"
	})
	one, rest, _ := strings.Cut(code, ";")
	switch {
	case strings.Contains(query, "\x00"):
		return &RefusedError{"it holds a zero byte"}
	case len(query) > maxStatement:
		return &RefusedError{fmt.Sprintf("it has more than %d bytes", maxStatement)}
	case strings.TrimSpace(one) == "":
		return &RefusedError{"there is no statement"}
	case strings.Trim(rest, "; \t\r\n\f") != "":
		return &RefusedError{"one statement at a time"}
	case !reads.MatchString(one):
		return &RefusedError{"it can do nothing but read"}
	}
	return nil
}

// Compile compiles one statement, and returns the columns that it reads from the tables of the rules. In a
// locked database it returns a [*RefusedError] for several statements, or one that does not only read.
func (d *DB) Compile(ctx context.Context, query string) ([]Read, error) {
	if err := checkOne(query); err != nil {
		return nil, err
	}
	d.reads, d.denied = nil, ""
	s, err := d.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, d.Explain(err)
	}
	return d.reads, s.Close()
}

// Query runs one statement, and calls found with each row: nil, int64, float64, string or []byte for a
// column. The driver does not interrupt the search for a row after the first one.
func (d *DB) Query(ctx context.Context, query string, found func([]any) error) (columns []string, err error) {
	if err := checkOne(query); err != nil {
		return nil, err
	}
	d.denied = ""
	return d.each(ctx, query, found)
}

func (d *DB) each(ctx context.Context, query string, found func([]any) error) (columns []string, err error) {
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { d.interrupt(); close(interrupted) })
	defer func() {
		if !stop() {
			<-interrupted
		}
	}()
	rows, err := d.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, d.Explain(err)
	}
	defer func() { _ = rows.Close() }() // Err returns its error
	columns, err = rows.Columns()
	for err == nil && rows.Next() {
		row, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			places[i] = &row[i]
		}
		if err = rows.Scan(places...); err == nil {
			err = found(row)
		}
	}
	return columns, cmp.Or(err, d.Explain(rows.Err()))
}

// interrupt ends the search for a row, as the driver does for the first one alone. The handle is its field db.
func (d *DB) interrupt() {
	tls := libc.NewTLS()
	defer tls.Close()
	lib.Xsqlite3_interrupt(tls, d.handle)
}
