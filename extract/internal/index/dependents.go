package index

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Changed makes due what shows something of a change. What depends on what says
// facts.Dependents; here the ledger is asked for it.
func (q *Queue) Changed(c facts.Change) error {
	return q.add(facts.Dependents(c, q.catalogue)...)
}

// add makes keys due. Those that are looked up when all changes are known wait for
// AddDeferred.
func (q *Queue) add(keys ...facts.DueKey) error {
	for _, k := range keys {
		if k.Find == facts.Around || k.Find == facts.IfHot {
			q.mu.Lock()
			q.deferred[k] = true
			q.mu.Unlock()
		} else if err := q.addNow(k); err != nil {
			return err
		}
	}
	return nil
}

// AddDeferred makes due what had to wait.
func (q *Queue) AddDeferred() error {
	q.mu.Lock()
	keys := q.deferred
	q.deferred = map[facts.DueKey]bool{}
	q.mu.Unlock()
	for k := range keys {
		if err := q.addNow(k); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) addNow(k facts.DueKey) error {
	ids, err := q.lookUp(k)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := q.Mark(string(k.Kind), id); err != nil {
			return err
		}
	}
	return nil
}

// lookUp gives the ids of what a key stands for.
func (q *Queue) lookUp(k facts.DueKey) ([]string, error) {
	l := q.ledger
	switch k.Find {
	case facts.One:
		return []string{k.ID}, nil
	case facts.UnderKey:
		rows, err := l.NotesWithKey(k.ID)
		return each(rows, shownBy(k.Kind)), err
	case facts.OfType:
		rows, err := l.NotesOfType(k.ID)
		return each(rows, shownBy(k.Kind)), err
	case facts.InProject:
		return q.findInProject(k)
	case facts.DaysIn:
		return q.findDays(k.ID)
	case facts.Beside:
		before, after, err := neighbours(l, k.ID)
		return []string{before, after}, err
	case facts.Forks:
		rows, err := forksOf(l, k.ID)
		return each(rows, recordID), err
	case facts.SameStart:
		rows, err := l.SameStart(k.ID)
		return each(rows, recordID), err
	case facts.MemoryOf:
		rows, err := l.MemoryOf(k.ID, k.Project)
		return each(rows, recordID), err
	}
	return q.findInIndex(k)
}

// each gives the ids of a list.
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

// shownBy gives what a note stands for: itself, its session, or the page of its project.
func shownBy(kind facts.DueKind) func(ledger.NoteRow) string {
	switch kind {
	case facts.DueSession:
		return func(r ledger.NoteRow) string { return r.Session }
	case facts.DuePage:
		return func(r ledger.NoteRow) string { return names.ProjectID(r.Project) }
	}
	return noteID
}

// neighbours are the pages before and after one of the journal.
func neighbours(l *ledger.Ledger, page string) (before, after string, err error) {
	kind, _, _ := strings.Cut(page, ":")
	before, after, err = l.NeighbourKeys("page:"+kind+":", "page:"+page)
	return strings.TrimPrefix(before, "page:"), strings.TrimPrefix(after, "page:"), err
}

// findInIndex asks the index of a project.
func (q *Queue) findInIndex(k facts.DueKey) (ids []string, err error) {
	x, err := q.projects.Index(k.Project)
	if err != nil {
		return nil, err
	}
	switch k.Find {
	case facts.Around:
		return each(x.Around(facts.Facts{ID: k.ID, Created: k.Created}), factsID), nil
	case facts.IfHot:
		if id := names.FileID(k.Project, k.ID); x.IsHot(k.ID, q.hot) || x.HasFileNote(id) {
			ids = append(ids, id)
		}
		return ids, nil
	}
	_, part, _ := names.CutFileID(strings.TrimPrefix(k.ID, "file:")) // the page's title may be the user's
	path := x.FileNamed(part)
	edited := x.EditedIn(path)
	if k.Find == facts.EditedIn {
		return each(edited, factsID), nil
	}
	for _, s := range edited { // EditedWith
		for _, other := range s.Files {
			if id := names.FileID(k.Project, other); other != path && x.HasFileNote(id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// findInProject finds the sessions of a project, the pages of its files, or its
// memory that belongs to no session.
func (q *Queue) findInProject(k facts.DueKey) ([]string, error) {
	typ := names.TypeMemory
	switch k.Kind {
	case facts.DueSession:
		return q.ledger.SessionsOfProject(k.ID)
	case facts.DuePage:
		typ = names.TypeFile
	}
	rows, err := q.ledger.NotesOfProject(k.ID, typ)
	rows = slices.DeleteFunc(rows, func(r ledger.NoteRow) bool { return r.Session != "" })
	return each(rows, noteID), err
}

// findDays finds the pages of the days and weeks that list the sessions of a
// project. A new note makes due itself what lists it.
func (q *Queue) findDays(project string) (ids []string, err error) {
	rows, err := q.ledger.NotesOfProject(project, names.TypeSession)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.State == ledger.Planned {
			continue
		}
		f, err := facts.Decode(r.Facts)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Days {
			ids = append(ids, names.DayID(d), names.WeekID(names.WeekOf(d)))
		}
	}
	return ids, nil
}

// forksOf are the forks of a session, theirs, and so on: with its own parent may
// change who of them is in a circle.
func forksOf(l *ledger.Ledger, id string) ([]ledger.SessionRecord, error) {
	all, err := l.Forks(id)
	seen := map[string]bool{id: true}
	for i := 0; i < len(all) && err == nil; i++ {
		if at := all[i].ID; !seen[at] {
			seen[at] = true
			var more []ledger.SessionRecord
			more, err = l.Forks(at)
			all = append(all, more...)
		}
	}
	return all, err
}
