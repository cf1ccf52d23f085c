package extract

import (
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// changed makes due the pages and navigations that are made of a note's facts.
// before or after is nil where the note is new or gone.
func (p *pass) changed(before, after *facts.Facts) error {
	same := before != nil && after != nil && before.Type == after.Type && before.Project == after.Project
	for _, f := range []*facts.Facts{before, after} {
		if f == nil {
			continue
		}
		p.atlas.changed(f, f == after || same)
		if err := p.changedFacts(f, !same); err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) changedFacts(f *facts.Facts, existence bool) error {
	switch f.Type {
	case names.TypeSession:
		if existence { // forks name it
			if err := p.markKey("fork:"+f.Session(), ledger.DueSession); err != nil {
				return err
			}
		}
		return p.changedSession(f)
	case names.TypeMemory:
		if names.IsOwnMemory(f.ID) {
			return p.markAll(mark{ledger.DuePage, names.HomeID})
		}
		return p.markAll(
			mark{ledger.DuePage, names.ProjectID(f.Project)},
			mark{ledger.DueNav, names.SessionID(f.Session())})
	case names.TypeProject:
		if err := p.markAll(mark{ledger.DuePage, names.HomeID}, mark{ledger.DuePage, names.ThreadsID}); err != nil || !existence {
			return err
		}
		return p.relocated(*f)
	case names.TypeFile, names.TypeDay, names.TypeWeek, names.TypeCheckpoint, names.TypeHome, names.TypeThreads:
		if existence {
			return p.relocated(*f)
		}
	}
	return nil
}

func (p *pass) changedSession(f *facts.Facts) error {
	p.chain[f.Project] = append(p.chain[f.Project], facts.Facts{ID: f.ID, Created: f.Created})
	p.touch(f)
	marks := []mark{
		{ledger.DuePage, names.ProjectID(f.Project)}, {ledger.DuePage, names.HomeID}, {ledger.DuePage, names.ThreadsID},
	}
	for _, d := range f.Days {
		marks = append(marks, mark{ledger.DuePage, names.DayID(d)}, mark{ledger.DuePage, names.WeekID(names.WeekOf(d))})
	}
	if f.Parent != "" {
		marks = append(marks, mark{ledger.DueNav, names.SessionID(f.Parent)})
	}
	return p.markAll(marks...)
}

// touch notes that what is listed of a session's files is to be looked at.
func (p *pass) touch(f *facts.Facts) {
	if p.touched[f.Project] == nil {
		p.touched[f.Project] = map[string]bool{}
	}
	for _, path := range f.Files {
		p.touched[f.Project][path] = true
	}
}

// relocated makes due what links to a note whose place, name or existence
// changed.
func (p *pass) relocated(f facts.Facts) error {
	f = f.Named()
	switch f.Type {
	case names.TypeSession:
		if err := p.markAll(mark{ledger.DueSession, f.Session()}); err != nil {
			return err
		}
		return p.markKey("fork:"+f.Session(), ledger.DueSession)
	case names.TypeCheckpoint, names.TypePart:
		return p.markAll(mark{ledger.DueSession, f.Session()})
	case names.TypeProject:
		return p.relocatedProject(f.Project)
	case names.TypeHome:
		return p.relocatedHome()
	case names.TypeDay:
		return p.relocatedDay(f)
	case names.TypeWeek:
		return p.relocatedWeek(f)
	case names.TypeThreads:
		return p.markAll(mark{ledger.DuePage, names.HomeID})
	case names.TypeFile:
		return p.relocatedFile(f)
	}
	return nil
}

func (p *pass) relocatedProject(key string) error {
	sessions, err := p.Ledger.SessionsOfProject(key)
	if err = errors.Join(err, p.due.mark(ledger.DuePage, names.HomeID), p.due.mark(ledger.DuePage, names.ThreadsID)); err != nil {
		return err
	}
	for _, id := range sessions {
		if err := p.due.mark(ledger.DueSession, id); err != nil {
			return err
		}
	}
	if err := p.relocatedFolder(key); err != nil {
		return err
	}
	for _, typ := range []string{names.TypeSession, names.TypeMemory, names.TypeFile} {
		rows, err := p.Ledger.NotesOfProject(key, typ)
		if err != nil {
			return err
		}
		for _, r := range rows {
			switch {
			case typ == names.TypeFile:
				err = p.due.mark(ledger.DuePage, r.ID)
			case r.Session == "":
				err = p.due.mark(ledger.DueNav, r.ID)
			case r.State != ledger.Planned: // a new note makes due itself what lists it
				err = p.markDays(r)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// relocatedFolder concerns the sessions in a workspace of which the project is a
// folder, and the project of that workspace.
func (p *pass) relocatedFolder(key string) error {
	rows, err := p.Ledger.NotesWithKey("folder:" + key)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := p.markAll(mark{ledger.DueSession, r.Session}, mark{ledger.DuePage, names.ProjectID(r.Project)}); err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) markDays(r ledger.NoteRow) error {
	if r.Type != names.TypeSession {
		return nil
	}
	f, err := facts.Decode(r.Facts)
	if err != nil {
		return err
	}
	for _, d := range f.Days {
		if err := p.markAll(mark{ledger.DuePage, names.DayID(d)}, mark{ledger.DuePage, names.WeekID(names.WeekOf(d))}); err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) relocatedHome() error {
	for _, typ := range []string{names.TypeProject, names.TypeDay, names.TypeWeek, names.TypeThreads} {
		rows, err := p.Ledger.NotesOfType(typ)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := p.markAll(mark{ledger.DueNav, r.ID}); err != nil {
				return err
			}
		}
	}
	rows, err := p.Ledger.NotesOfProject("", names.TypeMemory)
	for _, r := range rows {
		err = errors.Join(err, p.markAll(mark{ledger.DueNav, r.ID}))
	}
	return err
}

func (p *pass) relocatedDay(f facts.Facts) error {
	day := f.ID[len("day:"):]
	if err := p.markKey("day:"+day, ledger.DueNav); err != nil {
		return err
	}
	before, after, err := p.Ledger.NeighbourKeys("page:day:", "page:"+f.ID)
	if err != nil {
		return err
	}
	return p.markAll(mark{ledger.DuePage, names.TrimKey(before)}, mark{ledger.DuePage, names.TrimKey(after)}, mark{ledger.DuePage, names.WeekID(names.WeekOf(day))})
}

// relocatedWeek concerns the weeks around, the days of the week, and Home.
func (p *pass) relocatedWeek(f facts.Facts) error {
	before, after, err := p.Ledger.NeighbourKeys("page:week:", "page:"+f.ID)
	if err != nil {
		return err
	}
	marks := []mark{{ledger.DueNav, names.TrimKey(before)}, {ledger.DueNav, names.TrimKey(after)}, {ledger.DuePage, names.HomeID}}
	if monday, ok := names.MondayOf(strings.TrimPrefix(f.ID, "week:")); ok {
		for _, d := range names.DaysOf(monday) {
			marks = append(marks, mark{ledger.DueNav, names.DayID(d)})
		}
	}
	return p.markAll(marks...)
}

// rethreaded makes due the pages of the day and week on which a session ended
// whose open ends are others now.
func (p *pass) rethreaded(project string, now []ledger.Thread) error {
	then, err := p.Ledger.ThreadsOf(project)
	if err != nil {
		return err
	}
	moved := map[string]bool{}
	for _, lists := range [2][2][]ledger.Thread{{then, now}, {now, then}} {
		for _, t := range lists[0] {
			if !slices.Contains(lists[1], t) {
				moved[t.Session] = true
			}
		}
	}
	for id := range moved {
		row, known, err := p.Ledger.Note(id)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		f, err := facts.Decode(row.Facts)
		if err != nil {
			return err
		}
		if d := f.LastDay(); d != "" {
			err = p.markAll(mark{ledger.DuePage, names.DayID(d)}, mark{ledger.DuePage, names.WeekID(names.WeekOf(d))})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// relocatedFile concerns the sessions that edited the file, and the pages of
// files edited together with it.
func (p *pass) relocatedFile(f facts.Facts) error {
	if err := p.markAll(mark{ledger.DuePage, names.ProjectID(f.Project)}); err != nil {
		return err
	}
	if err := p.hotFileChanged(); err != nil {
		return err
	}
	r, err := p.atlas.project(f.Project)
	if err != nil {
		return err
	}
	_, part, _ := names.CutFileID(strings.TrimPrefix(f.ID, "file:")) // the title may be the user's
	path := r.FileNamed(part)
	for _, s := range r.EditedIn(path) {
		if err := p.markAll(mark{ledger.DueNav, s.ID}); err != nil {
			return err
		}
		for _, other := range s.Files {
			if id := names.FileID(f.Project, other); other != path && r.HasFileNote(id) {
				if err := p.markAll(mark{ledger.DuePage, id}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// mark is something to make due.
type mark struct{ kind, id string }

func (p *pass) markAll(marks ...mark) error {
	for _, m := range marks {
		if err := p.due.mark(m.kind, m.id); err != nil {
			return err
		}
	}
	return nil
}

// markKey makes due the notes under a key: their navigation, or their sessions.
func (p *pass) markKey(key, kind string) error {
	rows, err := p.Ledger.NotesWithKey(key)
	if err != nil {
		return err
	}
	for _, r := range rows {
		id := r.ID
		if kind == ledger.DueSession {
			id = r.Session
		}
		if err := p.markAll(mark{kind, id}); err != nil {
			return err
		}
	}
	return nil
}

// settleChain makes due the navigation of the sessions around those whose place
// in their project changed.
func (p *pass) settleChain() error {
	for project, moved := range p.chain {
		r, err := p.atlas.project(project)
		if err != nil {
			return err
		}
		for _, f := range moved {
			for _, s := range r.Around(f) {
				if err := p.markAll(mark{ledger.DueNav, s.ID}); err != nil {
					return err
				}
			}
		}
	}
	clear(p.chain)
	return nil
}

// settleFiles makes due the pages of files whose sessions changed: those that
// are hot now and those that have a page already.
func (p *pass) settleFiles() error {
	for project, paths := range p.touched {
		r, err := p.atlas.project(project)
		if err != nil {
			return err
		}
		for path := range paths {
			id := names.FileID(project, path)
			if !r.IsHot(path, p.Settings.HotFiles) && !r.HasFileNote(id) {
				continue
			}
			if err := p.markAll(mark{ledger.DuePage, id}); err != nil {
				return err
			}
		}
	}
	clear(p.touched)
	return nil
}
