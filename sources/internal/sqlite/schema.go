package sqlite

import (
	"context"
	"fmt"
	"strings"
)

// Columns names the columns of a plain table, in lower case; none where there is no
// such table, or where a view or virtual table bears its name: what those return is
// computed, not stored.
func (d *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	if known, ok := d.columns[table]; ok {
		return known, nil
	}
	columns, replaced := map[string]bool{}, false
	err := d.Each(ctx, `SELECT name, '' FROM pragma_table_info(?1) UNION ALL SELECT '', type || ' ' || lower(coalesce(sql, ''))
		FROM sqlite_schema WHERE type IN ('table', 'view') AND lower(name) = lower(?1)`, func(c []string) {
		columns[strings.ToLower(c[0])] = true
		replaced = replaced || strings.HasPrefix(c[1], "view") || strings.HasPrefix(c[1], "table create virtual ")
	}, table)
	if err != nil {
		return nil, err
	}
	if replaced {
		columns = nil
	}
	if d.columns == nil {
		d.columns = map[string]map[string]bool{}
	}
	delete(columns, "")
	d.columns[table] = columns
	return columns, nil
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
