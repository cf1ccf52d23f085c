package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// exec runs a statement outside the statement cache. The caller holds the lock,
// or the ledger is not shared yet.
func (l *Ledger) exec(query string) error {
	if err := l.conn.exec(query); err != nil {
		return l.Fail(l.told(err))
	}
	return nil
}

func (l *Ledger) run(query string, args ...any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.Failed(); err != nil {
		return err
	}
	if err := l.conn.run(query, args); err != nil {
		return l.Fail(fmt.Errorf("write ledger: %w", l.told(err)))
	}
	return nil
}

// each calls scan for every row. scan must not use the ledger.
func (l *Ledger) each(scan func(row) error, query string, args ...any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.conn.each(scan, query, args)
	var unread scanError
	if errors.As(err, &unread) {
		return fmt.Errorf("read ledger row: %w", l.harmed(err))
	}
	if err != nil {
		return l.Fail(fmt.Errorf("read ledger: %w", l.told(err)))
	}
	return nil
}

// list returns the rows of a query; into names the places of a row's columns.
func list[T any](l *Ledger, into func(*T) []any, query string, args ...any) ([]T, error) {
	var out []T
	err := l.each(func(r row) error {
		out = append(out, *new(T))
		return r.Scan(into(&out[len(out)-1])...)
	}, query, args...)
	return out, err
}

// table is a table of the ledger: its columns, and where the values of a row belong, in
// one order.
type table[T any] struct {
	name, columns string
	places        func(*T) []any
}

// rows returns those that the rest of a query selects.
func (t table[T]) rows(l *Ledger, rest string, args ...any) ([]T, error) {
	return list(l, t.places, "SELECT "+t.columns+" FROM "+t.name+" "+rest, args...)
}

// row returns the first of them, false where there is none.
func (t table[T]) row(l *Ledger, rest string, args ...any) (T, bool, error) {
	rows, err := t.rows(l, rest, args...)
	if err != nil || len(rows) == 0 {
		return *new(T), false, err
	}
	return rows[0], true, nil
}

// put stores a row, instead of the one with its key.
func (t table[T]) put(l *Ledger, row T) error {
	values := t.places(&row)
	return l.run("INSERT OR REPLACE INTO "+t.name+"("+t.columns+") VALUES(?"+strings.Repeat(",?", len(values)-1)+")", values...)
}

// texts returns the one column of a query.
func (l *Ledger) texts(query string, args ...any) ([]string, error) {
	return list(l, func(s *string) []any { return []any{s} }, query, args...)
}

// count returns the one number of a query.
func (l *Ledger) count(query string, args ...any) (n int, err error) {
	_, err = l.one([]any{&n}, query, args...)
	return n, err
}

// pairs returns the second column of a query by the first.
func (l *Ledger) pairs(query string, args ...any) (map[string]string, error) {
	type pair [2]string
	rows, err := list(l, func(p *pair) []any { return []any{&p[0], &p[1]} }, query, args...)
	out := make(map[string]string, len(rows))
	for _, r := range rows {
		out[r[0]] = r[1]
	}
	return out, err
}

// one scans a single row and tells whether there was one.
func (l *Ledger) one(dest []any, query string, args ...any) (found bool, err error) {
	err = l.each(func(r row) error {
		found = true
		return cmp.Or(r.Scan(dest...), errStop)
	}, query, args...)
	return found && err == nil, err
}

// Begin opens a transaction if none is open.
func (l *Ledger) Begin() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inTx {
		return nil
	}
	if err := l.exec("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	l.inTx = true
	return nil
}

// Commit makes everything since Begin durable and ends the transaction. Where a read or
// write failed it rolls back instead and returns that failure: what was made of what could
// not be read is wrong, and SQLite may have taken back what stood before a write that
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
		return fmt.Errorf("make the ledger last: %w", err)
	}
	return nil
}

// Discard keeps nothing of what is done from here on: Commit does nothing any
// more, and Close rolls back to here.
func (l *Ledger) Discard() error {
	if err := l.Commit(); err != nil {
		return err
	}
	if err := l.Begin(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.discard = true
	return nil
}

// Keep ends what Discard began: what was done since then is kept after all.
func (l *Ledger) Keep() error {
	l.mu.Lock()
	l.discard = false
	l.mu.Unlock()
	return l.Commit()
}

// Rollback forgets everything since Begin and ends the transaction. The ledger
// must not be written to any more: who used it remembers what it forgot.
func (l *Ledger) Rollback() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.Fail(errors.New("write ledger: it was rolled back"))
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
