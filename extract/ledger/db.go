package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// exec runs a statement outside the statement cache. The caller holds the lock,
// or the ledger is not shared yet.
func (l *Ledger) exec(query string) error {
	if err := l.conn.exec(query); err != nil {
		return l.Fail(l.recordDamage(err))
	}
	return nil
}

func (l *Ledger) run(query string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begin() != nil {
		return
	}
	if err := l.conn.run(query, args); err != nil {
		_ = l.Fail(fmt.Errorf("write the state: %w", l.recordDamage(err)))
	}
}

// each calls scan for every row. scan must not use the ledger.
func (l *Ledger) each(scan func(row) error, query string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var unread error
	err := l.conn.each(func(r row) error { unread = scan(r); return unread }, query, args)
	switch {
	case err == nil:
	case unread != nil:
		_ = l.Harmed(fmt.Errorf("read a row of the state: %w", err))
	default:
		_ = l.Fail(fmt.Errorf("read the state: %w", l.recordDamage(err)))
	}
}

// list returns the rows of a query; into returns the destinations of a row's columns.
func list[T any](l *Ledger, into func(*T) []any, query string, args ...any) []T {
	var out []T
	l.each(func(r row) error {
		out = append(out, *new(T))
		return r.Scan(into(&out[len(out)-1])...)
	}, query, args...)
	return out
}

// table describes a table of the ledger: its columns, and the destinations of their values, in one order.
type table[T any] struct {
	name, columns string
	places        func(*T) []any
}

func (t table[T]) rows(l *Ledger, rest string, args ...any) []T {
	return list(l, t.places, "SELECT "+t.columns+" FROM "+t.name+" "+rest, args...)
}

func (t table[T]) row(l *Ledger, rest string, args ...any) (T, bool) {
	rows := t.rows(l, rest, args...)
	if len(rows) == 0 {
		return *new(T), false
	}
	return rows[0], true
}

func (t table[T]) put(l *Ledger, row T) {
	values := t.places(&row)
	l.run("INSERT OR REPLACE INTO "+t.name+"("+t.columns+") VALUES(?"+strings.Repeat(",?", len(values)-1)+")", values...)
}

func (l *Ledger) texts(query string, args ...any) []string {
	return list(l, func(s *string) []any { return []any{s} }, query, args...)
}

func (l *Ledger) count(query string, args ...any) (n int) {
	l.one([]any{&n}, query, args...)
	return n
}

// byKey returns the rows of a query by a text; into returns the destinations of a row's columns.
func byKey[T any](l *Ledger, into func(*string, *T) []any, query string, args ...any) map[string]T {
	out := map[string]T{}
	l.each(func(r row) error {
		var key string
		var value T
		err := r.Scan(into(&key, &value)...)
		out[key] = value
		return err
	}, query, args...)
	return out
}

func (l *Ledger) pairs(query string) map[string]string {
	return byKey(l, func(key, value *string) []any { return []any{key, value} }, query)
}

func (l *Ledger) one(dest []any, query string, args ...any) (found bool) {
	l.each(func(r row) error {
		found = true
		return r.Scan(dest...)
	}, query, args...)
	return found
}

// begin opens a transaction if none is open, as each write does. It returns an earlier failure of a read or
// write. The caller holds the lock, or the ledger is not shared yet.
func (l *Ledger) begin() error {
	if err := l.Failed(); err != nil || l.inTx {
		return err
	}
	if err := l.exec("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	l.inTx = true
	return nil
}

// Commit makes everything since the last one durable. After a failed read or write it rolls back and returns
// that failure: results of an incomplete read are wrong, and SQLite may have undone writes before the failure
// (disk full). With Options.Discard it does nothing.
func (l *Ledger) Commit() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.Failed(); err != nil {
		return errors.Join(err, l.rollback())
	}
	if !l.inTx || l.discard {
		return nil
	}
	if err := l.exec("COMMIT"); err != nil {
		return errors.Join(fmt.Errorf("commit: %w", err), l.rollback())
	}
	l.inTx = false
	return nil
}

// Last syncs committed data to disk, so that it survives a power failure. Without it the disk may lag behind,
// in the order of the commits.
func (l *Ledger) Last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.discard {
		return nil
	}
	if err := l.exec("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return fmt.Errorf("make the state last: %w", err)
	}
	return nil
}

// Discard drops everything from here on: Commit does nothing any more, and Close rolls back to here.
func (l *Ledger) Discard() error {
	if err := l.Commit(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discard = true
	return l.begin()
}

// Rollback drops everything since the last Commit and ends the transaction. The ledger must not be written
// any more, as its users remember dropped data. From then on it fails with why.
func (l *Ledger) Rollback(why error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.Fail(why)
	return l.rollback()
}

// rollback ends an open transaction, if SQLite did not end it already.
func (l *Ledger) rollback() error {
	if !l.inTx {
		return nil
	}
	l.inTx = false
	if err := l.exec("ROLLBACK"); err != nil && !strings.Contains(err.Error(), "no transaction is active") {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}

// ErrDamaged means that the ledger's file is damaged. It is quarantined on Close, and the next run starts
// afresh: the ledger is a cache.
var ErrDamaged = errors.New("the state is damaged")

// recordDamage is system for an open ledger; it also records damage.
func (l *Ledger) recordDamage(err error) error {
	if c := code(err); c == lib.SQLITE_CORRUPT || c == lib.SQLITE_NOTADB {
		return l.Harmed(err)
	}
	return system(err)
}

// code returns the primary code of an error of SQLite, or 0 for another error. A file that ends within a
// page is damaged.
func code(err error) int {
	var e *sqlite.Error
	switch {
	case !errors.As(err, &e):
		return 0
	case e.Code() == lib.SQLITE_IOERR_SHORT_READ:
		return lib.SQLITE_CORRUPT
	}
	return e.Code() & 0xff
}

// Failed returns the first failed read or write since the ledger was opened, or nil. After it nothing is
// written or committed, as later results may be incomplete.
func (l *Ledger) Failed() error {
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Fail records an error that makes the ledger's data unusable, and returns it.
func (l *Ledger) Fail(err error) error {
	l.failed.CompareAndSwap(nil, &err)
	return err
}

// Harmed returns an error: the data read from the ledger is not what was stored.
func (l *Ledger) Harmed(err error) error {
	l.damaged.Store(true)
	return l.Fail(fmt.Errorf("%w: %w", ErrDamaged, err))
}

// system adds the system's error to an error of SQLite, so that a full disk is recognized everywhere.
func system(err error) error {
	switch code(err) {
	case lib.SQLITE_FULL:
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	case lib.SQLITE_IOERR:
		return fmt.Errorf("%w: %w", syscall.EIO, err)
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		return fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	return err
}
