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

// Sessions provides the sessions; [*extract.Engine] implements it.
type Sessions interface {
	Read(context.Context, extract.Selected, func(*extract.Kept) error) ([]extract.Problem, error)
}

// Options of a question.
type Options struct {
	MaxRows int           // more rows are an error
	Timeout time.Duration // for the statement, after the views are filled
}

// Answer is the result of a statement: nil, int64, float64, string or []byte in each column.
type Answer struct {
	Columns  []string
	Rows     [][]any
	Problems []extract.Problem // unreadable data
}

// Errors of an allowed statement that reached a limit.
var (
	ErrRows    = errors.New("the answer has more rows than it may have")
	ErrSize    = errors.New("the answer is larger than it may be")
	ErrTime    = errors.New("the statement took longer than it may take")
	ErrContent = errors.New("the views that the statement reads do not fit into memory")
)

const (
	maxContent = 1 << 30   // bytes of the views
	maxWork    = 256 << 20 // bytes that a statement uses in addition
	maxAnswer  = 64 << 20  // bytes of its result
	maxRow     = 16 << 20  // bytes of a row, and of a text made by a statement
	grace      = 500 * time.Millisecond
)

// Question is one statement to be answered.
type Question struct {
	statement string
	options   Options
	reads     []memdb.Read
	db        *memdb.DB // database with the views that the statement reads
	problems  []extract.Problem
}

// New compiles a statement on empty views, so that an invalid one fails before any session is read.
// [memdb.BoundMemory] must be called before anything opens a database. A [*memdb.RefusedError] says that the
// statement is not allowed, a [*memdb.Error] that it is invalid.
func New(ctx context.Context, statement string, o Options) (*Question, error) {
	q := &Question{statement: statement, options: o}
	empty, err := newViews()
	if err != nil {
		return nil, err
	}
	err = q.timed(ctx, func(ctx context.Context) error { return q.look(ctx, empty) })
	if errors.Is(err, errStuck) { // it is still running, and ends with the process
		return nil, err
	}
	if err = errors.Join(err, free(empty)); err != nil {
		return nil, err
	}
	q.db, err = newViews()
	return q, err
}

func newViews() (*memdb.DB, error) {
	db, err := memdb.Open()
	if err != nil {
		return nil, err
	}
	for _, v := range Views() {
		if err := db.Exec(v.definition()); err != nil {
			return nil, errors.Join(fmt.Errorf("make the view %q: %w", v.Name, err), db.Close())
		}
	}
	return db, nil
}

// free closes a database and removes the memory limit.
func free(db *memdb.DB) error {
	memdb.Limit(0)
	return db.Close()
}

func (q *Question) look(ctx context.Context, empty *memdb.DB) error {
	if err := empty.Lock(rules()); err != nil {
		return err
	}
	memdb.Limit(maxWork)
	read, err := empty.Compile(ctx, q.statement)
	q.reads = readsOf(q.statement, read)
	return err
}

// Close frees the tables.
func (q *Question) Close() error {
	if q.db == nil {
		return nil
	}
	return free(q.db)
}

func rules() memdb.Rules {
	r := memdb.Rules{Functions: functions(), MaxText: maxRow}
	for _, v := range Views() {
		r.Tables = append(r.Tables, v.Name)
	}
	return r
}

// joinsByName matches a join by the names of columns, which SQLite does not report as read.
var joinsByName = regexp.MustCompile(`(?i)\b(?:natural|using)\b`)

// readsOf returns the columns that a statement reads. If it joins by names, these are all columns of the
// views that it names.
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

// Fill fills the views that the statement reads. zone is where days begin.
func (q *Question) Fill(ctx context.Context, from Sessions, in extract.Selected, zone *time.Location) error {
	if len(q.reads) == 0 {
		return nil
	}
	memdb.Limit(maxContent)
	err := q.fill(ctx, from, in, zone)
	if errors.Is(err, memdb.ErrMemory) {
		return ErrContent
	}
	return err
}

func (q *Question) fill(ctx context.Context, from Sessions, in extract.Selected, zone *time.Location) error {
	f, err := newFiller(q.db, q.reads, zone)
	defer f.close()
	if err == nil {
		err = q.db.Exec("BEGIN")
	}
	if err != nil {
		return err
	}
	in.Memories = slices.ContainsFunc(q.reads, func(r memdb.Read) bool { return r.Table == "memories" })
	if q.problems, err = from.Read(ctx, in, f.add); err != nil {
		return err
	}
	return q.db.Exec("COMMIT")
}

// errStuck means that an interrupted statement does not stop.
var errStuck = errors.New("the statement does not stop")

// Answer runs the statement on the filled views. Call it once.
func (q *Question) Answer(ctx context.Context) (Answer, error) {
	if err := q.db.Lock(rules()); err != nil {
		return Answer{}, err
	}
	memdb.Limit(maxWork)
	db, found := q.db, make(chan Answer, 1)
	err := q.timed(ctx, func(ctx context.Context) error {
		a, err := collect(ctx, db, q.statement, q.options.MaxRows)
		found <- a
		return err
	})
	if errors.Is(err, errStuck) {
		q.db = nil // it is still running, and ends with the process
		return Answer{}, err
	}
	a := <-found
	a.Problems = q.problems
	return a, err
}

// timed runs work within the time limit. Nothing interrupts a single step, such as the search for a long
// text or for the next row: then timed does not wait for its end.
func (q *Question) timed(ctx context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, q.options.Timeout, ErrTime)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- work(ctx) }()
	select {
	case err := <-done:
		return stopped(ctx, err)
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return stopped(ctx, err)
	case <-time.After(grace):
		return errors.Join(errStuck, context.Cause(ctx))
	}
}

func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func collect(ctx context.Context, db *memdb.DB, statement string, most int) (a Answer, err error) {
	size := 0
	a.Columns, err = db.Query(ctx, statement, func(row []any) error {
		if len(a.Rows) == most {
			return ErrRows
		}
		for _, v := range row {
			if size += sizeOf(v); size > maxAnswer {
				return ErrSize
			}
		}
		a.Rows = append(a.Rows, row)
		return ctx.Err()
	})
	return a, err
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

// functions lists those that a statement may call: they compute values from values. Functions that make texts
// of any length, describe the program or reach out of the database are missing.
func functions() []string {
	return strings.Fields(`
		abs char coalesce concat concat_ws format glob hex unhex ifnull iif if instr length like likelihood likely lower ltrim max min nullif octet_length
		printf quote replace round rtrim sign soundex substr substring trim typeof unicode unlikely upper random
		avg count group_concat string_agg sum total median
		row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
		date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
		json json_array json_array_length json_extract json_group_array json_group_object json_object json_type json_valid json_quote json_pretty json_each json_tree -> ->>
		acos asin atan atan2 ceil ceiling cos degrees exp floor ln log log10 log2 mod pi pow power radians sin sqrt tan trunc`)
}
