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

// list returns the rows of a query; into names the places of a row's columns.
func list[T any](l *Ledger, into func(*T) []any, query string, args ...any) []T {
	var out []T
	l.each(func(r row) error {
		out = append(out, *new(T))
		return r.Scan(into(&out[len(out)-1])...)
	}, query, args...)
	return out
}

// table is a table of the ledger: its columns, and where the values of a row belong, in
// one order.
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

// byKey returns the rows of a query by a text of each; into names the places of a row's
// columns.
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

// begin opens a transaction if none is open, as each write does. Where a read or write
// failed it returns that failure. The caller holds the lock, or the ledger is not shared yet.
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

// Commit makes everything since the last one durable. Where a read or
// write failed it rolls back instead and returns that failure: what was made of what could
// not be read is wrong, and SQLite may have taken back what was before a write that
// failed (disk full). With Options.Discard it does nothing.
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

// Last has the disk hold what was committed: it is known after a power failure
// too. Without it the disk may lag behind, in the order of the commits.
func (l *Ledger) Last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.discard || l.file == "" {
		return nil
	}
	if err := l.exec("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return fmt.Errorf("make the state last: %w", err)
	}
	return nil
}

// Discard keeps nothing of what is done from here on: Commit does nothing any
// more, and Close rolls back to here.
func (l *Ledger) Discard() error {
	if err := l.Commit(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discard = true
	return l.begin()
}

// Keep ends what Discard began: what was done since then is kept after all.
func (l *Ledger) Keep() error {
	l.mu.Lock()
	l.discard = false
	l.mu.Unlock()
	return l.Commit()
}

// Rollback forgets everything since the last Commit and ends the transaction. The ledger
// must not be written to any more: who used it remembers what it forgot. Why it was rolled
// back is what it tells from then on.
func (l *Ledger) Rollback(why error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.Fail(why)
	return l.rollback()
}

// rollback ends an open transaction. One that SQLite has ended by itself is no
// failure.
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

// ErrDamaged means that the ledger's file is damaged. It is quarantined when the
// ledger is closed, and the next run start afresh: the ledger is a cache.
var ErrDamaged = errors.New("the state is damaged")

// recordDamage is system for an open ledger; it also records damage.
func (l *Ledger) recordDamage(err error) error {
	if c := code(err); c == lib.SQLITE_CORRUPT || c == lib.SQLITE_NOTADB {
		return l.Harmed(err)
	}
	return system(err)
}

// code is that of an error of SQLite without what only says more, 0 for any other.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// Failed is the first read or write that failed since the ledger was opened, nil
// if none did. Nothing is written or committed after it, for what was made of what the
// ledger said since then may lack something.
func (l *Ledger) Failed() error {
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Fail takes note of an error by which what the ledger holds cannot be used, and returns
// it.
func (l *Ledger) Fail(err error) error {
	l.failed.CompareAndSwap(nil, &err)
	return err
}

// Harmed says that what was read from the ledger is not what was put there.
func (l *Ledger) Harmed(err error) error {
	l.damaged.Store(true)
	return l.Fail(fmt.Errorf("%w: %w", ErrDamaged, err))
}

// system returns an error of SQLite the error of the system that it stands for: a
// full disk looks the same wherever it is met.
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
