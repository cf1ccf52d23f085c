package publish

import (
	"context"
	"errors"
	"fmt"
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
func (p *Publisher) planPages(ctx context.Context, planned map[string]bool) ([]*draft, error) {
	var out []*draft
	due := p.Notes.Queue.List(ledger.DuePage)
	slices.SortFunc(due, func(a, b string) int {
		if c := pages.Order(a) - pages.Order(b); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	for _, id := range due {
		if planned[ledger.DuePage+id] || p.Recorder.HasFailed(ledger.DuePage, id) {
			continue
		}
		planned[ledger.DuePage+id] = true
		d, err := p.planOnePage(ctx, id)
		if err != nil {
			return nil, err
		}
		switch {
		case d != nil:
			planned[noteDrafted+id] = true
			out = append(out, d)
		case !p.Recorder.HasFailed(ledger.DuePage, id):
			if err := p.Notes.Queue.Done(ledger.DuePage, id); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Page makes a page of what is known; nil where it has nothing to say. The open tasks of
// a project are stored with its page.
func (p *Publisher) Page(id string) (*pages.Page, error) {
	if key, ok := strings.CutPrefix(id, names.ProjectID("")); ok {
		r, err := p.Notes.Projects.Index(key)
		if err != nil {
			return nil, err
		}
		if err := p.storeThreads(key, r.OpenTasks()); err != nil {
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
	then, err := p.Notes.Ledger.OpenTasksOf(project)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	for _, lists := range [2][2][]ledger.OpenTask{{then, now}, {now, then}} {
		for _, t := range lists[0] {
			if !slices.Contains(lists[1], t) {
				changed[t.Session] = true
			}
		}
	}
	for id := range changed {
		row, known, err := p.Notes.Ledger.Note(id)
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
		if err := p.Notes.Queue.Changed(facts.Change{Before: &f, After: &f, Tasks: true}); err != nil {
			return err
		}
	}
	return nil
}

// planOnePage plans a page. One that cannot be planned stays due, and the others
// are planned all the same.
func (p *Publisher) planOnePage(ctx context.Context, id string) (d *draft, err error) {
	var failed error
	err = p.alone(ctx, func() (err error) {
		if d, err = p.planPage(id); err != nil {
			err = fmt.Errorf("plan page %q: %w", id, err)
		}
		return err
	}, func(err error) {
		p.Recorder.Fail(ledger.DuePage, id, id, "", err)
		d, failed = nil, p.Notes.DropUnwritten(id)
	})
	return d, errors.Join(err, failed)
}

// planPage plans one page; nil means that nothing is to be written.
func (p *Publisher) planPage(id string) (*draft, error) {
	page, err := p.Page(id)
	if err != nil || page == nil {
		return nil, err
	}
	d := draftOf(page)
	d.due.kind, d.due.owner = ledger.DuePage, id
	d.place.long = names.TrimMD(d.place.path) + names.PageTaken
	plan := p.plan
	if d.fate != stays {
		plan = p.planRemoval
	}
	ok, err := plan(d, nil)
	if err != nil || !ok {
		return nil, err
	}
	return d, nil
}

// planRemoval plans that a page which lists nothing any more goes, if it is
// wholly ours.
func (p *Publisher) planRemoval(d *draft, _ *pages.OpenSession) (bool, error) {
	row, known, err := p.Notes.Ledger.Note(d.facts.ID)
	if err != nil || !known {
		return false, err
	}
	if row.State == ledger.Planned {
		return false, p.Notes.Drop(row)
	}
	if !row.State.Stands() || p.Notes.Skips(row.ID) || !index.IsOurs(row) {
		return false, nil
	}
	d.shown, d.row, d.place.path = d.facts.Normalized(), row, row.Path
	if d.planned, err = facts.Decode(row.Facts); err != nil {
		return false, err
	}
	return true, p.Notes.Ledger.SetState(row.ID, ledger.Leaving)
}

// planNavs plans the notes of which only the navigation is due.
func (p *Publisher) planNavs(ctx context.Context, planned map[string]bool) ([]*draft, error) {
	var out []*draft
	for _, id := range p.Notes.Queue.List(ledger.DueNav) {
		if p.Recorder.HasFailed(ledger.DueNav, id) {
			continue
		}
		err := p.alone(ctx, func() error {
			d, err := p.planNav(id, planned[noteDrafted+id])
			if err == nil && d != nil {
				out = append(out, d)
			}
			return err
		}, func(err error) { p.Recorder.Fail(ledger.DueNav, id, id, "", err) })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// planNav plans the navigation of one note, nil where nothing is to be written.
// whole says that all of the note is drafted.
func (p *Publisher) planNav(id string, whole bool) (*draft, error) {
	row, known, err := p.Notes.Ledger.Note(id)
	if err != nil || known && !p.Scope.HoldsNote(row) {
		return nil, err
	}
	if known && index.ForgottenNote(p.Vault, row) {
		if d, err := p.planForgotten(row); err != nil || d != nil {
			return d, err
		}
		known = false
	}
	if !known || !p.Notes.Writable(row) || whole || p.Vault.HasTombstone(id) {
		return nil, p.Notes.Queue.Done(ledger.DueNav, id)
	}
	return draftKnown(row, due{ledger.DueNav, id})
}

// noteDrafted marks the ids of notes that are drafted whole, with their navigation.
const noteDrafted = "note "
