package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// planSessions plans the notes of every session that is due.
func (p *Publisher) planSessions(ctx context.Context, r *round) error {
	list, err := p.dueByAge(r)
	if err != nil {
		return err
	}
	for _, id := range list {
		owner := due{ledger.DueSession, id}
		if r.planned[owner] || p.Recorder.HasFailed(owner.kind, id) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.planned[owner] = true
		drafts, err := p.planFamily(ctx, id)
		if err != nil {
			return err
		}
		for _, d := range drafts {
			r.whole[d.facts.ID] = true
		}
		if err := p.takeFamily(r, id, drafts); err != nil {
			return err
		}
		p.advance(1)
	}
	return nil
}

// dueByAge lists due sessions, oldest first: where two want one file name the
// older has it, whenever they are found.
func (p *Publisher) dueByAge(r *round) ([]string, error) {
	list := p.Notes.Queue.List(ledger.DueSession)
	if len(list) == 0 {
		return list, nil
	}
	ages := ledger.Got(p.Notes.Ledger.Ages())
	for _, id := range list {
		if age, known := ages[id]; (!known || age.Memory) && !r.planned[due{ledger.DueSession, id}] {
			if err := p.handOver(id, r); err != nil {
				return nil, err
			}
		}
	}
	list = p.Notes.Queue.List(ledger.DueSession)
	slices.SortStableFunc(list, func(a, b string) int { return strings.Compare(ages[a].Created, ages[b].Created) })
	return list, nil
}

// handOver has the session be due that sees to the notes of an id without a record
// of its own, or the first memory of a family.
func (p *Publisher) handOver(id string, r *round) error {
	to := ledger.Got(p.Notes.Ledger.CanonicalID(id))
	record, known := ledger.Found(p.Notes.Ledger.Session(to))
	if known && record.Kind == string(sources.KindMemory) {
		if memories := ledger.Got(p.Notes.Ledger.MemoryOf(record.Scope, record.Project)); len(memories) > 0 {
			to = memories[0].ID
		}
	}
	if to == id {
		return nil
	}
	if !r.planned[due{ledger.DueSession, to}] {
		if err := p.Notes.Queue.Mark(ledger.DueSession, to); err != nil {
			return err
		}
	}
	return p.onlyNavs(id)
}

// onlyNavs has nothing but the navigation of a session's notes be renewed.
func (p *Publisher) onlyNavs(id string) error {
	if err := p.Notes.Queue.MarkNavs(id, nil); err != nil {
		return err
	}
	return p.Notes.Queue.Done(ledger.DueSession, id)
}

// planFamily plans the notes of one session. Where that cannot be done the session
// stays due and the others are planned all the same.
func (p *Publisher) planFamily(ctx context.Context, id string) (drafts []*draft, err error) {
	ok, err := p.alone(ctx, due{ledger.DueSession, id}, names.SessionID(id), "", func() (err error) {
		if drafts, err = p.planSession(ctx, id); err != nil {
			err = fmt.Errorf("plan notes of session %q: %w", id, err)
		}
		return err
	})
	if err != nil || ok {
		return drafts, err
	}
	return nil, p.Notes.DropPlanned(id)
}

func (p *Publisher) planSession(ctx context.Context, id string) ([]*draft, error) {
	record, known := ledger.Found(p.Notes.Ledger.Session(id))
	if !known || record.Kind == ledger.KindForgotten || index.Forgotten(p.Vault, record) { // only its notes are here: another machine's, or those that are to go
		return nil, p.onlyNavs(id)
	}
	if record.Kind == string(sources.KindMemory) {
		return p.planMemory(record)
	}
	pr := identity.ProjectFromKey(record.Project)
	if !p.Scope.Holds(id, pr, record.Updated) {
		return nil, p.Notes.DropPlanned(id)
	}
	m := p.Loader.Merged(id)
	if left, err := p.leaveOut(id, m.Session.Place); err != nil || left {
		return nil, err
	}
	if err := p.setEmpty(record, session.IsEmpty(&m.Session)); err != nil {
		return nil, err
	}
	var all []*pages.Page
	if !session.IsEmpty(&m.Session) {
		if err := p.Owned.LookAtPictures(ctx, &m.Session, pr); err != nil {
			return nil, err
		}
		all = p.Builder.Session(m, record.Project, texts.Lines(record.WorkspaceProjects))
	}
	family := map[string]bool{}
	for _, page := range all {
		family[page.Facts.ID] = true
	}
	orphan, err := p.lacksParent(m)
	if err != nil {
		return nil, err
	}
	if orphan {
		all = slices.DeleteFunc(all, func(page *pages.Page) bool { return page.Facts.Type != names.TypeSession })
	}
	out, err := p.planOwned(id, all, &pages.OpenSession{Merged: m})
	if err != nil {
		return nil, err
	}
	stale, err := p.staleNotes(m, family, m.Session.Whole && !orphan)
	if err != nil {
		return nil, err
	}
	aliased, err := p.aliasNotes(m, family)
	if err != nil {
		return nil, err
	}
	return p.planned(id, slices.Concat(out, stale, aliased))
}

// planOwned plans the notes that one session, or memory, makes.
func (p *Publisher) planOwned(owner string, all []*pages.Page, m *pages.OpenSession) (out []*draft, err error) {
	for _, page := range all {
		d := draftOf(page, due{ledger.DueSession, owner})
		d.session = owner
		ok, err := p.plan(d, m)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, d)
		}
	}
	return out, nil
}

// planned ends the planning of the notes of a session. Those that are not drafted get
// their navigation renewed.
func (p *Publisher) planned(id string, out []*draft) ([]*draft, error) {
	if p.Recorder.HasFailed(ledger.DueSession, id) {
		return nil, p.Notes.DropPlanned(id)
	}
	if len(out) == 0 {
		return nil, p.onlyNavs(id)
	}
	return out, p.Notes.Queue.MarkNavs(id, idsOf(out))
}

func idsOf(drafts []*draft) map[string]bool {
	ids := make(map[string]bool, len(drafts))
	for _, d := range drafts {
		ids[d.facts.ID] = true
	}
	return ids
}

// setEmpty keeps on its record that a session has nothing to show: all it says may
// stand in the note of its parent.
func (p *Publisher) setEmpty(record ledger.SessionRecord, empty bool) error {
	if record.Empty == empty {
		return nil
	}
	record.Empty = empty
	return p.Notes.Ledger.PutSession(record)
}

// lacksParent tells that a fork's note was made with its parent at hand, which
// is now unknown: what its note tells cannot be left out of this one.
func (p *Publisher) lacksParent(m session.Merged) (bool, error) {
	row, known := ledger.Found(p.Notes.Ledger.Note(names.SessionID(m.Session.ID)))
	if !known || !p.Notes.Writable(row) {
		return false, nil
	}
	f, err := facts.Decode(row.Facts)
	return slices.Contains(f.Sources, session.ParentLayer) && !slices.Contains(m.AtHand, session.ParentLayer), err
}

// leaveOut sees to a session that is not to be rendered because of its folder.
// Only links of the notes it has are kept up to date.
func (p *Publisher) leaveOut(id string, place sources.Place) (bool, error) {
	folder := p.Scope.IgnoredBy(place)
	if folder == "" {
		return false, nil
	}
	if err := p.Scope.Ignore(ledger.Ignored{Folder: folder, Session: id}); err != nil {
		return true, err
	}
	if err := p.Notes.DropPlanned(id); err != nil {
		return true, err
	}
	return true, p.onlyNavs(id)
}

// Renders tells whether a note can be rendered as completely as it says, from what is
// kept.
func (p *Publisher) Renders(row ledger.NoteRow) (bool, error) {
	if pages.Order(row.ID) >= 0 {
		return true, nil
	}
	record, known := ledger.Found(p.Notes.Ledger.Session(row.Session))
	if !known || index.Forgotten(p.Vault, record) {
		return false, nil
	}
	m := p.Loader.Merged(row.Session)
	if session.IsEmpty(&m.Session) {
		return false, p.Notes.Ledger.Failed()
	}
	f, err := facts.Decode(row.Facts)
	if err != nil || len(f.Sources) == 0 { // nobody knows what it was made from
		return false, nil
	}
	for _, page := range p.Builder.Session(m, record.Project, texts.Lines(record.WorkspaceProjects)) {
		if page.Facts.ID == row.ID {
			return !slices.ContainsFunc(f.Sources, func(s string) bool {
				return !slices.Contains(page.Facts.Sources, s) && !slices.Contains(m.AtHand, s)
			}), nil
		}
	}
	return false, nil
}
