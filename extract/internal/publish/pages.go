package publish

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// planPages plans the pages that are due: those that list notes and are made of
// facts alone.
func (p *Publisher) planPages(ctx context.Context, r *round) error {
	list := p.Notes.Queue.List(ledger.DuePage)
	slices.SortStableFunc(list, func(a, b string) int { return pages.Order(a) - pages.Order(b) })
	for _, id := range list {
		owner := due{ledger.DuePage, id}
		if r.planned[owner] || p.Recorder.HasFailed(owner.kind, id) {
			continue
		}
		r.planned[owner] = true
		d, err := p.planOnePage(ctx, owner)
		if err != nil {
			return err
		}
		if d != nil {
			r.whole[id] = true
			r.take(d)
		} else if !p.Recorder.HasFailed(owner.kind, id) {
			if err := p.Notes.Queue.Done(owner.kind, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// Page makes a page of what is known; nil where it has nothing to say. The open tasks of
// a project are stored with its page.
func (p *Publisher) Page(id string) (*pages.Page, error) {
	if key, ok := strings.CutPrefix(id, names.ProjectID("")); ok {
		if err := p.storeThreads(key, p.Builder.Notes.Project(key).OpenTasks()); err != nil {
			return nil, err
		}
	}
	page := p.Builder.List(id)
	return page, p.Notes.Ledger.Failed()
}

func (p *Publisher) storeThreads(key string, threads []content.TaskBox) error {
	rows := make([]ledger.OpenTask, len(threads))
	for i, t := range threads {
		rows[i] = ledger.OpenTask{Project: key, At: index.Stamp(t.At), Session: t.Session, Text: t.Text}
	}
	if err := p.tasksChanged(key, rows); err != nil {
		return err
	}
	return p.Notes.Ledger.PutOpenTasks(key, rows)
}

// tasksChanged makes due what shows the open tasks of the sessions of a project that
// are others now.
func (p *Publisher) tasksChanged(project string, now []ledger.OpenTask) error {
	then := ledger.Got(p.Notes.Ledger.OpenTasksOf(project))
	changed := map[string]bool{}
	for _, lists := range [2][2][]ledger.OpenTask{{then, now}, {now, then}} {
		for _, t := range lists[0] {
			if !slices.Contains(lists[1], t) {
				changed[t.Session] = true
			}
		}
	}
	for id := range changed {
		row, known := ledger.Found(p.Notes.Ledger.Note(id))
		if !known {
			continue
		}
		f, err := facts.Decode(row.Facts)
		if err != nil {
			return err
		}
		if err := p.Notes.Queue.Changed(facts.Change{Before: &f, After: &f, Tasks: true}); err != nil {
			return err
		}
	}
	return nil
}

// planOnePage plans a page, nil where nothing is to be written. One that cannot be planned
// stays due, and the others are planned all the same.
func (p *Publisher) planOnePage(ctx context.Context, owner due) (d *draft, err error) {
	id := owner.owner
	ok, err := p.alone(ctx, owner, id, "", func() (err error) {
		if d, err = p.planPage(owner); err != nil {
			err = fmt.Errorf("plan page %q: %w", id, err)
		}
		return err
	})
	if err != nil || ok {
		return d, err
	}
	return nil, p.Notes.DropUnwritten(id)
}

func (p *Publisher) planPage(owner due) (d *draft, err error) {
	page, err := p.Page(owner.owner)
	if err != nil || page == nil {
		return nil, err
	}
	d = draftOf(page, owner)
	d.place.long = names.TrimMD(d.place.path) + names.PageTaken
	var ok bool
	if page.Gone {
		ok, err = p.planRemoval(d)
	} else {
		ok, err = p.plan(d, nil)
	}
	if err != nil || !ok {
		return nil, err
	}
	return d, nil
}

// planNavs plans the notes of which only the navigation is due.
func (p *Publisher) planNavs(ctx context.Context, r *round) error {
	for _, id := range p.Notes.Queue.List(ledger.DueNav) {
		if p.Recorder.HasFailed(ledger.DueNav, id) {
			continue
		}
		_, err := p.alone(ctx, due{ledger.DueNav, id}, id, "", func() error {
			drafts, err := p.planNav(id, r.whole[id])
			if err == nil {
				r.take(drafts...)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// planNav plans the navigation of one note, none where nothing is to be written.
// whole says that all of the note is drafted.
func (p *Publisher) planNav(id string, whole bool) ([]*draft, error) {
	row, known := ledger.Found(p.Notes.Ledger.Note(id))
	if known && !p.Scope.HoldsNote(row) {
		return nil, nil
	}
	if known && index.ForgottenNote(p.Vault, row) {
		if going, err := p.planForgotten(row); err != nil || len(going) > 0 {
			return going, err
		}
		known = false
	}
	if !known || !p.Notes.Writable(row) || whole || p.Vault.HasTombstone(id) {
		return nil, p.Notes.Queue.Done(ledger.DueNav, id)
	}
	d, err := draftKnown(row, due{ledger.DueNav, id})
	return []*draft{d}, err
}

// The memories of one project, or of the person, are one family whatever kept
// them: several clones, editions and agents may each have one. The memory with the
// smallest id speaks for all.

// planMemory plans the notes of all memories that belong together.
func (p *Publisher) planMemory(record ledger.SessionRecord) ([]*draft, error) {
	records := ledger.Got(p.Notes.Ledger.MemoryOf(record.Scope, record.Project))
	if len(records) == 0 || !p.Scope.HoldsAny(records) {
		return nil, p.Notes.DropPlanned(record.ID)
	}
	if left, err := p.memoryLeftOut(record, records); err != nil || left {
		return nil, err
	}
	x := pages.NewMemorySet(record.Project)
	for _, c := range records {
		x.Add(p.Loader.Alone(c.ID), c.OwnProject)
	}
	out, err := p.planOwned(record.ID, p.Builder.Memory(x), nil)
	if err != nil {
		return nil, err
	}
	old, err := p.movedMemory(x, records)
	if err != nil {
		return nil, err
	}
	return p.planned(record.ID, append(out, old...))
}

// memoryLeftOut sees to the memory of a project as leaveOut does to a session: a memory may
// not know the folder, so those of the project's sessions are asked.
func (p *Publisher) memoryLeftOut(record ledger.SessionRecord, memories []ledger.SessionRecord) (bool, error) {
	if !p.Scope.AsksFolders() || record.Project == "" {
		return false, nil
	}
	records := ledger.Got(p.Notes.Ledger.SessionsIn(record.Project))
	seen := map[string]bool{}
	for _, c := range slices.Concat(memories, records) {
		if seen[c.Kind+c.Folder] && c.Folder != "" || c.Kind == ledger.KindForgotten {
			continue
		}
		seen[c.Kind+c.Folder] = true
		place := p.Loader.Alone(c.ID).Session.Place
		if left, err := p.leaveOut(record.ID, place); left || err != nil {
			return left, err
		}
	}
	return false, nil
}

// movedMemory are the notes of memories that belonged to another project before
// the remote of their folder was known, or had a name of their own for what
// is alike in two memories now.
func (p *Publisher) movedMemory(x *pages.MemorySet, records []ledger.SessionRecord) ([]*draft, error) {
	var out []*draft
	for _, id := range slices.Sorted(maps.Keys(x.Spare)) {
		r, known := ledger.Found(p.Notes.Ledger.Note(id))
		if !known {
			continue
		}
		gone, err := p.planAliasNote(r, x.Spare[id], x.Layers, records[0].ID)
		if err != nil {
			return nil, err
		}
		out = append(out, gone...)
	}
	for _, c := range records {
		for _, r := range notesBefore(p.Notes.Ledger, c) {
			_, name, ok := strings.Cut(r.ID, ":repo:")
			if !ok || r.Project == x.Project {
				continue
			}
			gone, err := p.planAliasNote(r, "memory:"+x.Project+":repo:"+name, x.Layers, records[0].ID)
			if err != nil {
				return nil, err
			}
			out = append(out, gone...)
		}
	}
	return out, nil
}

// notesBefore are the notes that a memory had elsewhere: those the ledger knows
// to be its, and those of the project that its folder alone gives.
func notesBefore(l *ledger.Ledger, c ledger.SessionRecord) []ledger.NoteRow {
	rows := ledger.Got(l.NotesOfSession(c.ID))
	if c.OwnProject == c.Project || len(ledger.Got(l.MemoryOf(c.Scope, c.OwnProject))) > 0 {
		return rows
	}
	for _, r := range ledger.Got(l.NotesOfProject(c.OwnProject, names.TypeMemory)) {
		known := slices.ContainsFunc(rows, func(have ledger.NoteRow) bool { return have.ID == r.ID })
		if strings.HasPrefix(r.ID, "memory:"+c.OwnProject+":repo:") && !known {
			rows = append(rows, r)
		}
	}
	return rows
}
