package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// StoreFacts say what a store has of a session without holding it.
type StoreFacts struct {
	// Parts change when the rows do: the session's own row counts by content,
	// checkpoints by number, newest id and length, other rows by number and newest
	// id, which indexes tell without reading the rows.
	Parts  []string
	Spoken bool // a turn or checkpoint is there
}

// Survey gives the facts of all sessions by id, as the store writes it. It reads
// them once; the map belongs to the DB.
func (d *Store) Survey(ctx context.Context) (map[string]StoreFacts, error) {
	if d.survey != nil {
		return d.survey, nil
	}
	all := map[string]StoreFacts{}
	add := func(id, part string, spoken bool) {
		f := all[id]
		f.Parts, f.Spoken = append(f.Parts, part), f.Spoken || spoken
		all[id] = f
	}
	columns, err := d.Columns(ctx, "sessions")
	if err == nil && columns["id"] {
		err = d.Each(ctx, Select(columns, "sessions", "", sessionColumns...), func(c []string) {
			add(c[0], strings.Join(c[1:], "\x00"), false)
		})
	}
	if err != nil {
		return nil, err
	}
	for _, t := range []struct {
		table  string
		texts  []string
		spoken bool
	}{
		{"turns", nil, true}, {"checkpoints", checkpointColumns[1:], true}, {"session_files", nil, false}, {"session_refs", nil, false},
	} {
		columns, err := d.Columns(ctx, t.table)
		if err == nil && columns["session_id"] {
			err = d.Each(ctx, sums(columns, t.table, t.texts), func(c []string) { add(c[0], t.table+":"+c[1], t.spoken) })
		}
		if err != nil {
			return nil, err
		}
	}
	for _, f := range all {
		slices.Sort(f.Parts)
	}
	d.survey = all
	return all, nil
}

// Replaced tells of the tables of a store in whose place it has a view or a
// virtual table, which is not read; nil: there is none.
func (d *Store) Replaced(ctx context.Context) error {
	var names []string
	err := d.Each(ctx, `SELECT name FROM sqlite_schema WHERE lower(name) IN ('sessions', 'turns', 'checkpoints', 'session_files', 'session_refs', 'dynamic_context_items')
		AND (type = 'view' OR type = 'table' AND sql LIKE 'create virtual %') ORDER BY name`, func(c []string) { names = append(names, c[0]) })
	if err != nil || len(names) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", ErrReplaced, strings.Join(names, ", "))
}

// ErrReplaced says that a store has a view in place of a table. Its other tables
// are read.
var ErrReplaced = errors.New("a view or virtual table stands in place of a table, and is not read")

// sums builds the query for count, newest id and length of text per session.
func sums(columns map[string]bool, table string, texts []string) string {
	terms := []string{"count(*)"}
	if columns["id"] {
		terms = append(terms, "max(id)")
	}
	for _, t := range texts {
		if columns[t] {
			terms = append(terms, "total(octet_length("+t+"))")
		}
	}
	return "SELECT session_id, " + strings.Join(terms, " || ':' || ") + " FROM " + table +
		" WHERE session_id IS NOT NULL GROUP BY session_id"
}
