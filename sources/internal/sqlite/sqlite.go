// Package sqlite reads a SQLite database of another program at one moment and leaves no trace beside
// it: no -wal, -shm or -journal is made, changed or removed, even if opening "read-only" would do so.
//
// The safe way depends on the files beside the database:
//
//	-wal and -shm            a writer is alive or was killed: read in place with a read-only -shm
//	WAL mode, no -wal        closed cleanly: read in place as immutable, unchanged before and after
//	-wal alone, or with garbage for -shm; -journal
//	                         needs recovery: copy the set, recover the copy
//	rollback mode            read in place
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver named "sqlite"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// DB is a database at one moment, in one transaction; not for concurrent use.
type DB struct {
	conn  *sql.Conn
	pool  *sql.DB
	guard func() error // checks that a file read in place is unchanged
	stmts map[string]*sql.Stmt
	after []func() // run in reverse order when the connection is closed

	columns map[string]map[string]bool // columns of each requested table
	scanned map[string]StoreFacts
}

// Open opens the database at path, which may be a symbolic link. Copies are made in a private folder below
// tempDir ("" means the system's) and removed by Close. An empty file is a database without tables. It
// returns files.ErrBusy if a writer is active, and ErrNotDatabase if the file has no SQLite header. One
// process must not hold one file open twice: closing a file drops the process's locks on it.
func Open(ctx context.Context, path, tempDir string) (*DB, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db, err := openOnce(ctx, real, tempDir)
	if err != nil {
		return nil, fmt.Errorf("open database %q: %w", path, errors.Join(ctx.Err(), err))
	}
	return db, nil
}

// Query runs a query inside the transaction of the snapshot. It is prepared once: close the rows of one
// call before the next with the same text.
func (d *DB) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, ok := d.stmts[query]
	if !ok {
		var err error
		if stmt, err = d.conn.PrepareContext(ctx, query); err != nil {
			return nil, err
		}
		d.stmts[query] = stmt
	}
	return stmt.QueryContext(ctx, args...)
}

// Unchanged returns ErrBusy if the file of a snapshot that is read in place without locks changed:
// discard what was read since Open, and read it again from a new snapshot. Call it after each group of
// queries.
func (d *DB) Unchanged() error {
	if d.guard == nil {
		return nil
	}
	return d.guard()
}

// Close ends the transaction and removes the copy.
func (d *DB) Close() error {
	var err error
	for _, stmt := range d.stmts {
		err = errors.Join(err, stmt.Close())
	}
	if d.conn != nil {
		err = errors.Join(err, d.conn.Close())
	}
	if d.pool != nil {
		err = errors.Join(err, d.pool.Close())
	}
	for i := len(d.after) - 1; i >= 0; i-- {
		d.after[i]()
	}
	d.conn, d.pool, d.after, d.stmts = nil, nil, nil, nil
	return err
}

func (d *DB) begin(ctx context.Context, dsn string) error {
	pool, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	d.pool = pool
	pool.SetMaxOpenConns(1)
	if d.conn, err = pool.Conn(ctx); err != nil {
		return err
	}
	if _, err = d.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	var n int // the first read starts the snapshot
	return d.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
}

// Columns returns the columns of a plain table in lower case; none for a missing table, or a view or
// virtual table, whose rows are computed.
func (d *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	if known, ok := d.columns[table]; ok {
		return known, nil
	}
	columns := map[string]bool{}
	err := d.Each(ctx, `SELECT name FROM pragma_table_info(?1) WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema
		WHERE lower(name) = lower(?1) AND (type = 'view' OR type = 'table' AND sql LIKE 'create virtual %'))`, func(c []string) {
		columns[strings.ToLower(c[0])] = true
	}, table)
	if err != nil {
		return nil, err
	}
	d.columns[table] = columns
	return columns, nil
}

// Select builds "SELECT a, b FROM table rest" for every version of a table: a column is given as text,
// or as NULL if it is missing or, by the row's header, holds more than 16 MiB, which is then never
// read.
func Select(columns map[string]bool, table, rest string, want ...string) string {
	return selectOf(columns, 16<<20, table, rest, want)
}

func selectOf(columns map[string]bool, limit int, table, rest string, want []string) string {
	var b strings.Builder
	b.WriteString("SELECT ")
	for i, name := range want {
		if i > 0 {
			b.WriteString(", ")
		}
		if columns[name] {
			fmt.Fprintf(&b, "CASE WHEN octet_length(%[1]s) <= %[2]d THEN CAST(%[1]s AS TEXT) END", name, limit)
		} else {
			b.WriteString("NULL")
		}
	}
	b.WriteString(" FROM " + table + " " + rest)
	return b.String()
}

// Each calls row with each row of a query as texts, NULL as "". The slice is reused.
func (d *DB) Each(ctx context.Context, query string, row func([]string), args ...any) error {
	rows, err := d.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]*string, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	text := make([]string, len(names))
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			text[i] = ""
			if v != nil {
				text[i] = strings.ToValidUTF8(*v, "\ufffd")
			}
		}
		row(text)
	}
	return rows.Err()
}

// Rows is Each for some columns, as in Select, up to files.MaxLine bytes; no rows if the first column is missing.
func (d *DB) Rows(ctx context.Context, table, rest string, row func([]string), args []any, want ...string) error {
	columns, err := d.Columns(ctx, table)
	if err != nil || !columns[want[0]] {
		return err
	}
	return d.Each(ctx, selectOf(columns, files.MaxLine, table, rest, want), row, args...)
}

// Ask is Each for a table that may be missing, or may lack required columns.
func (d *DB) Ask(ctx context.Context, table string, needs []string, query string, row func([]string), args ...any) error {
	columns, err := d.Columns(ctx, table)
	if err != nil || len(columns) == 0 || slices.ContainsFunc(needs, func(name string) bool { return !columns[name] }) {
		return err
	}
	return d.Each(ctx, query, row, args...)
}

// Values returns the values of keys in the table ItemTable of the database at path, in which VS Code and its forks keep
// their state.
func Values(ctx context.Context, path, tempDir string, keys ...any) (values map[string]string, err error) {
	err = View(ctx, path, tempDir, func(db *DB) (err error) {
		values, err = db.Values(ctx, keys...)
		return err
	})
	return values, err
}

// Values is [Values] of an open database.
func (d *DB) Values(ctx context.Context, keys ...any) (map[string]string, error) {
	values, rest := map[string]string{}, "WHERE key IN (?"+strings.Repeat(", ?", len(keys)-1)+")"
	return values, d.Rows(ctx, "ItemTable", rest, func(c []string) { values[c[0]] = c[1] }, keys, "key", "value")
}
