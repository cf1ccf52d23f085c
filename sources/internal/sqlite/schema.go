package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Columns names the columns of a plain table, in lower case. It is empty where
// there is no such table, or where a view or virtual table bears its name: what
// those return is computed, not stored.
func (d *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	if known, ok := d.columns[table]; ok {
		return known, nil
	}
	columns, err := d.columnsOf(ctx, table)
	if err != nil {
		return nil, fmt.Errorf("columns of %q: %w", table, err)
	}
	if d.columns == nil {
		d.columns = map[string]map[string]bool{}
	}
	d.columns[table] = columns
	return columns, nil
}

func (d *DB) columnsOf(ctx context.Context, table string) (map[string]bool, error) {
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

// maxValue is the size in bytes of the largest value that Select gives. Its limit
// is asked of the row's header: what is larger is not read at all.
const maxValue = 16 << 20

// Select builds "SELECT a, b FROM table rest" that works on every version of a
// table: each wanted column is given as text, or as NULL where it is missing or
// holds more than 16 MiB.
func Select(columns map[string]bool, table, rest string, want ...string) string {
	var b strings.Builder
	b.WriteString("SELECT ")
	for i, name := range want {
		if i > 0 {
			b.WriteString(", ")
		}
		if columns[name] {
			fmt.Fprintf(&b, "CASE WHEN octet_length(%[1]s) <= %[2]d THEN CAST(%[1]s AS TEXT) END", name, maxValue)
		} else {
			b.WriteString("NULL")
		}
	}
	b.WriteString(" FROM " + table + " " + rest)
	return b.String()
}

// Each runs a query of text columns and gives each row, NULL as "" and broken
// UTF-8 mended. The slice is used again for the next row.
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
