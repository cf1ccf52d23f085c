package query

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/query/memdb"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sign"
)

// filler fills the views of a statement with sessions.
type filler struct {
	db      *memdb.DB
	zone    *time.Location
	into    map[string]*target // views by name
	numbers *redact.Numbers    // numbers of masks in the current session
	failed  error              // the first error of inserting a row
}

// target is a view being filled, with the columns that are read: the others stay NULL.
type target struct {
	view  View
	wants map[string]bool
	put   *sql.Stmt
	room  []any
}

func newFiller(db *memdb.DB, reads []memdb.Read, zone *time.Location) (*filler, error) {
	f := &filler{db: db, zone: zone, into: map[string]*target{}}
	for _, v := range Views() {
		if v.made != "" || !slices.ContainsFunc(reads, func(r memdb.Read) bool { return r.Table == v.Name }) {
			continue
		}
		put, err := db.Prepare("INSERT INTO " + v.Name + " VALUES(?" + strings.Repeat(",?", len(v.Columns)-1) + ")")
		if err != nil {
			return f, fmt.Errorf("prepare the view %q: %w", v.Name, err)
		}
		t := &target{view: v, wants: map[string]bool{}, put: put, room: make([]any, len(v.Columns))}
		for _, c := range v.Columns {
			t.wants[c.Name] = slices.Contains(reads, memdb.Read{Table: v.Name, Column: c.Name})
		}
		f.into[v.Name] = t
	}
	return f, nil
}

func (f *filler) close() {
	for _, t := range f.into {
		_ = t.put.Close() // nothing is left to report
	}
}

var fills = map[string]func(*filler, *extract.Kept){
	"sessions": (*filler).session, "turns": (*filler).turns, "messages": (*filler).messages, "tool_calls": (*filler).calls, "commands": (*filler).commands,
	"checkpoints": (*filler).checkpoints, "plans": (*filler).plans, "todos": (*filler).todos, "files": (*filler).files, "refs": (*filler).refs,
	"memories": (*filler).memories, "decisions": (*filler).decisions, "open_ends": (*filler).ends,
	"distilled": (*filler).distilled,
}

func (f *filler) add(k *extract.Kept) error {
	f.number(k)
	for name := range f.into {
		if k.Session.IsMemory && name != "memories" {
			continue
		}
		if fills[name](f, k); f.failed != nil {
			return fmt.Errorf("fill the view %q: %w", name, f.failed)
		}
	}
	return nil
}

func (f *filler) number(k *extract.Kept) {
	f.numbers = redact.NumbersAfter("")
	k.Session.Texts(func(_ string, text *string) { f.numbers.Text(*text) })
}

func (f *filler) wants(view, column string) bool {
	t := f.into[view]
	return t != nil && t.wants[column]
}

// put inserts a row into a view. Unread and unknown columns are NULL.
func (f *filler) put(view string, values ...any) {
	if f.failed != nil {
		return
	}
	t := f.into[view]
	for i, v := range values {
		t.room[i] = nil
		if t.wants[t.view.Columns[i].Name] {
			t.room[i] = f.value(v)
		}
	}
	_, err := t.put.Exec(t.room...)
	f.failed = f.db.Explain(err)
}

// value returns a value for a view.
func (f *filler) value(v any) any {
	switch v := v.(type) {
	case string:
		if v == "" {
			return nil
		}
		return cut(f.numbers.Text(v))
	case time.Time:
		if v.IsZero() {
			return nil
		}
		return v.UTC().Format(time.RFC3339)
	case *bool:
		if v == nil {
			return nil
		}
		return *v
	case *int:
		if v == nil {
			return nil
		}
		return *v
	}
	return v
}

func cut(text string) string {
	const maxText = 1 << 20 // limit of a text in a view in bytes; longer ones are cut
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxText {
		return text
	}
	return text[:sign.Before(text, maxText-len("…"))] + "…"
}

// day returns the day of a time in the vault's zone, or "".
func (f *filler) day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(f.zone).Format(time.DateOnly)
}

func week(day string) string {
	if day == "" {
		return ""
	}
	return names.WeekOf(day)
}

func number(turn int) any {
	if turn < 0 {
		return nil
	}
	return turn + 1
}

type counts struct {
	calls, failed, commands int
	in, out                 any // tokens, or nil
}

func countsOf(s *sources.Session) (c counts) {
	for _, t := range s.Turns {
		c.calls += len(t.Tools)
		for _, one := range t.Tools {
			if hasFailed(one) {
				c.failed++
			}
			if one.Command != "" {
				c.commands++
			}
		}
		c.tokens(t.Tokens)
	}
	for _, d := range s.Delegated {
		c.tokens(d.Tokens)
	}
	return c
}

func (c *counts) tokens(t *sources.Tokens) {
	if t == nil {
		return
	}
	in, _ := c.in.(int64)
	out, _ := c.out.(int64)
	c.in, c.out = in+t.In, out+t.Out
}

func hasFailed(t sources.Tool) bool { return t.Exit != nil && *t.Exit != 0 || t.OK != nil && !*t.OK }

// succeeded reports whether a call succeeded; nil: unknown.
func succeeded(t sources.Tool) any {
	switch {
	case hasFailed(t):
		return false
	case t.Exit != nil || t.OK != nil:
		return true
	}
	return nil
}

func (f *filler) session(k *extract.Kept) {
	s, c, day := k.Session, countsOf(k.Session), f.day(k.Session.Created)
	var came extract.ExportedOutcome
	if f.wants("sessions", "outcome") || f.wants("sessions", "outcome_from") {
		came = k.Outcome()
	}
	changed := 0
	if f.wants("sessions", "files") {
		changed = len(content.Files(s))
	}
	first := ""
	if len(s.Models) > 0 {
		first = s.Models[0]
	}
	f.put("sessions", s.ID, s.Agent, s.Title, s.Summary, k.Project.Key, k.Project.Name, k.Repository(), s.Place.Branch, s.Place.Cwd,
		first, strings.Join(s.Models, ","), s.Created, s.Updated, day, week(day), minutes(s.Created, s.Updated),
		len(s.Turns), c.calls, c.failed, c.commands, len(s.Checkpoints), changed, c.in, c.out, len(s.Delegated), s.Parent,
		s.Class == sources.Automatic, s.Headless, s.Archived, s.Pinned, len(s.Damage) > 0, came.Text, came.From)
}

func minutes(from, to time.Time) any {
	if from.IsZero() || to.Before(from) {
		return nil
	}
	return int(to.Sub(from).Minutes())
}

func (f *filler) turns(k *extract.Kept) {
	s := k.Session
	for i, t := range s.Turns {
		var in, out, seconds any
		if t.Tokens != nil {
			in, out = t.Tokens.In, t.Tokens.Out
		}
		if !t.At.IsZero() && !t.End.Before(t.At) {
			seconds = int(t.End.Sub(t.At).Seconds())
		}
		day := f.day(t.At)
		f.put("turns", s.ID, k.Project.Key, i+1, s.Agent, t.At, day, week(day), seconds, t.User, t.Assistant, t.Model, t.Mode, t.Agent,
			string(t.Status), t.Error, in, out, len(t.Tools), len(t.Attachments), t.Inherited)
	}
}

func (f *filler) calls(k *extract.Kept) {
	s := k.Session
	for i, t := range s.Turns {
		for n, c := range t.Tools {
			var within any
			if c.Within > 0 {
				within = c.Within
			}
			f.put("tool_calls", s.ID, k.Project.Key, i+1, n+1, t.At, c.Name, c.Kind, c.Detail, succeeded(c), within)
		}
	}
}
