package extract

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// maxRounds bounds how often pages are rendered again because writing showed
// other facts than planned; two are usual, where the user changed a title.
const maxRounds = 8

// writeNotes renders and writes what is due until nothing is.
func (p *pass) writeNotes(ctx context.Context) error {
	for range maxRounds {
		r, err := p.planAll(ctx)
		if err != nil {
			return err
		}
		if err := p.commit(); err != nil {
			return err
		}
		if r.notes == 0 {
			break
		}
		if slices.ContainsFunc(r.drafts, (*draft).leaves) {
			// That we took a note away must be known wherever it is gone.
			if err := p.Ledger.Last(); err != nil {
				return err
			}
		}
		if err := p.writeAll(ctx, r); err != nil {
			return err
		}
	}
	if err := p.tidy(); err != nil {
		return err
	}
	return p.keepBases(ctx)
}

// planAll plans until planning makes nothing new due.
func (p *pass) planAll(ctx context.Context) (round, error) {
	var r round
	if p.due.empty() {
		return r, nil
	}
	p.step("planning notes", len(p.due.list(ledger.DueSession)))
	if err := p.Ledger.Begin(); err != nil {
		return r, err
	}
	planned := map[string]bool{}
	for {
		before := r.notes
		for sessions := -1; sessions != r.notes; { // forks are due once their parent has a note: pages show what they say then
			sessions = r.notes
			if err := p.planSessions(ctx, &r, planned); err != nil {
				return r, err
			}
		}
		if err := p.queueDeferred(); err != nil {
			return r, err
		}
		pages, err := p.planPages(ctx, planned)
		if err != nil {
			return r, err
		}
		r.take(pages)
		if r.notes == before {
			break
		}
	}
	navs, err := p.planNavs(ctx, planned)
	r.take(navs)
	return r, errors.Join(err, p.intend(r.drafts), willLeave(p.Ledger, r.drafts))
}

// writersPerJob is how many writers wait for the disk together: the vault syncs
// what they have ready in one go.
const writersPerJob = 16

// writeAll writes a round with many writers, the notes of sessions before the
// pages that show their facts. The drafts of one session are written by one
// writer, which holds that session meanwhile.
func (p *pass) writeAll(ctx context.Context, r round) error {
	p.step("writing notes", r.notes)
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	var sessions, pages [][]*draft
	for _, d := range r.drafts {
		if d.kind != ledger.DueSession {
			pages = append(pages, []*draft{d})
		} else if n := len(sessions); n > 0 && sessions[n-1][0].owner == d.owner {
			sessions[n-1] = append(sessions[n-1], d)
		} else {
			sessions = append(sessions, []*draft{d})
		}
	}
	p.due.watch()
	failed := len(p.failed)
	err := p.writeBatches(ctx, sessions)
	if err == nil {
		err = p.writeLater(ctx, r.later)
	}
	if len(p.failed) > failed {
		pages = nil // they show notes that do not stand: planned anew, most are as they were
	}
	if err == nil && len(pages) > 0 {
		// A page that shows a file which is not there says that it was deleted.
		err = errors.Join(p.keepBases(ctx), p.Ledger.Begin())
	}
	if err == nil {
		err = p.writeBatches(ctx, pages)
	}
	return p.settleWritten(err)
}

// settleWritten has what was written last, in the vault and then in the ledger.
func (p *pass) settleWritten(err error) error {
	if flushed := p.flush(); flushed != nil {
		return errors.Join(err, flushed)
	}
	return errors.Join(err, p.rememberWritten(), p.commit())
}

// flush makes last what was written to the vault. Where that fails nobody knows
// which notes are on the disk: the ledger must not say so.
func (p *pass) flush() error {
	if err := p.Vault.Flush(); err != nil {
		return errors.Join(err, p.Ledger.Rollback())
	}
	return nil
}

func (p *pass) writeBatches(ctx context.Context, batches [][]*draft) error {
	// Neighbours in the vault one after the other keep few folders open.
	slices.SortStableFunc(batches, func(a, b []*draft) int { return strings.Compare(a[0].path, b[0].path) })
	return contain.Each(ctx, p.jobs()*writersPerJob, batches, p.writeBatch)
}

// writeBatch writes the notes of one owner, which is due again when that fails.
// It ceases to be due before it is written, for what is written meanwhile may
// make it due once more. A page that became so since it was planned is left to
// the next round: it was planned on facts that no longer hold.
func (p *pass) writeBatch(ctx context.Context, batch []*draft) error {
	kind, owner := batch[0].kind, batch[0].owner
	valid := true
	err := p.settleDue(func(kind, id string) error {
		if valid = kind != ledger.DuePage || !p.due.again[kind+id]; !valid {
			return nil
		}
		return p.due.done(kind, id)
	}, kind, owner)
	if err != nil || !valid {
		return err
	}
	err = p.writeNotesOf(ctx, batch)
	if err != nil || p.hasFailed(kind, owner) {
		err = errors.Join(err, p.settleDue(p.due.mark, kind, owner))
	}
	return err
}

func (p *pass) settleDue(do func(kind, id string) error, kind, owner string) error {
	p.settling.Lock()
	defer p.settling.Unlock()
	return do(kind, owner)
}

func (p *pass) hasFailed(kind, owner string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed[kind+owner]
}

func (p *pass) writeNotesOf(ctx context.Context, batch []*draft) error {
	var m pages.OpenSession
	if first := batch[0]; first.kind == ledger.DueSession {
		err := p.alone(ctx, func() (err error) {
			m.Merged, err = p.merged(first.owner)
			return err
		}, func(err error) { p.fail(first, err) })
		if err != nil {
			return err
		}
		if p.hasFailed(first.kind, first.owner) {
			return p.takeBack(batch...)
		}
		p.cache.forget(first.owner)
	}
	for _, d := range batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.remove && p.hasFailed(d.kind, d.owner) {
			continue // what was to stand in its place does not
		}
		if err := p.write(ctx, d, &m); err != nil {
			return err
		}
		p.advanceOne()
	}
	return nil
}

func (p *pass) jobs() int {
	if p.Mode.Jobs > 0 {
		return p.Mode.Jobs
	}
	return 2
}

func (p *pass) advanceOne() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.advance(1)
}

// write brings one draft into the vault and the outcome into ledger and report.
func (p *pass) write(ctx context.Context, d *draft, m *pages.OpenSession) error {
	var failed error
	err := p.alone(ctx, func() error {
		res, err := p.put(ctx, d, m)
		if err != nil {
			return err
		}
		return p.settle(d, res)
	}, func(err error) {
		p.fail(d, err)
		failed = p.takeBack(d)
	})
	return errors.Join(err, failed)
}

// takeBack forgets notes that could not be created, so that nothing links to them.
func (p *pass) takeBack(drafts ...*draft) error {
	p.settling.Lock()
	defer p.settling.Unlock()
	for _, d := range drafts {
		if d.at() != "" {
			continue
		}
		if err := p.dropUnwritten(d.facts.ID); err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) fail(d *draft, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed[d.kind+d.owner] = true
	p.unsure = true // it may lie elsewhere than planned
	p.outcomes[d.facts.ID] = vault.Failed
	p.report.Problems = append(p.report.Problems, Problem{
		Item: d.facts.ID, Path: p.fromRoot(d.path), Error: err.Error(), Hint: "it is tried again next time", Fatal: true})
}

// put renders a draft and hands it to the vault.
func (p *pass) put(ctx context.Context, d *draft, m *pages.OpenSession) (vault.Result, error) {
	if d.remove {
		return p.remove(ctx, d, m)
	}
	return p.putText(ctx, d, m)
}

// remove takes away a note that is no longer wanted. One that a human wrote in
// stays and is told of; what of it is ours is renewed, so that it does not link
// to what is gone too.
func (p *pass) remove(ctx context.Context, d *draft, m *pages.OpenSession) (vault.Result, error) {
	kept, err := p.Vault.Remove(ctx, d.facts.ID, d.at())
	if err != nil || kept.Outcome != vault.Kept {
		return kept, err
	}
	if d.forgotten {
		return p.removeForgotten(ctx, d, kept)
	}
	return p.keepEdited(ctx, d, m, kept.Reason)
}

// keepEdited renews what is ours of a note that was to go and stays.
func (p *pass) keepEdited(ctx context.Context, d *draft, m *pages.OpenSession, why string) (vault.Result, error) {
	res, err := p.putText(ctx, d, m)
	res.Reason = cmp.Or(res.Reason, why)
	if res.Outcome == vault.Unchanged {
		res.Outcome = vault.Kept
	}
	return res, err
}

// putText writes what a draft says.
func (p *pass) putText(ctx context.Context, d *draft, m *pages.OpenSession) (vault.Result, error) {
	if err := p.move(ctx, d); err != nil {
		return vault.Result{}, err
	}
	if err := p.putCanvas(ctx, d); err != nil {
		return vault.Result{}, err
	}
	v, err := p.render(d, m)
	if err == nil {
		err = p.Ledger.Failed() // a link may be missing
	}
	if err == nil {
		err = p.putPictures(ctx, d, m, v)
	}
	if err != nil {
		return vault.Result{}, err
	}
	res, err := putNote(p.Vault, ctx, v)
	if errors.Is(err, vault.ErrTaken) && d.long != "" && v.At == "" {
		v.Path = d.long
		p.setPlace(d.facts.ID, pages.Place{Path: names.TrimMD(p.fromRoot(d.long)), Title: d.planned.Title, Project: d.planned.Project})
		res, err = putNote(p.Vault, ctx, v)
	}
	return res, err
}

// putNote writes a note where it is or is to be. One that came to stand there
// since the vault was looked at, from another machine say, is taken for what it
// is: there is to be no second one beside it.
func putNote(in *vault.Vault, ctx context.Context, v vault.Draft) (vault.Result, error) {
	res, err := in.Put(ctx, v)
	if !errors.Is(err, vault.ErrTaken) || v.At != "" {
		return res, err
	}
	if there, unread := in.Load(v.Path); unread != nil || there.ID != v.ID {
		return res, err
	}
	v.At = v.Path
	return in.Put(ctx, v)
}

// move gives a note its new name before it is written.
func (p *pass) move(ctx context.Context, d *draft) error {
	if d.moveTo == "" {
		return nil
	}
	stamp, err := p.Vault.Move(ctx, d.facts.ID, d.row.Path, d.moveTo)
	if err != nil {
		return err
	}
	p.settling.Lock()
	defer p.settling.Unlock()
	p.countMove(d)
	delete(p.seen.Files, d.row.Path)
	p.seen.Files[d.moveTo] = stamp
	d.row.Path = d.moveTo
	return p.Ledger.SetHome(d.facts.ID, d.moveTo)
}
