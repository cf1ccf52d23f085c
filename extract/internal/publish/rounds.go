package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault/note"
)

// maxRounds bounds how often pages are rendered again because writing showed
// other facts than planned; two are usual, where the user changed a title.
const maxRounds = 8

// A run plans all notes before it writes the first one, for a link is rendered
// with the place and title of what it leads to. What was planned is in the ledger
// by then, so a session's drafts need not be kept meanwhile: those of a history
// of many sessions are drafted once more when it is their turn to be written.

// round is what became due by planning once.
type round struct {
	drafts  []*draft
	later   []string        // sessions to be drafted once more, oldest first
	held    int             // drafts of sessions among drafts
	notes   int             // all that are to be written, those of later too
	planned map[due]bool    // what was planned
	whole   map[string]bool // ids of the notes that are drafted with all they say
}

func (r *round) take(drafts ...*draft) {
	r.drafts = append(r.drafts, drafts...)
	r.notes += len(drafts)
}

// Write renders and writes until no note is due.
func (p *Publisher) Write(ctx context.Context) error {
	p.ready.ticks = map[string]note.Ticks{}
	for range maxRounds {
		p.carryTicks()
		r, err := p.planAll(ctx)
		if err != nil {
			return err
		}
		if err := p.Notes.Commit(); err != nil {
			return err
		}
		if r.notes == 0 {
			break
		}
		if slices.ContainsFunc(r.drafts, (*draft).leaves) {
			// That we took a note away must be known wherever it is gone.
			if err := p.Notes.Ledger.Last(); err != nil {
				return err
			}
		}
		if err := p.writeAll(ctx, r); err != nil {
			return err
		}
	}
	p.endTicks()
	p.removeFolders()
	if err := p.Written.Flush(); err != nil {
		return err
	}
	return p.Owned.KeepBases(ctx)
}

// removeFolders removes the folders that are empty because we took their last note, in
// this run or in one that was killed.
func (p *Publisher) removeFolders() {
	l := p.Notes.Ledger
	due := l.Due(ledger.DueFolder)
	stay, failed := p.Vault.Tidy(slices.Clone(due)...)
	if failed != nil {
		p.Recorder.Problem(report.Problem{Path: p.Notes.FromRoot(stay[0]), Error: failed.Error(), Hint: "it is tried again next time", Fatal: true})
	}
	for _, folder := range due {
		l.Done(ledger.DueFolder, folder)
	}
	for _, folder := range stay {
		l.MarkDue(ledger.DueFolder, folder)
	}
}

func (p *Publisher) planAll(ctx context.Context) (round, error) {
	r := round{planned: map[due]bool{}, whole: map[string]bool{}}
	p.nameAnew(&r)
	if p.Notes.Queue.Empty() {
		return r, nil
	}
	p.Options.Progress.Step("planning notes", len(p.Notes.Queue.List(ledger.DueSession)))
	for before := -1; before != r.notes; {
		before = r.notes
		for sessions := -1; p.nameAnew(&r) || sessions != r.notes; { // forks are due once their parent has a note: pages show what they say then
			sessions = r.notes
			if err := p.planEach(ctx, &r, ledger.DueSession, p.dueByAge(&r), p.planSession); err != nil {
				return r, err
			}
		}
		p.Notes.Queue.AddDeferred()
		if err := p.planPages(ctx, &r); err != nil {
			return r, err
		}
	}
	nav := func(_ context.Context, id string) ([]*draft, error) { return p.planNav(id, r.whole[id]), nil }
	if err := p.planEach(ctx, &r, ledger.DueNav, p.Notes.Queue.List(ledger.DueNav), nav); err != nil {
		return r, err
	}
	p.intend(r.drafts)
	if !slices.ContainsFunc(r.drafts, (*draft).leaves) {
		return r, nil
	}
	for _, d := range r.drafts {
		if d.leaves() {
			p.Notes.Ledger.MarkDue(ledger.DueFolder, path.Dir(d.row.Path))
		}
	}
	// The ledger has them at their new places from now on. Where the run ends before any
	// of them moved, the vault is as it was and yet to be looked at.
	p.Notes.Ledger.SetValue(ledger.VaultPrint, nil)
	return r, nil
}

// planEach plans what is due of a kind. What was planned once is not planned again in the
// same round.
func (p *Publisher) planEach(ctx context.Context, r *round, kind string, ids []string, plan planner) error {
	// preparedAtOnce is how many sessions are prepared before they are planned one after the other.
	const preparedAtOnce = 64
	for i, id := range ids {
		owner := due{kind, id}
		if kind == ledger.DueSession && i%preparedAtOnce == 0 {
			p.prepare(ctx, r, ids[i:min(i+preparedAtOnce, len(ids))])
		}
		if r.planned[owner] || p.Recorder.HasFailed(kind, id) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.planned[owner] = true
		drafts, err := p.planAlone(ctx, owner, plan)
		if err != nil {
			return err
		}
		for _, d := range drafts {
			r.whole[d.facts.ID] = true
		}
		if kind != ledger.DueSession {
			r.take(drafts...)
			continue
		}
		p.takeSessionPages(r, id, drafts)
		p.advance()
	}
	return nil
}

type planner func(ctx context.Context, id string) ([]*draft, error)

// planAlone plans the notes of one owner. Where that cannot be done it stays due and the
// others are planned all the same.
func (p *Publisher) planAlone(ctx context.Context, owner due, plan planner) (drafts []*draft, err error) {
	note, drop := owner.owner, p.Notes.DropUnwritten
	if owner.kind == ledger.DueSession {
		note, drop = names.SessionID(owner.owner), p.Notes.DropPlanned
	}
	ok, err := p.alone(ctx, owner, note, "", func() (err error) {
		if drafts, err = plan(ctx, owner.owner); err != nil {
			err = fmt.Errorf("plan %s %q: %w", owner.kind, owner.owner, err)
		}
		return err
	})
	if err != nil || ok {
		return drafts, err
	}
	drop(owner.owner)
	return nil, nil
}

// writeAll writes a round with many writers, the notes of sessions before the
// pages that show their facts. The drafts of one session are written by one
// writer, which holds that session meanwhile.
func (p *Publisher) writeAll(ctx context.Context, r round) error {
	p.Options.Progress.Step("writing notes", r.notes)
	var sessions, pages [][]*draft
	for _, d := range r.drafts {
		if d.due.kind != ledger.DueSession {
			pages = append(pages, []*draft{d})
		} else if n := len(sessions); n > 0 && sessions[n-1][0].due.owner == d.due.owner {
			sessions[n-1] = append(sessions[n-1], d)
		} else {
			sessions = append(sessions, []*draft{d})
		}
	}
	p.Notes.Queue.Watch()
	failed := p.Recorder.Failures()
	err := p.writeBatches(ctx, sessions)
	if err == nil {
		err = p.writeDeferred(ctx, r.later)
	}
	if p.Recorder.Failures() > failed { // they show notes that do not stand: planned anew, most are as they were
		for _, page := range pages {
			p.putBack(page)
		}
		pages, r.planned = nil, nil
	}
	if err == nil {
		err = p.Owned.KeepCanvases(ctx, p.Options.Jobs*writersPerJob, projectsOf(r.planned), p.Builder.Canvas)
	}
	if err == nil && len(pages) > 0 {
		// A page that shows a file which is not there says that it was deleted.
		err = p.Owned.KeepBases(ctx)
	}
	if err == nil {
		err = p.writeBatches(ctx, pages)
	}
	return p.finishBatch(err)
}

// writeDeferred drafts and writes the notes of sessions whose drafts were not kept.
// What is done is decided now and then: so much is not to be done twice. What is
// intended stays so, for most of it is still to come.
func (p *Publisher) writeDeferred(ctx context.Context, sessions []string) error {
	const laterAtOnce = 1024 // how many sessions are drafted once more before they are written
	for some := range slices.Chunk(sessions, laterAtOnce) {
		if err := p.Written.Flush(); err != nil {
			return err
		}
		p.Written.Add(p.Vault.TakeWritten()...)
		if err := p.Notes.Commit(); err != nil {
			return err
		}
		var batches [][]*draft
		for _, id := range some {
			sessionPages, err := p.planAlone(ctx, due{ledger.DueSession, id}, p.planSession)
			if err != nil {
				return err
			}
			if len(sessionPages) > 0 {
				batches = append(batches, sessionPages)
			}
		}
		if err := p.writeBatches(ctx, batches); err != nil {
			return err
		}
	}
	return nil
}

// finishBatch has what was written last, in the vault and then in the ledger.
func (p *Publisher) finishBatch(err error) error {
	if flushed := p.Written.Flush(); flushed != nil {
		return errors.Join(err, flushed)
	}
	p.Written.Remember()
	return errors.Join(err, p.Notes.Commit())
}

// takeSessionPages takes in the drafts of a session, or that there will be some. A note
// that is to go from where it is is known by its draft alone.
func (p *Publisher) takeSessionPages(r *round, session string, sessionPages []*draft) {
	const mostHeld = 4096 // how many drafts of sessions a round keeps by default, some 3 kB each
	if len(sessionPages) == 0 {
		return
	}
	if r.held+len(sessionPages) <= cmp.Or(p.Options.MaxDrafts, mostHeld) || slices.ContainsFunc(sessionPages, (*draft).leaves) {
		r.held += len(sessionPages)
		r.take(sessionPages...)
		return
	}
	r.later = append(r.later, session)
	r.notes += len(sessionPages)
	p.intend(sessionPages)
}

// intend stores what is planned before any of it is written.
func (p *Publisher) intend(drafts []*draft) {
	for _, d := range drafts {
		session, paths := ledger.LinksAlone, []string{cmp.Or(d.at(), d.place.path)}
		if d.body != nil {
			session = cmp.Or(d.session, ledger.OfPage)
		}
		if d.fate != stays {
			session = ""
		}
		if d.place.moveTo != "" {
			paths = append(paths, d.place.moveTo)
		}
		p.Written.Intend(session, paths...)
	}
}

// A box that is ticked on a page of lists closes all ends of its thread: the tick is carried into
// the notes of the sessions that told of it, which stay the truth. It stays on the page until
// they are written.

// carryTicks queues the notes of sessions with boxes to tick. A session that was
// written in the round before may tell of the same thread.
func (p *Publisher) carryTicks() {
	for _, id := range p.Notes.Ledger.Due(ledger.DueTick) {
		for _, m := range p.Notes.Thread(id).Mentions {
			if _, carried := p.ready.ticks[m.Session][m.ID]; m.Ticked || carried {
				continue
			}
			if p.ready.ticks[m.Session] == nil {
				p.ready.ticks[m.Session] = note.Ticks{}
			}
			p.ready.ticks[m.Session][m.ID] = note.Tick{Mark: "x"}
			p.Notes.Queue.Mark(ledger.DueSession, strings.TrimPrefix(m.Session, "session:"))
		}
	}
}

func (p *Publisher) endTicks() {
	for _, id := range p.Notes.Ledger.Due(ledger.DueTick) {
		if len(p.Notes.Thread(id).Mentions) == 0 {
			p.Notes.Ledger.Done(ledger.DueTick, id)
		}
	}
}
