package publish

import (
	"context"
	"errors"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// maxRounds bounds how often pages are rendered again because writing showed
// other facts than planned; two are usual, where the user changed a title.
const maxRounds = 8

// laterAtOnce is how many sessions are drafted once more before they are written.
const laterAtOnce = 1024

// Write renders and writes what is due until nothing is.
func (p *Publisher) Write(ctx context.Context) error {
	for range maxRounds {
		r, err := p.planAll(ctx)
		if err != nil {
			return err
		}
		if err := p.Notes.Commit(); err != nil {
			return err
		}
		if r.Notes == 0 {
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
	if stay, err := p.Vault.Tidy(); err != nil {
		p.Recorder.Problem(report.Problem{Path: p.Notes.FromRoot(stay[0]), Error: err.Error(), Hint: "remove it yourself", Fatal: true})
	}
	if err := p.Written.Flush(); err != nil {
		return err
	}
	return p.Owned.KeepBases(ctx)
}

// planAll plans until planning makes nothing new due.
func (p *Publisher) planAll(ctx context.Context) (round, error) {
	var r round
	if p.Notes.Queue.Empty() {
		return r, nil
	}
	p.step("planning notes", len(p.Notes.Queue.List(ledger.DueSession)))
	if err := p.Notes.Ledger.Begin(); err != nil {
		return r, err
	}
	planned := map[string]bool{}
	for {
		before := r.Notes
		for sessions := -1; sessions != r.Notes; { // forks are due once their parent has a note: pages show what they say then
			sessions = r.Notes
			if err := p.planSessions(ctx, &r, planned); err != nil {
				return r, err
			}
		}
		if err := p.Notes.Queue.AddDeferred(); err != nil {
			return r, err
		}
		pages, err := p.planPages(ctx, planned)
		if err != nil {
			return r, err
		}
		r.take(pages)
		if r.Notes == before {
			break
		}
	}
	navs, err := p.planNavs(ctx, planned)
	if err != nil {
		return r, err
	}
	r.take(navs)
	if err := p.intend(r.drafts); err != nil {
		return r, err
	}
	if !slices.ContainsFunc(r.drafts, (*draft).leaves) {
		return r, nil
	}
	// The ledger has them at their new places from now on. Where the run ends before any
	// of them moved, the vault is as it was and yet to be looked at.
	return r, p.Notes.Ledger.SetValue(ledger.VaultPrint, nil)
}

// writeAll writes a round with many writers, the notes of sessions before the
// pages that show their facts. The drafts of one session are written by one
// writer, which holds that session meanwhile.
func (p *Publisher) writeAll(ctx context.Context, r round) error {
	p.step("writing notes", r.Notes)
	if err := p.Notes.Ledger.Begin(); err != nil {
		return err
	}
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
	if p.Recorder.Failures() > failed {
		pages = nil // they show notes that do not stand: planned anew, most are as they were
	}
	if err == nil && len(pages) > 0 {
		// A page that shows a file which is not there says that it was deleted.
		if err = p.Owned.KeepBases(ctx); err == nil {
			err = p.Notes.Ledger.Begin()
		}
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
	for some := range slices.Chunk(sessions, laterAtOnce) {
		if err := p.Written.Flush(); err != nil {
			return err
		}
		if err := p.Written.Also(p.Vault.TakeWritten()...); err != nil {
			return err
		}
		if err := p.Notes.Commit(); err != nil {
			return err
		}
		if err := p.Notes.Ledger.Begin(); err != nil {
			return err
		}
		var batches [][]*draft
		for _, id := range some {
			family, err := p.planFamily(ctx, id)
			if err != nil {
				return err
			}
			if len(family) > 0 {
				batches = append(batches, family)
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
	return errors.Join(err, p.Written.Remember(), p.Notes.Commit())
}
