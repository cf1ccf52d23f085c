package index

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Queue holds what is due, in memory and in the ledger. It is safe for concurrent use.
type Queue struct {
	ledger   *ledger.Ledger
	projects *Projects
	hot      facts.HotFiles

	mu       sync.Mutex
	kinds    map[string]map[string]bool
	again    map[string]bool // due again since Watch, by kind and id
	deferred map[facts.DueKey]bool
}

// LoadQueue loads what earlier runs left due. hot says which files get a page.
func LoadQueue(l *ledger.Ledger, projects *Projects, hot facts.HotFiles) *Queue {
	q := &Queue{ledger: l, projects: projects, hot: hot, kinds: map[string]map[string]bool{}, deferred: map[facts.DueKey]bool{}}
	for _, kind := range []string{ledger.DueSession, ledger.DuePage, ledger.DueNav} {
		ids := l.Due(kind)
		q.kinds[kind] = make(map[string]bool, len(ids))
		for _, id := range ids {
			q.kinds[kind][id] = true
		}
	}
	return q
}

// Watch starts recording what becomes due, even if it already is: see [Queue.Take].
func (q *Queue) Watch() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.again = map[string]bool{}
}

// Take removes a key that is about to be rendered. A page that became due again since Watch stays, and is not
// taken: it was planned on outdated facts.
func (q *Queue) Take(kind, id string) (taken bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if kind == ledger.DuePage && q.again[kind+id] {
		return false
	}
	q.done(kind, id)
	return true
}

// Mark makes something due; an empty id is ignored.
func (q *Queue) Mark(kind, id string) {
	if id == "" {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.again != nil {
		q.again[kind+id] = true
	}
	if q.kinds[kind][id] {
		return
	}
	q.kinds[kind][id] = true
	q.ledger.MarkDue(kind, id)
}

// Done removes a rendered key.
func (q *Queue) Done(kind, id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done(kind, id)
}

func (q *Queue) done(kind, id string) {
	if !q.kinds[kind][id] {
		return
	}
	delete(q.kinds[kind], id)
	q.ledger.Done(kind, id)
}

// Has reports whether something is due.
func (q *Queue) Has(kind, id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.kinds[kind][id]
}

// List returns the due ids, sorted.
func (q *Queue) List(kind string) []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Sorted(maps.Keys(q.kinds[kind]))
}

// Empty reports whether nothing is due.
func (q *Queue) Empty() bool { return q.Only(nil) }

// Only reports whether nothing is due but those.
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

// MarkAll makes all notes due, with other machines' notes, and checks again which files and issues have a
// page.
func (q *Queue) MarkAll() {
	for r := range EachNote(q.ledger) {
		q.MarkNote(r)
	}
}

// MarkNote queues everything that renders a note.
func (q *Queue) MarkNote(r ledger.NoteRow) {
	switch {
	case r.Session == "" && r.Type == names.TypeMemory:
		q.Mark(ledger.DueNav, r.ID)
	case r.Session == "":
		q.Mark(ledger.DuePage, r.ID)
	default:
		if r.Type == names.TypeSession {
			q.add(facts.EarnedBy(facts.Decode(r.Facts, q.ledger.Harmed))...)
		}
		q.Mark(ledger.DueSession, r.Session)
	}
}

// MarkNavs queues the navigation of a session's notes, except for completely drafted ones.
func (q *Queue) MarkNavs(session string, drafted map[string]bool) {
	for _, r := range q.ledger.NotesOfSession(session) {
		if !drafted[r.ID] {
			q.Mark(ledger.DueNav, r.ID)
		}
	}
}

// EachNote visits the rows of all notes.
func EachNote(l *ledger.Ledger) iter.Seq[ledger.NoteRow] {
	return func(yield func(ledger.NoteRow) bool) {
		for _, typ := range names.NoteTypes() {
			for _, r := range l.NotesOfType(typ) {
				if !yield(r) {
					return
				}
			}
		}
	}
}
