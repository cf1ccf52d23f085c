package sqlite

import (
	"context"
	"fmt"
)

// Store is a session-store.db at one moment: what Copilot CLI, and in the same schema
// the Copilot extension of VS Code, derive from their sessions. The rows lag behind,
// are cut and outlive what they were made of; they fill gaps and own nothing
// (formats/copilot-cli.md, section 1; formats/vscode-copilot-chat.md, section 5.4).
// Tables and columns it lacks are as good as empty, for they came and went with its
// versions. It is not safe for concurrent use.
type Store struct {
	*DB
	columns map[string]map[string]bool // of each table that was asked for
	survey  map[string]StoreFacts
}

// OpenStore opens the store at path as Open does, with its errors.
func OpenStore(ctx context.Context, path, tempDir string) (*Store, error) {
	db, err := Open(ctx, path, tempDir)
	if err != nil {
		return nil, err
	}
	return &Store{DB: db, columns: map[string]map[string]bool{}}, nil
}

// Columns names the columns of a plain table, in lower case; none where there is
// no such table.
func (d *Store) Columns(ctx context.Context, table string) (map[string]bool, error) {
	if known, ok := d.columns[table]; ok {
		return known, nil
	}
	columns, err := d.DB.Columns(ctx, table)
	if err != nil {
		return nil, fmt.Errorf("columns of %q: %w", table, err)
	}
	d.columns[table] = columns
	return columns, nil
}

// of runs over the rows of one session in one table, in the order of a column
// where the table has it.
func (d *Store) of(ctx context.Context, name, table, key, order string, want []string, row func([]string)) error {
	columns, err := d.Columns(ctx, table)
	if err != nil || !columns[key] {
		return err
	}
	rest := "WHERE " + key + " = ?"
	if columns[order] {
		rest += " ORDER BY " + order
	}
	return d.Each(ctx, Select(columns, table, rest, want...), row, name)
}
