// Package sqlite reads a SQLite database of another program as it stands at
// one moment and leaves no trace beside it: no -wal, -shm or -journal is made,
// changed or removed, not even where opening "read-only" would do so.
//
// Which way is safe depends on what lies beside the database:
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
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver named "sqlite"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// ErrTooLarge says that the database would have to be copied, and is too large for
// that.
var ErrTooLarge = errors.New("too large to be copied")

// attempts and pause bound the waiting for a writer to about a second.
const (
	attempts = 6
	pause    = 15 * time.Millisecond // doubled each time
)

// DB is a database at one moment: all queries see one transaction.
// It is not safe for concurrent use.
type DB struct {
	conn  *sql.Conn
	pool  *sql.DB
	guard func() error // whether what is read in place still stands as it was opened
	stmts map[string]*sql.Stmt
	after []func() // in reverse order, when the connection is closed

	columns map[string]map[string]bool // of each table that was asked for
	survey  map[string]StoreFacts
}

// Open opens the database at path, which may be a symbolic link. Copies, where
// needed, are made in a private folder below tempDir ("" means the system's)
// and removed by Close. An empty file is a database without tables.
//
// It returns files.ErrBusy after bounded waiting, ErrNotDatabase where the file has no
// SQLite header and ErrTooLarge where only a copy could be read. One process must not
// hold one file open twice: closing a file drops the process's locks on it.
func Open(ctx context.Context, path, tempDir string) (*DB, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	wait := pause
	for try := 1; ; try++ {
		db, err := openOnce(ctx, real, tempDir)
		switch {
		case err == nil:
			return db, nil
		case !errors.Is(err, files.ErrBusy) || ctx.Err() != nil || try == attempts:
			return nil, fmt.Errorf("open database %q: %w", path, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// Query runs a query inside the one transaction of the snapshot. It is prepared
// once: close the rows of one call before the next with the same text.
func (d *DB) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, ok := d.stmts[query]
	if !ok {
		var err error
		if stmt, err = d.conn.PrepareContext(ctx, query); err != nil {
			return nil, err
		}
		if d.stmts == nil {
			d.stmts = map[string]*sql.Stmt{}
		}
		d.stmts[query] = stmt
	}
	return stmt.QueryContext(ctx, args...)
}

// Unchanged returns ErrBusy where the file moved under a snapshot that is read
// in place without locks: what was read since Open must then be thrown away and
// read again from a new snapshot. Ask after each group of queries.
func (d *DB) Unchanged() error {
	if d.guard == nil {
		return nil
	}
	return d.guard()
}

// Close ends the transaction and removes what was copied.
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

// begin connects and opens the read transaction.
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
	var n int // the first read takes the snapshot
	return d.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
}

// privateDir makes the folder for copies, readable by its owner only.
func (d *DB) privateDir(tempDir string) (string, error) {
	dir, err := os.MkdirTemp(tempDir, "sessionloom-")
	if err != nil {
		return "", fmt.Errorf("make folder for a copy: %w", err)
	}
	d.after = append(d.after, func() { _ = os.RemoveAll(dir) })
	return dir, nil
}
