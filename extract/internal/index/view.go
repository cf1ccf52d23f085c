package index

import (
	"maps"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// View answers what pages ask of notes. It is safe for concurrent use. What cannot be read
// is not there; the ledger has failed then.
type View struct{ Notes *Notes }

// Note implements [pages.Notes].
func (v View) Note(id string) pages.Place { return v.Notes.Place(id) }

// Project implements [pages.Notes].
func (v View) Project(key string) *facts.ProjectIndex {
	x, err := v.Notes.Projects.Index(key)
	if err != nil {
		_ = v.Notes.Ledger.Fail(err)
		x = facts.NewProjectIndex(nil, nil, nil)
	}
	return x
}

// WithKey implements [pages.Notes].
func (v View) WithKey(key string) []facts.Facts {
	return v.decode(v.Notes.Ledger.FactsWithKey(key))
}

// Latest implements [pages.Notes].
func (v View) Latest(typ string, n int) []facts.Facts {
	return v.decode(v.Notes.Ledger.LatestFacts(typ, n))
}

// OwnMemory implements [pages.Notes].
func (v View) OwnMemory() []facts.Facts {
	all := v.decode(v.Notes.Ledger.FactsOfProject("", names.TypeMemory))
	return slices.DeleteFunc(all, func(f facts.Facts) bool { return !names.IsOwnMemory(f.ID) })
}

// Neighbours implements [pages.Notes].
func (v View) Neighbours(id string) (before, after string) {
	before, after, _ = neighbours(v.Notes.Ledger, id)
	return before, after
}

// Totals implements [pages.Notes].
func (v View) Totals() (n int, first, last time.Time) {
	n, from, to, _ := v.Notes.Ledger.Count(names.TypeSession)
	first, _ = time.Parse(time.RFC3339, from)
	last, _ = time.Parse(time.RFC3339, to)
	return n, first, last
}

func (v View) decode(rows [][]byte, err error) (all []facts.Facts) {
	if err == nil {
		all, err = decodeAll(rows)
	}
	if err != nil {
		_ = v.Notes.Ledger.Fail(err)
	}
	return all
}

func decodeAll(rows [][]byte) ([]facts.Facts, error) {
	out := make([]facts.Facts, 0, len(rows))
	for _, r := range rows {
		f, err := facts.Decode(r)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// Tasks answers what pages ask of open tasks, as [View] does of notes.
type Tasks struct{ Notes *Notes }

// Open implements [pages.Tasks].
func (v Tasks) Open(n int) ([]pages.Task, int) {
	rows, total, _ := v.Notes.Ledger.LatestOpenTasks(n)
	return tasksOf(rows), total
}

// OfSessions implements [pages.Tasks].
func (v Tasks) OfSessions(project string, notes map[string]bool) (open []content.TaskBox) {
	rows, _ := v.Notes.Ledger.OpenTasksLeft(project, slices.Sorted(maps.Keys(notes)))
	for _, t := range tasksOf(rows) {
		open = append(open, t.TaskBox)
	}
	return open
}

func tasksOf(rows []ledger.OpenTask) []pages.Task {
	out := make([]pages.Task, len(rows))
	for i, t := range rows {
		at, _ := time.Parse(time.RFC3339, t.At)
		out[i] = pages.Task{Project: t.Project, TaskBox: content.TaskBox{Text: t.Text, Session: t.Session, At: at}}
	}
	return out
}

// Count implements [pages.Tasks].
func (v Tasks) Count(note string) int {
	n, _ := v.Notes.Ledger.OpenCount(note)
	return n
}
