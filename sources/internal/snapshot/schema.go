package snapshot

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// Columns names the columns of a plain table, in lower case. It is empty where
// there is no such table, or where a view or virtual table bears its name: what
// those return is computed, not stored.
func (d *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	var ddl sql.NullString
	err := d.conn.QueryRowContext(ctx,
		"SELECT sql FROM sqlite_schema WHERE type = 'table' AND lower(name) = lower(?)", table).Scan(&ddl)
	if errors.Is(err, sql.ErrNoRows) || err == nil && virtual(ddl.String) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := d.conn.QueryContext(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		columns[strings.ToLower(name)] = true
	}
	return columns, rows.Err()
}

func virtual(ddl string) bool {
	f := strings.Fields(ddl)
	return len(f) > 1 && strings.EqualFold(f[1], "virtual")
}

// Select builds "SELECT a, b FROM table rest" that works on every version of a
// table: each wanted column is given as text, or as NULL where it is missing.
func Select(columns map[string]bool, table, rest string, want ...string) string {
	var b strings.Builder
	b.WriteString("SELECT ")
	for i, name := range want {
		if i > 0 {
			b.WriteString(", ")
		}
		if columns[name] {
			b.WriteString("CAST(" + name + " AS TEXT)")
		} else {
			b.WriteString("NULL")
		}
	}
	b.WriteString(" FROM " + table + " " + rest)
	return b.String()
}
