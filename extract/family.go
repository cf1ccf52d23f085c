package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// maxPart is the most a part of a session note's conversation may have, so that
// every note stays well below 1 MB.
const maxPart = 700 << 10

// planSessions plans the notes of every session that is due.
func (p *pass) planSessions(ctx context.Context, r *round, planned map[string]bool) error {
	due, err := p.dueByAge(planned)
	if err != nil {
		return err
	}
	for _, id := range due {
		if planned[ledger.DueSession+id] || p.failed[ledger.DueSession+id] {
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
func (p *pass) dueByAge(planned map[string]bool) ([]string, error) {
	due := p.due.list(ledger.DueSession)
	if len(due) == 0 {
		return due, nil
	}
	ages, err := p.Ledger.Ages()
	if err != nil {
		return nil, err
	}
	for _, id := range due {
		if age, known := ages[id]; (!known || age.Shelf) && !planned[ledger.DueSession+id] {
			if err := p.handOver(id, planned); err != nil {
				return nil, err
			}
		}
	}
	due = p.due.list(ledger.DueSession)
	slices.SortStableFunc(due, func(a, b string) int { return strings.Compare(ages[a].Created, ages[b].Created) })
	return due, nil
}

// handOver has the session be due that sees to the notes of an id without a card
// of its own, or the first shelf of a family.
func (p *pass) handOver(id string, planned map[string]bool) error {
	to, err := p.Ledger.Home(id)
	if err != nil {
		return err
	}
	card, known, err := p.Ledger.Session(to)
	if err != nil {
		return err
	}
	if known && card.Kind == string(sources.KindShelf) {
		shelves, err := p.Ledger.Shelves(card.Scope, card.Project)
		if err != nil {
			return err
		}
		to = shelves[0].ID
	}
	if to == id {
		return nil
	}
	if !planned[ledger.DueSession+to] {
		err = p.due.mark(ledger.DueSession, to)
	}
	return errors.Join(err, p.navsDue(id, nil), p.due.done(ledger.DueSession, id))
}

// planFamily plans the notes of one session. Where that cannot be done the session
// stays due and the others are planned all the same.
func (p *pass) planFamily(ctx context.Context, id string) (drafts []*draft, err error) {
	var failed error
	err = p.alone(ctx, func() (err error) {
		if drafts, err = p.planSession(ctx, id); err != nil {
			err = fmt.Errorf("plan notes of session %q: %w", id, err)
		}
		return err
	}, func(err error) {
		p.failDue(ledger.DueSession, id, err)
		drafts, failed = nil, p.dropPlanned(id)
	})
	return drafts, errors.Join(err, failed)
}

func (p *pass) planSession(ctx context.Context, id string) ([]*draft, error) {
	card, known, err := p.Ledger.Session(id)
	if err != nil {
		return nil, err
	}
	if !known || card.Kind == ledger.KindForgotten || p.forgotten(card) { // only its notes are here: another machine's, or those that are to go
		return nil, errors.Join(p.navsDue(id, nil), p.due.done(ledger.DueSession, id))
	}
	if card.Kind == string(sources.KindShelf) {
		return p.planShelf(card)
	}
	pr := identity.ProjectFromKey(card.Project)
	if !p.inScope(id, pr, card.Updated) {
		return nil, p.dropPlanned(id)
	}
	m, err := p.merged(id)
	if err != nil {
		return nil, err
	}
	if left, err := p.leaveOut(id, m.Session.Place); err != nil || left {
		return nil, err
	}
	if err := p.noteEmpty(card, session.IsEmpty(&m.Session)); err != nil {
		return nil, err
	}
	var family []*draft
	if !session.IsEmpty(&m.Session) {
		if err := p.lookAtPictures(ctx, &m.Session, pr); err != nil {
			return nil, err
		}
		family = p.sessionNotes(m, card)
	}
	orphan, err := p.lacksParent(m)
	if err != nil {
		return nil, err
	}
	out, open := family[:0:0], &openSession{Merged: m}
	for _, d := range family {
		if orphan && d.facts.Type != names.TypeSession {
			continue
		}
		d.kind, d.owner, d.session = ledger.DueSession, id, id
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
	doubles, err := p.doubledNotes(m, family)
	if err != nil {
		return nil, err
	}
	out = append(append(out, stale...), doubles...)
	if p.failed[ledger.DueSession+id] {
		return nil, p.dropPlanned(id)
	}
	if err := p.navsDue(id, out); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, p.due.done(ledger.DueSession, id)
	}
	return out, nil
}

// dropPlanned forgets the notes of a session that were planned once and are not
// written in this pass, so that nothing links to them. The session stays due.
func (p *pass) dropPlanned(id string) error {
	rows, err := p.Ledger.NotesOfSession(id)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.State == ledger.Planned {
			err = errors.Join(err, p.dropNote(r))
		}
	}
	return err
}

// navsDue makes due the navigation of a session's notes that are not drafted:
// those of another machine, and those whose source is gone.
func (p *pass) navsDue(id string, drafted []*draft) error {
	rows, err := p.Ledger.NotesOfSession(id)
	if err != nil {
		return err
	}
	ids := idsOf(drafted)
	for _, r := range rows {
		if ids[r.ID] {
			continue
		}
		if err := p.due.mark(ledger.DueNav, r.ID); err != nil {
			return err
		}
	}
	return nil
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
func (p *pass) lacksParent(m session.Merged) (bool, error) {
	row, known, err := p.Ledger.Note(names.SessionID(m.Session.ID))
	if err != nil || !known || !p.writable(row) {
		return false, err
	}
	f, err := facts.Decode(row.Facts)
	return slices.Contains(f.Sources, session.ParentLayer) && !slices.Contains(m.AtHand, session.ParentLayer), err
}

// sessionNotes are all notes one session makes.
func (p *pass) sessionNotes(m session.Merged, card ledger.SessionRow) []*draft {
	s, pr := &m.Session, identity.ProjectFromKey(card.Project)
	f := p.sessionFacts(m, pr)
	f.Folders = texts.Lines(card.Linked)
	out := []*draft{{
		facts: f, path: names.SessionPath(pr, s, false), long: names.SessionPath(pr, s, true),
		body: func(m *openSession) (string, error) { return p.sessionBody(m, pr, 0, f.Folders) },
	}}
	parts := len(p.splitTurns(s, pr))
	for i := 1; i < parts; i++ {
		out = append(out, &draft{
			facts: facts.Facts{ID: names.PartID(s.ID, i+1), Type: names.TypePart, Title: f.Title + ", part " + strconv.Itoa(i+1),
				Created: f.Created, Updated: f.Updated, Project: pr.Key, Sources: f.Sources},
			path: names.PartPath(pr, s, i+1, false), long: names.PartPath(pr, s, i+1, true),
			body: func(m *openSession) (string, error) { return p.sessionBody(m, pr, i, nil) },
		})
	}
	for i := range s.Checkpoints {
		out = append(out, p.checkpointNote(s, i, pr, f))
	}
	for i, a := range s.Artifacts {
		if a.Text != "" {
			out = append(out, p.memoryNote(s, i, pr, f))
		}
	}
	return out
}

func (p *pass) checkpointNote(s *sources.Session, i int, pr identity.Project, of facts.Facts) *draft {
	c := s.Checkpoints[i]
	title := content.CheckpointTitle(c)
	at := c.At
	if at.IsZero() {
		at = s.Updated
	}
	return &draft{
		facts: facts.Facts{ID: names.CheckpointID(s.ID, c.Number), Type: names.TypeCheckpoint, Title: title, Summary: texts.FirstSentence(c.Overview),
			Created: at, Updated: at, Project: pr.Key, Branch: "", Sources: of.Sources},
		path: names.CheckpointPath(pr, s, c.Number, false), long: names.CheckpointPath(pr, s, c.Number, true),
		body: func(m *openSession) (string, error) {
			s, c := &m.Session, m.Session.Checkpoints[i]
			return p.Pages.Checkpoint(templates.Checkpoint{
				Number: c.Number, Title: title, At: p.local(c.At),
				Session: p.linkTo(names.SessionID(s.ID)), Project: p.projectLink(pr.Key),
				Overview: c.Overview, NextSteps: c.NextSteps, WorkDone: c.WorkDone, Technical: c.Technical,
				Important: c.Important, History: c.History, Raw: c.Raw,
			})
		},
	}
}

func (p *pass) memoryNote(s *sources.Session, i int, pr identity.Project, of facts.Facts) *draft {
	a := s.Artifacts[i]
	at := a.At
	if at.IsZero() {
		at = s.Updated
	}
	title := content.ArtifactTitle(a, of.Title)
	return &draft{
		facts: facts.Facts{ID: names.MemoryID(s.ID, a), Type: names.TypeMemory, Kind: a.Kind, Title: title, Created: s.Created, Updated: at,
			Project: pr.Key, Sources: of.Sources},
		path: names.MemoryPath(pr, s, a, false), long: names.MemoryPath(pr, s, a, true),
		body: func(m *openSession) (string, error) {
			s, a := &m.Session, m.Session.Artifacts[i]
			return p.Pages.Memory(templates.Memory{
				Kind: a.Kind, Name: a.Name, Title: title, At: p.local(at), Scope: "session",
				Session: p.linkTo(names.SessionID(s.ID)), Project: p.projectLink(pr.Key),
				Text: content.WithoutTitle(a.Text, title), Left: a.Left,
			})
		},
	}
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
func (p *pass) staleNotes(m session.Merged, family []*draft, whole bool) ([]*draft, error) {
	id := m.Session.ID
	rows, err := p.Ledger.NotesOfSession(id)
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
			if err := p.dropNote(r); err != nil {
				return nil, err
			}
			continue
		}
		if r.Type == names.TypeMemory && !left[r.ID] && !p.namedAnew(r, family) || !r.State.Stands() || p.absent[r.ID] || !ours(r) {
			continue
		}
		if !whole && r.Type != names.TypePart {
			continue
		}
		f, err := facts.Decode(r.Facts)
		if err != nil {
			return nil, err
		}
		if err := p.Ledger.SetState(r.ID, ledger.Leaving); err != nil {
			return nil, err
		}
		out = append(out, &draft{facts: f, planned: f, row: r, path: r.Path, remove: true, kind: ledger.DueSession, owner: id, session: id})
	}
	return out, nil
}

// sessionFacts are what the frontmatter of a session note says.
func (p *pass) sessionFacts(m session.Merged, pr identity.Project) facts.Facts {
	s := &m.Session
	f := facts.Facts{
		ID: names.SessionID(s.ID), Type: names.TypeSession, Title: texts.OneLine(s.Title), Summary: texts.OneLine(texts.Cut(s.Summary, 400)), Agent: s.Agent,
		Created: s.Created, Updated: s.Updated, Project: pr.Key, Branch: texts.OneLine(s.Place.Branch), Parent: s.Parent,
		Models: s.Models, Days: content.Days(s, p.zone), Turns: content.PromptCount(s.Turns), Checkpoints: len(s.Checkpoints), Sources: m.Layers,
		Also: m.Shown, Archived: s.Archived, Pinned: s.Pinned,
	}
	if pr.Owner != "" {
		f.Repository = pr.Key
	}
	for _, u := range content.Files(s) {
		if !u.Edited {
			continue
		}
		if len(f.Files) == maxListedFiles {
			f.MoreFiles++
			continue
		}
		f.Files = append(f.Files, u.Path)
	}
	slices.Sort(f.Files)
	for _, r := range s.Refs {
		f.Refs = append(f.Refs, r.Type+" "+r.Value)
	}
	open, done := content.Tasks(s)
	f.Boxes = append(boxesOf(facts.SectionOpen, open, false), boxesOf(facts.SectionDone, done, true)...)
	return f
}

// maxListedFiles bounds the files named in frontmatter.
const maxListedFiles = 200

func boxesOf(section string, threads []content.Task, ticked bool) []vault.Box {
	var out []vault.Box
	for _, t := range threads {
		out = append(out, vault.Box{Section: section, Text: templates.Inline(t.Text), Ticked: ticked})
	}
	return out
}
