package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// connection is a connection of the SQLite driver. The pool, locks and reflection of database/sql took half
// as long as the statements themselves. It is for one caller at a time.
type connection struct {
	conn  driver.Conn
	stmts map[string]*statement // prepared once, by text
}

type statement struct {
	driver.Stmt
	in  []driver.NamedValue
	out row
}

func openConnection(dsn string) (*connection, error) {
	db, err := sql.Open("sqlite", dsn) // it only returns the driver
	if err != nil {
		return nil, err
	}
	conn, err := db.Driver().Open(dsn)
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return &connection{conn: conn, stmts: map[string]*statement{}}, nil
}

func (c *connection) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.conn.Close())...)
}

func (c *connection) exec(query string) error {
	_, err := c.conn.(driver.ExecerContext).ExecContext(context.Background(), query, nil)
	return err
}

func (c *connection) prepared(query string, args []any) (*statement, error) {
	s, ok := c.stmts[query]
	if !ok {
		stmt, err := c.conn.Prepare(query)
		if err != nil {
			return nil, fmt.Errorf("prepare a query of the state: %w", err)
		}
		s = &statement{Stmt: stmt}
		c.stmts[query] = s
	}
	s.in = s.in[:0]
	for i, a := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			return nil, fmt.Errorf("take an argument of a query of the state: %w", err)
		}
		s.in = append(s.in, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return s, nil
}

func (c *connection) run(query string, args []any) error {
	s, err := c.prepared(query, args)
	if err != nil {
		return err
	}
	_, err = s.Stmt.(driver.StmtExecContext).ExecContext(context.Background(), s.in)
	return err
}

// each calls scan for every row, until it returns an error.
func (c *connection) each(scan func(row) error, query string, args []any) (err error) {
	s, err := c.prepared(query, args)
	if err != nil {
		return err
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(context.Background(), s.in)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, rows.Close()) }()
	if s.out == nil {
		s.out = make(row, len(rows.Columns()))
	}
	for {
		if err := rows.Next(s.out); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := scan(s.out); err != nil {
			return err
		}
	}
}

// row holds the values of a row: int64, float64, string, []byte or nil. They are valid until the next row,
// but texts and bytes stay valid.
type row []driver.Value

// Scan copies the values of a row into their destinations. A value of another type is an error.
func (r row) Scan(dest ...any) error {
	if len(dest) != len(r) {
		return fmt.Errorf("a row has %d values, not %d", len(r), len(dest))
	}
	for i, d := range dest {
		if !scanned(d, r[i]) {
			return fmt.Errorf("value %d is %T, which does not go into %T", i, r[i], d)
		}
	}
	return nil
}

func scanned(dest any, value driver.Value) (ok bool) {
	switch d := dest.(type) {
	case *string:
		*d, ok = value.(string)
		if b, isBytes := value.([]byte); isBytes {
			*d, ok = string(b), true
		}
		return ok
	case *[]byte:
		if s, isText := value.(string); isText {
			value = []byte(s)
		}
		*d, ok = value.([]byte)
		return ok || value == nil
	case *int64:
		*d, ok = value.(int64)
		return ok
	case *float64:
		*d, ok = value.(float64)
		return ok
	}
	n, isNumber := value.(int64)
	switch d := reflect.ValueOf(dest).Elem(); d.Kind() {
	case reflect.Bool:
		d.SetBool(n == 1)
		return isNumber && n&^1 == 0
	case reflect.Int:
		d.SetInt(n)
		return isNumber
	case reflect.String:
		s, isText := value.(string)
		d.SetString(s)
		return isText
	}
	return false
}
