package query

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/query/memdb"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources/sign"
)

// maxText is the most bytes of a text in a view; what is longer is cut.
const maxText = 1 << 20

// filler puts sessions into the views that a statement reads.
type filler struct {
	zone    *time.Location
	into    map[string]*target // by name of the view
	numbers *redact.Numbers    // of the masks of the session at work
	failed  error              // the first one of putting a row
}

// target is a view that is filled, with the columns that are read: the others stay NULL.
type target struct {
	view  View
	wants map[string]bool
	put   *memdb.Statement
	room  []any
}

func newFiller(db *memdb.DB, reads []memdb.Read, zone *time.Location) (*filler, error) {
	f := &filler{zone: zone, into: map[string]*target{}}
	for _, v := range Views() {
		if v.made != "" || !slices.ContainsFunc(reads, func(r memdb.Read) bool { return r.Table == v.Name }) {
			continue
		}
		put, err := db.Prepare(v.insertion())
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
		_ = t.put.Close() // it has nothing left to tell
	}
}

var fills = map[string]func(*filler, *extract.Kept){
	"sessions": (*filler).session, "turns": (*filler).turns, "messages": (*filler).messages, "tool_calls": (*filler).calls, "commands": (*filler).commands,
	"checkpoints": (*filler).checkpoints, "plans": (*filler).plans, "todos": (*filler).todos, "files": (*filler).files, "refs": (*filler).refs,
	"memories": (*filler).memories, "decisions": (*filler).decisions, "open_ends": (*filler).ends,
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

// put puts a row into a view. Of what is not read, and not known, the row holds nothing.
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
	f.failed = t.put.Run(t.room...)
}

// value is a value as a view has it.
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
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxText {
		return text
	}
	return text[:sign.Before(text, maxText-len("…"))] + "…"
}

// day is the day of a time in the zone of the vault, empty where it is unknown.
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
