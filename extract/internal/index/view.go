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

// Note implements [pages.Notes].
func (n *Notes) Note(id string) pages.Place { return n.Place(id) }

// Project implements [pages.Notes].
func (n *Notes) Project(key string) *facts.ProjectIndex {
	x, err := n.Projects.Index(key)
	if err != nil {
		_ = n.Ledger.Fail(err)
		x = facts.NewProjectIndex(nil, nil, nil)
	}
	return x
}

// WithKey implements [pages.Notes].
func (n *Notes) WithKey(key string) []facts.Facts {
	return n.decode(n.Ledger.FactsWithKey(key))
}

// Latest implements [pages.Notes].
func (n *Notes) Latest(typ string, limit int) []facts.Facts {
	return n.decode(n.Ledger.LatestFacts(typ, limit))
}

// OwnMemory implements [pages.Notes].
func (n *Notes) OwnMemory() []facts.Facts {
	all := n.decode(n.Ledger.FactsOfProject("", names.TypeMemory))
	return slices.DeleteFunc(all, func(f facts.Facts) bool { return !names.IsOwnMemory(f.ID) })
}

// Neighbours implements [pages.Notes].
func (n *Notes) Neighbours(id string) (before, after string) {
	before, after, _ = neighbours(n.Ledger, id)
	return before, after
}

// Totals implements [pages.Notes].
func (n *Notes) Totals() (sessions int, first, last time.Time) {
	sessions, from, to, _ := n.Ledger.Count(names.TypeSession)
	first, _ = time.Parse(time.RFC3339, from)
	last, _ = time.Parse(time.RFC3339, to)
	return sessions, first, last
}

// decode unpacks facts. What cannot be read is not there; the ledger has failed then.
func (n *Notes) decode(rows [][]byte, err error) []facts.Facts {
	all, err := decodeAll(rows, err)
	if err != nil {
		_ = n.Ledger.Fail(err)
	}
	return all
}

func decodeAll(rows [][]byte, err error) ([]facts.Facts, error) {
	if err != nil {
		return nil, err
	}
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

// Tasks answers what pages ask of open tasks, as [Notes] do of themselves.
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
