package publish

import (
	"context"
	"errors"
	"fmt"
	"regexp"
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
func (p *Publisher) planSessions(ctx context.Context, r *round, planned map[string]bool) error {
	due, err := p.dueByAge(planned)
	if err != nil {
		return err
	}
	for _, id := range due {
		if planned[ledger.DueSession+id] || p.Recorder.HasFailed(ledger.DueSession, id) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		planned[ledger.DueSession+id] = true
		drafts, err := p.planFamily(ctx, id)
		if err != nil {
			return err
		}
		for _, d := range drafts {
			planned[noteDrafted+d.facts.ID] = true
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
func (p *Publisher) dueByAge(planned map[string]bool) ([]string, error) {
	due := p.Notes.Queue.List(ledger.DueSession)
	if len(due) == 0 {
		return due, nil
	}
	ages, err := p.Notes.Ledger.Ages()
	if err != nil {
		return nil, err
	}
	for _, id := range due {
		if age, known := ages[id]; (!known || age.Memory) && !planned[ledger.DueSession+id] {
			if err := p.handOver(id, planned); err != nil {
				return nil, err
			}
		}
	}
	due = p.Notes.Queue.List(ledger.DueSession)
	slices.SortStableFunc(due, func(a, b string) int { return strings.Compare(ages[a].Created, ages[b].Created) })
	return due, nil
}

// handOver has the session be due that sees to the notes of an id without a record
// of its own, or the first memory of a family.
func (p *Publisher) handOver(id string, planned map[string]bool) error {
	to, err := p.Notes.Ledger.CanonicalID(id)
	if err != nil {
		return err
	}
	record, known, err := p.Notes.Ledger.Session(to)
	if err != nil {
		return err
	}
	if known && record.Kind == string(sources.KindMemory) {
		memories, err := p.Notes.Ledger.MemoryOf(record.Scope, record.Project)
		if err != nil {
			return err
		}
		to = memories[0].ID
	}
	if to == id {
		return nil
	}
	if !planned[ledger.DueSession+to] {
		err = p.Notes.Queue.Mark(ledger.DueSession, to)
	}
	if err != nil {
		return err
	}
	if err := p.Notes.Queue.MarkNavs(id, nil); err != nil {
		return err
	}
	return p.Notes.Queue.Done(ledger.DueSession, id)
}

// planFamily plans the notes of one session. Where that cannot be done the session
// stays due and the others are planned all the same.
func (p *Publisher) planFamily(ctx context.Context, id string) (drafts []*draft, err error) {
	var failed error
	err = p.alone(ctx, func() (err error) {
		if drafts, err = p.planSession(ctx, id); err != nil {
			err = fmt.Errorf("plan notes of session %q: %w", id, err)
		}
		return err
	}, func(err error) {
		p.Recorder.Fail(ledger.DueSession, id, names.SessionID(id), "", err)
		drafts, failed = nil, p.Notes.DropPlanned(id)
	})
	return drafts, errors.Join(err, failed)
}

func (p *Publisher) planSession(ctx context.Context, id string) ([]*draft, error) {
	record, known, err := p.Notes.Ledger.Session(id)
	if err != nil {
		return nil, err
	}
	if !known || record.Kind == ledger.KindForgotten || index.Forgotten(p.Vault, record) { // only its notes are here: another machine's, or those that are to go
		if err := p.Notes.Queue.MarkNavs(id, nil); err != nil {
			return nil, err
		}
		return nil, p.Notes.Queue.Done(ledger.DueSession, id)
	}
	if record.Kind == string(sources.KindMemory) {
		return p.planMemory(record)
	}
	pr := identity.ProjectFromKey(record.Project)
	if !p.Scope.Holds(id, pr, record.Updated) {
		return nil, p.Notes.DropPlanned(id)
	}
	m, err := p.Loader.Merged(id)
	if err != nil {
		return nil, err
	}
	if left, err := p.leaveOut(id, m.Session.Place); err != nil || left {
		return nil, err
	}
	if err := p.setEmpty(record, session.IsEmpty(&m.Session)); err != nil {
		return nil, err
	}
	var family []*draft
	if !session.IsEmpty(&m.Session) {
		if err := p.Owned.LookAtPictures(ctx, &m.Session, pr); err != nil {
			return nil, err
		}
		for _, page := range p.Builder.Session(m, record.Project, texts.Lines(record.WorkspaceProjects)) {
			family = append(family, draftOf(page))
		}
	}
	orphan, err := p.lacksParent(m)
	if err != nil {
		return nil, err
	}
	out, open := family[:0:0], &pages.OpenSession{Merged: m}
	for _, d := range family {
		if orphan && d.facts.Type != names.TypeSession {
			continue
		}
		d.due.kind, d.due.owner, d.session = ledger.DueSession, id, id
		ok, err := p.plan(d, open)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, d)
		}
	}
	stale, err := p.staleNotes(m, family, m.Session.Whole && !orphan)
	if err != nil {
		return nil, err
	}
	aliased, err := p.aliasNotes(m, family)
	if err != nil {
		return nil, err
	}
	out = append(append(out, stale...), aliased...)
	if p.Recorder.HasFailed(ledger.DueSession, id) {
		return nil, p.Notes.DropPlanned(id)
	}
	if err := p.Notes.Queue.MarkNavs(id, idsOf(out)); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, p.Notes.Queue.Done(ledger.DueSession, id)
	}
	return out, nil
}

func idsOf(drafts []*draft) map[string]bool {
	ids := make(map[string]bool, len(drafts))
	for _, d := range drafts {
		ids[d.facts.ID] = true
	}
	return ids
}

// lacksParent tells that a fork's note was made with its parent at hand, which
// is now unknown: what its note tells cannot be left out of this one.
func (p *Publisher) lacksParent(m session.Merged) (bool, error) {
	row, known, err := p.Notes.Ledger.Note(names.SessionID(m.Session.ID))
	if err != nil || !known || !p.Notes.Writable(row) {
		return false, err
	}
	f, err := facts.Decode(row.Facts)
	return slices.Contains(f.Sources, session.ParentLayer) && !slices.Contains(m.AtHand, session.ParentLayer), err
}

// leftNotes are the ids of the notes of a fork that are left to its parent.
func leftNotes(m *session.Merged) map[string]bool {
	left := map[string]bool{}
	for _, a := range m.LeftToParent {
		left[names.MemoryID(m.Session.ID, a)] = true
	}
	for _, a := range m.Session.Artifacts {
		delete(left, names.MemoryID(m.Session.ID, a))
	}
	return left
}

// staleNotes are notes of a session that it no longer makes: a checkpoint or a
// part that a rewind took back. Memories stay, for their file may only be gone, but
// for those that its parent has.
func (p *Publisher) staleNotes(m session.Merged, family []*draft, whole bool) ([]*draft, error) {
	id := m.Session.ID
	rows, err := p.Notes.Ledger.NotesOfSession(id)
	if err != nil {
		return nil, err
	}
	var out []*draft
	ids, left := idsOf(family), leftNotes(&m)
	for _, r := range rows {
		if ids[r.ID] {
			continue
		}
		if r.State == ledger.Planned {
			if err := p.Notes.Drop(r); err != nil {
				return nil, err
			}
			continue
		}
		renamed, err := p.isNamedAnew(r, ids)
		if err != nil {
			return nil, err
		}
		if r.Type == names.TypeMemory && !left[r.ID] && !renamed || !r.State.Stands() || p.Notes.Skips(r.ID) || !index.IsOurs(r) {
			continue
		}
		if !whole && r.Type != names.TypePart {
			continue
		}
		d, err := draftGone(r, due{ledger.DueSession, id})
		if err != nil {
			return nil, err
		}
		d.session = id
		if err := p.Notes.Ledger.SetState(r.ID, ledger.Leaving); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// maskedPart is what stands in an id for what is masked.
var maskedPart = regexp.MustCompile(`\[redacted:[a-z0-9-]+#[0-9]+\]`)

// isNamedAnew tells whether the rules changed and a memory note is one of its family
// under the id that others gave it.
func (p *Publisher) isNamedAnew(r ledger.NoteRow, family map[string]bool) (bool, error) {
	changed, err := p.Notes.Ledger.Value(ledger.Unmasked)
	if err != nil || len(changed) == 0 || r.Type != names.TypeMemory {
		return false, err
	}
	now, err := p.Notes.MaskedID(r)
	if err != nil || family[now] {
		return err == nil, err
	}
	parts := maskedPart.Split(r.ID, -1)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	then, err := regexp.Compile("^" + strings.Join(parts, ".+") + "$")
	if err != nil {
		return false, err
	}
	for id := range family {
		if then.MatchString(id) {
			return true, nil
		}
	}
	return false, nil
}

// Renders tells whether a note can be rendered as completely as it says, from what is
// kept.
func (p *Publisher) Renders(row ledger.NoteRow) (bool, error) {
	if pages.Order(row.ID) >= 0 {
		return true, nil
	}
	record, known, err := p.Notes.Ledger.Session(row.Session)
	if err != nil || !known || index.Forgotten(p.Vault, record) {
		return false, err
	}
	m, err := p.Loader.Merged(row.Session)
	if err != nil || session.IsEmpty(&m.Session) {
		return false, err
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
