package index

import (
	"maps"
	"slices"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Queue is what is still to be rendered, in memory and in the ledger alike. It is
// safe for concurrent use.
type Queue struct {
	ledger    *ledger.Ledger
	projects  *Projects
	catalogue bool // a page of all files that have one is kept
	hot       facts.HotFiles

	mu       sync.Mutex
	kinds    map[string]map[string]bool
	again    map[string]bool // by kind and id: what became due once more since Watch
	deferred map[facts.DueKey]bool
}

// LoadQueue loads what earlier runs left to be rendered. catalogue says that the vault
// has a page of all files that have one, hot which files earn one.
func LoadQueue(l *ledger.Ledger, projects *Projects, catalogue bool, hot facts.HotFiles) (*Queue, error) {
	q := &Queue{ledger: l, projects: projects, catalogue: catalogue, hot: hot, kinds: map[string]map[string]bool{}, deferred: map[facts.DueKey]bool{}}
	for _, kind := range []string{ledger.DueSession, ledger.DuePage, ledger.DueNav} {
		ids, err := l.Due(kind)
		if err != nil {
			return nil, err
		}
		q.kinds[kind] = make(map[string]bool, len(ids))
		for _, id := range ids {
			q.kinds[kind][id] = true
		}
	}
	return q, nil
}

// Watch begins to note what becomes due, be it due already: see [Queue.Take].
func (q *Queue) Watch() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.again = map[string]bool{}
}

// Take takes out what is about to be rendered. A page that became due once more since
// Watch stays, and is not taken: it was planned on facts that no longer hold.
func (q *Queue) Take(kind, id string) (taken bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if kind == ledger.DuePage && q.again[kind+id] {
		return false, nil
	}
	return true, q.done(kind, id)
}

// Mark makes something due; an empty id stands for nothing.
func (q *Queue) Mark(kind, id string) error {
	if id == "" {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.again != nil {
		q.again[kind+id] = true
	}
	if q.kinds[kind][id] {
		return nil
	}
	q.kinds[kind][id] = true
	return q.ledger.MarkDue(kind, id)
}

// Done takes something out that is rendered.
func (q *Queue) Done(kind, id string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.done(kind, id)
}

func (q *Queue) done(kind, id string) error {
	if !q.kinds[kind][id] {
		return nil
	}
	delete(q.kinds[kind], id)
	return q.ledger.Done(kind, id)
}

// Has tells whether something is due.
func (q *Queue) Has(kind, id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.kinds[kind][id]
}

// List gives the ids of what is due, in their order.
func (q *Queue) List(kind string) []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Sorted(maps.Keys(q.kinds[kind]))
}

// Empty tells that nothing is due.
func (q *Queue) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, ids := range q.kinds {
		if len(ids) > 0 {
			return false
		}
	}
	return true
}

// Only tells whether nothing is due but those.
func (q *Queue) Only(those map[facts.DueKey]bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for kind, ids := range q.kinds {
		for id := range ids {
			if !those[facts.DueKey{Kind: facts.DueKind(kind), ID: id}] {
				return false
			}
		}
	}
	return true
}

// MarkAll makes all notes due, those of other machines too, and asks of every file
// once more whether it is hot.
func (q *Queue) MarkAll() error {
	sessions, err := q.ledger.Sessions()
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if err := q.Mark(ledger.DueSession, s.ID); err != nil {
			return err
		}
	}
	return EachNote(q.ledger, q.MarkNote)
}

// MarkNote makes due whatever renders a note.
func (q *Queue) MarkNote(r ledger.NoteRow) error {
	switch {
	case r.Session == "" && r.Type == names.TypeMemory:
		return q.Mark(ledger.DueNav, r.ID)
	case r.Session == "":
		return q.Mark(ledger.DuePage, r.ID)
	case r.Type == names.TypeSession:
		f, err := facts.Decode(r.Facts)
		if err != nil {
			return err
		}
		if err := q.add(facts.FilesOf(f)...); err != nil {
			return err
		}
	}
	return q.Mark(ledger.DueSession, r.Session)
}

// MarkNavs makes due the navigation of a session's notes, but for those of which all
// is drafted, by their ids.
func (q *Queue) MarkNavs(session string, drafted map[string]bool) error {
	rows, err := q.ledger.NotesOfSession(session)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if drafted[r.ID] {
			continue
		}
		if err := q.Mark(ledger.DueNav, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// EachNote visits the rows of all notes.
func EachNote(l *ledger.Ledger, visit func(ledger.NoteRow) error) error {
	for _, typ := range names.NoteTypes() {
		rows, err := l.NotesOfType(typ)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := visit(r); err != nil {
				return err
			}
		}
	}
	return nil
}
