// Package storerows reads the rows of a session-store.db: what Copilot CLI, and
// in the same schema the Copilot extension of VS Code, derive from their
// sessions. The rows lag behind, are cut and outlive what they were made of; they
// fill gaps and own nothing (formats/copilot-cli.md, section 1;
// formats/vscode-copilot-chat.md, section 5.4).
package storerows

import (
	"context"
	"fmt"

	"github.com/sessionloom/sessionloom/sources/internal/snapshot"
)

// DB is a store at one moment. Tables and columns it lacks are as good as empty,
// for they came and went with its versions. It is not safe for concurrent use.
type DB struct {
	snap    *snapshot.DB
	columns map[string]map[string]bool // of each table that was asked for
	survey  map[string]Facts
}

// Open opens the store at path as package snapshot does, with its errors.
func Open(ctx context.Context, path, tempDir string) (*DB, error) {
	snap, err := snapshot.Open(ctx, path, tempDir)
	if err != nil {
		return nil, err
	}
	return &DB{snap: snap, columns: map[string]map[string]bool{}}, nil
}

// Unchanged returns an error where the file moved since Open: what was read must
// be thrown away and read again from a new DB. Ask after each group of calls.
func (d *DB) Unchanged() error { return d.snap.Unchanged() }

// Close ends the snapshot.
func (d *DB) Close() error { return d.snap.Close() }

// Columns names the columns of a plain table, in lower case; none where there is
// no such table.
func (d *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	if known, ok := d.columns[table]; ok {
		return known, nil
	}
	columns, err := d.snap.Columns(ctx, table)
	if err != nil {
		return nil, fmt.Errorf("columns of %q: %w", table, err)
	}
	d.columns[table] = columns
	return columns, nil
}

// Each runs a query of text columns and gives each row, see snapshot.DB.
func (d *DB) Each(ctx context.Context, query string, row func([]string), args ...any) error {
	return d.snap.Each(ctx, query, row, args...)
}

// of runs over the rows of one session in one table, in the order of a column
// where the table has it.
func (d *DB) of(ctx context.Context, name, table, key, order string, want []string, row func([]string)) error {
	columns, err := d.Columns(ctx, table)
	if err != nil || !columns[key] {
		return err
	}
	rest := "WHERE " + key + " = ?"
	if columns[order] {
		rest += " ORDER BY " + order
	}
	return d.Each(ctx, snapshot.Select(columns, table, rest, want...), row, name)
}
