package index

import (
	"fmt"
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
	switch k.Find {
	case facts.One:
		return []string{k.ID}, nil
	case facts.UnderKey:
		rows, err := q.ledger.NotesWithKey(k.ID)
		return idsFor(k.Kind, rows), err
	case facts.OfType:
		rows, err := q.ledger.NotesOfType(k.ID)
		return idsFor(k.Kind, rows), err
	case facts.InProject:
		return q.findInProject(k)
	case facts.DaysIn:
		return q.findDays(k.ID)
	case facts.Beside:
		kind, _, _ := strings.Cut(k.ID, ":")
		before, after, err := q.ledger.NeighbourKeys("page:"+kind+":", "page:"+k.ID)
		return []string{names.TrimKey(before), names.TrimKey(after)}, err
	case facts.Forks:
		rows, err := forksOf(q.ledger, k.ID)
		return sessionIDs(rows), err
	case facts.SameStart:
		rows, err := q.ledger.SameStart(k.ID)
		return sessionIDs(rows), err
	case facts.MemoryOf:
		rows, err := q.ledger.MemoryOf(k.ID, k.Project)
		return sessionIDs(rows), err
	}
	return q.findInIndex(k)
}

// findInIndex asks the index of a project.
func (q *Queue) findInIndex(k facts.DueKey) (ids []string, err error) {
	x, err := q.projects.Index(k.Project)
	if err != nil {
		return nil, err
	}
	switch k.Find {
	case facts.Around:
		for _, s := range x.Around(facts.Facts{ID: k.ID, Created: k.Created}) {
			ids = append(ids, s.ID)
		}
	case facts.IfHot:
		if id := names.FileID(k.Project, k.ID); x.IsHot(k.ID, q.hot) || x.HasFileNote(id) {
			ids = append(ids, id)
		}
	case facts.EditedIn:
		for _, s := range x.EditedIn(fileOfPage(x, k.ID)) {
			ids = append(ids, s.ID)
		}
	case facts.EditedWith:
		path := fileOfPage(x, k.ID)
		for _, s := range x.EditedIn(path) {
			for _, other := range s.Files {
				if id := names.FileID(k.Project, other); other != path && x.HasFileNote(id) {
					ids = append(ids, id)
				}
			}
		}
	default:
		return nil, fmt.Errorf("nobody answers the question %d for what is due", k.Find)
	}
	return ids, nil
}

// fileOfPage is the file of a page: its title may be the user's.
func fileOfPage(x *facts.ProjectIndex, id string) string {
	_, part, _ := names.CutFileID(strings.TrimPrefix(id, "file:"))
	return x.FileNamed(part)
}

// findInProject finds the sessions of a project, the pages of its files, or its
// memory that belongs to no session.
func (q *Queue) findInProject(k facts.DueKey) (ids []string, err error) {
	switch k.Kind {
	case facts.DueSession:
		return q.ledger.SessionsOfProject(k.ID)
	case facts.DuePage:
		rows, err := q.ledger.NotesOfProject(k.ID, names.TypeFile)
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return ids, err
	}
	rows, err := q.ledger.NotesOfProject(k.ID, names.TypeMemory)
	for _, r := range rows {
		if r.Session == "" {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
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

// idsFor are what notes stand for: themselves, their sessions, or the pages of
// their projects.
func idsFor(kind facts.DueKind, rows []ledger.NoteRow) []string {
	ids := make([]string, len(rows))
	for i, r := range rows {
		switch kind {
		case facts.DueSession:
			ids[i] = r.Session
		case facts.DuePage:
			ids[i] = names.ProjectID(r.Project)
		default:
			ids[i] = r.ID
		}
	}
	return ids
}

func sessionIDs(rows []ledger.SessionRecord) []string {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
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
