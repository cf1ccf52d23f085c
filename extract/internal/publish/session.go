package publish

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
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

func (p *Publisher) dueByAge(r *round) []string {
	list := p.Notes.Queue.List(ledger.DueSession)
	if len(list) == 0 {
		return list
	}
	ages := p.Notes.Ledger.AgesOfDue()
	for _, id := range list {
		if age, known := ages[id]; (!known || age.Memory) && !r.planned[due{ledger.DueSession, id}] {
			p.handOver(id, r)
		}
	}
	list, ages = p.Notes.Queue.List(ledger.DueSession), p.Notes.Ledger.AgesOfDue()
	slices.SortStableFunc(list, func(a, b string) int { return strings.Compare(ages[a].Created, ages[b].Created) })
	return list
}

// handOver has the session be due that sees to the notes of an id without a record
// of its own, or the first memory of a set.
func (p *Publisher) handOver(id string, r *round) {
	to := p.Notes.Ledger.CanonicalID(id)
	record, known := p.Notes.Ledger.Session(to)
	if known && record.Kind == string(sources.KindMemory) {
		if memories := p.Notes.Ledger.MemoryOf(record.Scope, record.Project); len(memories) > 0 {
			to = memories[0].ID
		}
	}
	if to == id {
		return
	}
	if !r.planned[due{ledger.DueSession, to}] {
		p.Notes.Queue.Mark(ledger.DueSession, to)
	}
	p.onlyNavs(id)
}

// onlyNavs has nothing but the navigation of a session's notes be renewed.
func (p *Publisher) onlyNavs(id string) {
	p.Notes.Queue.MarkNavs(id, nil)
	p.Notes.Queue.Done(ledger.DueSession, id)
}

// prepared are the pages of a session as nothing that is planned changes them.
type prepared struct {
	session.Merged
	pages []*pages.Page
}

// prepare builds the pages of sessions that are to be planned, some at a time. Those of forks
// depend on what was planned before; what fails here fails again when it is planned.
func (p *Publisher) prepare(ctx context.Context, r *round, ids []string) {
	p.ready.sessions = make(map[string]*prepared, len(ids))
	var mu sync.Mutex
	_ = contain.Each(ctx, p.Options.Jobs, ids, func(_ context.Context, id string) error {
		record, known := p.Notes.Ledger.Session(id)
		if !known || record.Kind != string(sources.KindSession) || record.Parent != "" || r.planned[due{ledger.DueSession, id}] {
			return nil
		}
		_ = contain.Panic(func() error {
			m := prepared{Merged: p.Loader.Merged(id)}
			if !p.Loader.HasNothing(&m.Session) {
				m.pages = p.Builder.Session(m.Merged, belongs(record))
			}
			mu.Lock()
			defer mu.Unlock()
			p.ready.sessions[id] = &m
			return nil
		})
		return nil
	})
}

func (p *Publisher) planSession(ctx context.Context, id string) ([]*draft, error) {
	record, known := p.Notes.Ledger.Session(id)
	if !known || record.Kind == ledger.KindForgotten || index.Forgotten(p.Vault, record) { // only its notes are here: another machine's, or those that are to go
		p.onlyNavs(id)
		return nil, nil
	}
	if record.Kind == string(sources.KindMemory) {
		return p.planMemory(record)
	}
	pr := identity.ProjectFromKey(record.Project)
	if !p.Scope.Holds(id, pr, record.Updated) {
		p.Notes.DropPlanned(id)
		return nil, nil
	}
	ready := p.ready.sessions[id]
	if delete(p.ready.sessions, id); ready == nil {
		ready = &prepared{Merged: p.Loader.Merged(id)}
	}
	m := ready.Merged
	if p.leaveOut(id, m.Session.Place) {
		return nil, nil
	}
	if empty := p.Loader.HasNothing(&m.Session); record.Empty != empty { // all it says may stand in the note of its parent
		record.Empty = empty
		p.Notes.Ledger.PutSession(record)
	}
	var all []*pages.Page
	if !record.Empty {
		if err := p.Owned.LookAtPictures(ctx, &m.Session, pr); err != nil {
			return nil, err
		}
		if all = ready.pages; all == nil {
			all = p.Builder.Session(m, belongs(record))
		}
	}
	sessionPages := map[string]bool{}
	for _, page := range all {
		sessionPages[page.Facts.ID] = true
	}
	orphan := p.lacksParent(m)
	if orphan {
		all = slices.DeleteFunc(all, func(page *pages.Page) bool { return page.Facts.Type != names.TypeSession })
	}
	out, err := p.planOwned(id, all, &pages.OpenSession{Merged: m})
	if err != nil {
		return nil, err
	}
	stale, err := p.staleNotes(m, sessionPages, m.Session.Complete && !orphan)
	if err != nil {
		return nil, err
	}
	return p.planned(id, slices.Concat(out, stale, p.aliasNotes(m, sessionPages))), nil
}

func belongs(record ledger.SessionRecord) pages.Belongs {
	return pages.Belongs{Project: record.Project, Joined: record.Joined, Folders: texts.Lines(record.WorkspaceProjects)}
}

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
func (p *Publisher) planned(id string, out []*draft) []*draft {
	if len(out) == 0 {
		p.onlyNavs(id)
		return nil
	}
	p.Notes.Queue.MarkNavs(id, idsOf(out))
	return out
}

func idsOf(drafts []*draft) map[string]bool {
	ids := make(map[string]bool, len(drafts))
	for _, d := range drafts {
		ids[d.facts.ID] = true
	}
	return ids
}

// lacksParent reports whether the parent of a fork is unknown now, and the fork's note was made
// with it available or, as far as anybody knows, before its user deleted it: what the parent's
// notes tell cannot be left out of the fork's.
func (p *Publisher) lacksParent(m session.Merged) bool {
	if slices.Contains(m.Available, session.ParentLayer) {
		return false
	}
	id := names.SessionID(m.Session.ID)
	row, known := p.Notes.Ledger.Note(id)
	if !known {
		return m.Session.Parent != "" && p.Vault.HasTombstone(id)
	}
	return slices.Contains(facts.Decode(row.Facts, p.Notes.Ledger.Harmed).Sources, session.ParentLayer)
}

// leaveOut sees to a session that is not to be rendered because of its folder.
// Only links of the notes it has are kept up to date.
func (p *Publisher) leaveOut(id string, place sources.Place) bool {
	folder := p.Scope.IgnoredBy(place)
	if folder == "" {
		return false
	}
	p.Scope.Ignore(ledger.Ignored{Folder: folder, Session: id})
	p.Notes.DropPlanned(id)
	p.onlyNavs(id)
	return true
}

// Renders reports whether a note can be rendered as completely as it says, from what is
// kept.
func (p *Publisher) Renders(row ledger.NoteRow) (bool, error) {
	if pages.Order(row.ID) >= 0 {
		return true, nil
	}
	record, known := p.Notes.Ledger.Session(row.Session)
	if !known || index.Forgotten(p.Vault, record) {
		return false, nil
	}
	m := p.Loader.Merged(row.Session)
	if p.Loader.HasNothing(&m.Session) {
		return false, p.Notes.Ledger.Failed()
	}
	f := facts.Decode(row.Facts, p.Notes.Ledger.Harmed) // a note that was cut off names no sources
	for _, page := range p.Builder.Session(m, belongs(record)) {
		if page.Facts.ID == row.ID {
			return !slices.ContainsFunc(f.Sources, func(s string) bool {
				return !slices.Contains(page.Facts.Sources, s) && !slices.Contains(m.Available, s)
			}), nil
		}
	}
	return false, nil
}
