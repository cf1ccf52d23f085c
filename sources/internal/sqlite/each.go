package sqlite

import (
	"context"
	"strings"
)

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
