package query

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/query/memdb"
)

// Sessions are what is asked: [*extract.Engine] has them.
type Sessions interface {
	Read(context.Context, extract.Selected, func(*extract.Kept) error) ([]extract.Problem, error)
}

// Options of a question.
type Options struct {
	Zone    *time.Location // in which days begin
	Select  extract.Selected
	MaxRows int           // more are an error
	Timeout time.Duration // for the statement, once the views are filled
}

// Answer is what a statement gives: nil, int64, float64, string or []byte in each column.
type Answer struct {
	Columns  []string
	Rows     [][]any
	Problems []extract.Problem // what could not be read
}

// Errors of a statement that may be run and came to a bound.
var (
	ErrRows    = errors.New("the answer has more rows than it may have")
	ErrSize    = errors.New("the answer is larger than it may be")
	ErrTime    = errors.New("the statement took longer than it may take")
	ErrContent = errors.New("the views that the statement reads do not fit into memory")
)

const (
	maxContent = 1 << 30   // bytes of the views
	maxWork    = 256 << 20 // bytes that a statement takes beside them
	maxAnswer  = 64 << 20  // bytes of what it gives
	maxRow     = 16 << 20  // bytes of a row, and of a text that a statement makes
	grace      = 2 * time.Second
)

// Run answers one statement. [memdb.BoundMemory] goes before all that opens a database. A
// [*memdb.RefusedError] says that the statement may not be run, a [*memdb.Error] that it is none.
func Run(ctx context.Context, statement string, from Sessions, o Options) (Answer, error) {
	db, err := memdb.Open()
	if err != nil {
		return Answer{}, err
	}
	a, err := run(ctx, db, statement, from, o)
	if errors.Is(err, errStuck) {
		return a, ErrTime // the database is still at work and goes with the process
	}
	db.Limit(0)
	return a, errors.Join(err, db.Close())
}

func run(ctx context.Context, db *memdb.DB, statement string, from Sessions, o Options) (a Answer, err error) {
	reads, err := look(statement)
	if err != nil {
		return a, err
	}
	for _, v := range Views() {
		if err := db.Exec(v.definition()); err != nil {
			return a, fmt.Errorf("make the view %q: %w", v.Name, err)
		}
	}
	db.Limit(maxContent)
	if a.Problems, err = fill(ctx, db, readsOf(statement, reads), from, o); err != nil {
		if errors.Is(err, memdb.ErrMemory) {
			err = ErrContent
		}
		return a, err
	}
	if err := db.Lock(rules()); err != nil {
		return a, err
	}
	db.Limit(maxWork)
	return ask(ctx, db, statement, a, o)
}

// rules are what a statement may name.
func rules() memdb.Rules {
	r := memdb.Rules{Functions: functions(), MaxText: maxRow}
	for _, v := range Views() {
		r.Tables = append(r.Tables, v.Name)
	}
	return r
}

// look compiles a statement on empty views and tells what it reads: what is refused, or none, is
// so before any session is read.
func look(statement string) ([]memdb.Read, error) {
	db, err := memdb.Open()
	if err != nil {
		return nil, err
	}
	reads, err := lookIn(db, statement)
	db.Limit(0)
	return reads, errors.Join(err, db.Close())
}

func lookIn(db *memdb.DB, statement string) ([]memdb.Read, error) {
	for _, v := range Views() {
		if err := db.Exec(v.definition()); err != nil {
			return nil, fmt.Errorf("make the view %q: %w", v.Name, err)
		}
	}
	if err := db.Lock(rules()); err != nil {
		return nil, err
	}
	db.Limit(maxWork)
	s, err := db.Prepare(statement)
	if err != nil {
		return nil, err
	}
	return s.Reads, s.Close()
}

// joinsByName finds a join by the names of columns: SQLite does not tell that it reads them.
var joinsByName = regexp.MustCompile(`(?i)\b(?:natural|using)\b`)

// readsOf are the columns that a statement reads. Where it joins by names they are all columns of
// the views whose names stand in it.
func readsOf(statement string, told []memdb.Read) []memdb.Read {
	if !joinsByName.MatchString(statement) {
		return told
	}
	out := slices.Clone(told)
	words := strings.FieldsFunc(strings.ToLower(statement), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
	for _, v := range Views() {
		if v.made != "" || !slices.Contains(words, v.Name) && !slices.ContainsFunc(told, func(r memdb.Read) bool { return r.Table == v.Name }) {
			continue
		}
		for _, c := range v.Columns {
			out = append(out, memdb.Read{Table: v.Name, Column: c.Name})
		}
	}
	return out
}

// fill fills the views that a statement reads.
func fill(ctx context.Context, db *memdb.DB, reads []memdb.Read, from Sessions, o Options) ([]extract.Problem, error) {
	if len(reads) == 0 {
		return nil, nil
	}
	f, err := newFiller(db, reads, o.Zone)
	defer f.close()
	if err == nil {
		err = db.Exec("BEGIN")
	}
	if err != nil {
		return nil, err
	}
	o.Select.Memories = slices.ContainsFunc(reads, func(r memdb.Read) bool { return r.Table == "memories" })
	problems, err := from.Read(ctx, o.Select, f.add)
	if err == nil {
		err = db.Exec("COMMIT")
	}
	return problems, err
}

// errStuck says that a statement does not stop though it was told to.
var errStuck = errors.New("the statement does not stop")

// ask runs the statement. What SQLite does in one step, such as the search for a long text in
// another one, it does not interrupt: then nobody waits for its end.
func ask(ctx context.Context, db *memdb.DB, statement string, a Answer, o Options) (Answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, ErrTime)
	defer cancel()
	type result struct {
		Answer
		err error
	}
	done := make(chan result, 1)
	go func() {
		found := a
		err := collect(ctx, db, statement, &found, o.MaxRows)
		done <- result{found, err}
	}()
	select {
	case r := <-done:
		return r.Answer, stopped(ctx, r.err)
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.Answer, stopped(ctx, r.err)
	case <-time.After(grace):
		return a, errStuck
	}
}

// stopped gives the cause of an error where the time is up.
func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// collect runs the statement and keeps what it gives.
func collect(ctx context.Context, db *memdb.DB, statement string, a *Answer, most int) error {
	s, err := db.Prepare(statement)
	if err != nil {
		return err
	}
	a.Columns = s.Columns
	size := 0
	err = s.Each(ctx, func(row []any) error {
		if len(a.Rows) == most {
			return ErrRows
		}
		for _, v := range row {
			if size += sizeOf(v); size > maxAnswer {
				return ErrSize
			}
		}
		a.Rows = append(a.Rows, row)
		return nil
	})
	return errors.Join(err, s.Close())
}

func sizeOf(v any) int {
	switch v := v.(type) {
	case string:
		return len(v) + 16
	case []byte:
		return len(v) + 24
	}
	return 16
}
