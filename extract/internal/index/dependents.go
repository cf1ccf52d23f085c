package index

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Changed queues the notes that show a change. facts.Dependents returns queries; here the ledger answers
// them.
func (q *Queue) Changed(c facts.Change) { q.add(facts.Dependents(c)...) }

// add makes keys due, each once. Queries that need all changes wait for AddDeferred.
func (q *Queue) add(keys ...facts.DueKey) {
	added := make(map[facts.DueKey]bool, len(keys))
	for _, k := range keys {
		if added[k] { // a change is looked up by its old and its new data
			continue
		}
		added[k] = true
		if k.Find == facts.Around || k.Find == facts.IfHot {
			q.mu.Lock()
			q.deferred[k] = true
			q.mu.Unlock()
		} else {
			q.addNow(k)
		}
	}
}

// AddDeferred queues the deferred notes.
func (q *Queue) AddDeferred() {
	q.mu.Lock()
	keys := q.deferred
	q.deferred = map[facts.DueKey]bool{}
	q.mu.Unlock()
	for k := range keys {
		q.addNow(k)
	}
}

func (q *Queue) addNow(k facts.DueKey) {
	for _, id := range q.lookUp(k) {
		q.Mark(string(k.Kind), id)
	}
}

// lookUp returns the ids of the notes under a key.
func (q *Queue) lookUp(k facts.DueKey) []string {
	l := q.ledger
	switch k.Find {
	case facts.One:
		return []string{k.ID}
	case facts.UnderKey:
		rows := slices.DeleteFunc(l.NotesWithKey(k.ID), func(r ledger.NoteRow) bool { return r.ID == k.But })
		return each(rows, shownBy(k.Kind))
	case facts.OfType:
		return each(l.NotesOfType(k.ID), shownBy(k.Kind))
	case facts.InProject:
		return q.findInProject(k)
	case facts.ListsIn:
		return q.pagesOf(l.NotesOfProject(k.ID, names.TypeSession), func(f facts.Facts) []string { return append(pagesOfDays(f), pagesOfIssues(f)...) })
	case facts.DaysUnder:
		return q.pagesOf(l.NotesWithKey(k.ID), pagesOfDays)
	case facts.NamedUnder:
		return q.pagesOf(l.NotesWithKey(k.ID), pagesOfIssues)
	case facts.Beside:
		before, after := neighbours(l, k.ID)
		return []string{before, after}
	case facts.DaysOf:
		row, _ := l.Note(names.SessionID(k.ID))
		return pagesOfDays(facts.Decode(row.Facts, l.Harmed))
	case facts.WithOpen:
		return each(l.ProjectsWithOpenThreads(), names.ProjectID)
	case facts.Forks:
		return each(forksOf(l, k.ID), recordID)
	case facts.SameStart:
		return each(l.SameStart(k.ID), recordID)
	case facts.MemoryOf:
		return each(l.MemoryOf(k.ID, k.Project), recordID)
	}
	return q.findInIndex(k)
}

func each[T any](list []T, id func(T) string) []string {
	ids := make([]string, len(list))
	for i, one := range list {
		ids[i] = id(one)
	}
	return ids
}

func factsID(f facts.Facts) string { return f.ID }

func noteID(r ledger.NoteRow) string { return r.ID }

func recordID(r ledger.SessionRecord) string { return r.ID }

func shownBy(kind facts.DueKind) func(ledger.NoteRow) string {
	switch kind {
	case facts.DueSession:
		return func(r ledger.NoteRow) string { return r.Session }
	case facts.DuePage:
		return func(r ledger.NoteRow) string { return names.ProjectID(r.Project) }
	}
	return noteID
}

func neighbours(l *ledger.Ledger, page string) (before, after string) {
	kind, _, _ := strings.Cut(page, ":")
	before, after = l.NeighbourKeys("page:"+kind+":", "page:"+page)
	return strings.TrimPrefix(before, "page:"), strings.TrimPrefix(after, "page:")
}

func (q *Queue) findInIndex(k facts.DueKey) (ids []string) {
	x := q.projects.Index(k.Project)
	switch k.Find {
	case facts.Around:
		return each(x.Around(facts.Facts{ID: k.ID, Created: k.Created}), factsID)
	case facts.IfHot:
		if id := names.FileID(k.Project, k.ID); x.IsHot(k.ID, q.hot) || x.HasFileNote(id) {
			ids = append(ids, id)
		}
		return ids
	}
	_, part, _ := names.CutFileID(strings.TrimPrefix(k.ID, "file:")) // the page's title may be the user's
	path := x.FileNamed(part)
	edited := x.EditedIn(path)
	switch {
	case k.Find == facts.EditedIn && k.Kind == facts.DuePage:
		for _, s := range edited {
			ids = append(ids, pagesOfIssues(s)...)
		}
		return ids
	case k.Find == facts.EditedIn:
		return each(edited, factsID)
	}
	for _, s := range edited { // EditedWith
		for _, other := range s.Files {
			if id := names.FileID(k.Project, other); other != path && x.HasFileNote(id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// findInProject finds the sessions of a project, the pages of its files and issues, or its memory without a
// session.
func (q *Queue) findInProject(k facts.DueKey) (ids []string) {
	types := []string{names.TypeMemory}
	switch k.Kind {
	case facts.DueSession:
		return q.ledger.SessionsOfProject(k.ID)
	case facts.DuePage:
		types = append(names.IssueTypes(), names.TypeFile)
	}
	for _, typ := range types {
		rows := q.ledger.NotesOfProject(k.ID, typ)
		rows = slices.DeleteFunc(rows, func(r ledger.NoteRow) bool { return facts.Facts{ID: r.ID, Type: r.Type}.Session() != "" })
		ids = append(ids, each(rows, noteID)...)
	}
	return ids
}

// pagesOf finds the pages that list sessions. A new note queues its own lists.
func (q *Queue) pagesOf(sessions []ledger.NoteRow, pages func(facts.Facts) []string) (ids []string) {
	for _, r := range sessions {
		if r.State == ledger.Planned {
			continue
		}
		f := facts.Decode(r.Facts, q.ledger.Harmed)
		ids = append(ids, pages(f)...)
	}
	return ids
}

func pagesOfIssues(f facts.Facts) (ids []string) {
	for _, i := range f.Issues() {
		ids = append(ids, i.ID())
	}
	return ids
}

func pagesOfDays(f facts.Facts) (ids []string) {
	for _, d := range f.Days {
		ids = append(ids, names.DayID(d), names.WeekID(names.WeekOf(d)))
	}
	return ids
}

// forksOf returns the forks of a session, their forks, and so on: a new parent may change which of them are
// in a circle.
func forksOf(l *ledger.Ledger, id string) []ledger.SessionRecord {
	all := l.Forks(id)
	seen := map[string]bool{id: true}
	for i := 0; i < len(all); i++ {
		if at := all[i].ID; !seen[at] {
			seen[at] = true
			all = append(all, l.Forks(at)...)
		}
	}
	return all
}
