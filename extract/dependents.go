package extract

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// changed makes due what shows something of a change. What depends on what says
// facts.Dependents; here the ledger is asked for it.
func (p *pass) changed(c facts.Change) error {
	return p.queue(facts.Dependents(c, p.layout.Catalogue())...)
}

// queue makes keys due. Those that are looked up when all changes are known wait
// for queueDeferred.
func (p *pass) queue(keys ...facts.DueKey) error {
	for _, k := range keys {
		if k.Find == facts.Around || k.Find == facts.IfHot {
			p.deferred[k] = true
		} else if err := p.queueNow(k); err != nil {
			return err
		}
	}
	return nil
}

// queueDeferred makes due what had to wait.
func (p *pass) queueDeferred() error {
	for k := range p.deferred {
		if err := p.queueNow(k); err != nil {
			return err
		}
	}
	clear(p.deferred)
	return nil
}

func (p *pass) queueNow(k facts.DueKey) error {
	ids, err := p.lookUp(k)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := p.due.mark(string(k.Kind), id); err != nil {
			return err
		}
	}
	return nil
}

// lookUp gives the ids of what a key stands for.
func (p *pass) lookUp(k facts.DueKey) ([]string, error) {
	switch k.Find {
	case facts.One:
		return []string{k.ID}, nil
	case facts.UnderKey:
		rows, err := p.Ledger.NotesWithKey(k.ID)
		return idsFor(k.Kind, rows), err
	case facts.OfType:
		rows, err := p.Ledger.NotesOfType(k.ID)
		return idsFor(k.Kind, rows), err
	case facts.InProject:
		return p.findInProject(k)
	case facts.DaysIn:
		return p.findDays(k.ID)
	case facts.Beside:
		kind, _, _ := strings.Cut(k.ID, ":")
		before, after, err := p.Ledger.NeighbourKeys("page:"+kind+":", "page:"+k.ID)
		return []string{names.TrimKey(before), names.TrimKey(after)}, err
	case facts.Forks:
		rows, err := forksOf(p.Ledger, k.ID)
		return sessionIDs(rows), err
	case facts.SameStart:
		begun, err := p.Ledger.SameStart(k.ID)
		var ids []string
		for _, b := range begun {
			ids = append(ids, b.ID)
		}
		return ids, err
	case facts.Shelves:
		rows, err := p.Ledger.Shelves(k.ID, k.Project)
		return sessionIDs(rows), err
	}
	return p.findInIndex(k)
}

// findInIndex asks the index of a project.
func (p *pass) findInIndex(k facts.DueKey) (ids []string, err error) {
	x, err := p.atlas.project(k.Project)
	if err != nil {
		return nil, err
	}
	switch k.Find {
	case facts.Around:
		for _, s := range x.Around(facts.Facts{ID: k.ID, Created: k.Created}) {
			ids = append(ids, s.ID)
		}
	case facts.IfHot:
		if id := names.FileID(k.Project, k.ID); x.IsHot(k.ID, p.Settings.HotFiles) || x.HasFileNote(id) {
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
func (p *pass) findInProject(k facts.DueKey) (ids []string, err error) {
	switch k.Kind {
	case facts.DueSession:
		return p.Ledger.SessionsOfProject(k.ID)
	case facts.DuePage:
		rows, err := p.Ledger.NotesOfProject(k.ID, names.TypeFile)
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return ids, err
	}
	rows, err := p.Ledger.NotesOfProject(k.ID, names.TypeMemory)
	for _, r := range rows {
		if r.Session == "" {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// findDays finds the pages of the days and weeks that list the sessions of a
// project. A new note makes due itself what lists it.
func (p *pass) findDays(project string) (ids []string, err error) {
	rows, err := p.Ledger.NotesOfProject(project, names.TypeSession)
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

func sessionIDs(rows []ledger.SessionRow) []string {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}
