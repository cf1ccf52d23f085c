package publish

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// planForgotten plans that a note of something forgotten goes. One that lies
// where nothing is removed is told of.
func (p *Publisher) planForgotten(r ledger.NoteRow) (*draft, error) {
	if err := p.notes.Ledger.DropBases(r.ID); err != nil { // what its user took out of it stays with them alone
		return nil, err
	}
	switch r.State {
	case ledger.Planned:
		return nil, p.notes.Drop(r)
	case ledger.Away:
		p.rec.Keep(r.Path, "it is forgotten, but lies outside of the folder: delete it there")
	case ledger.Broken:
		p.rec.Keep(p.notes.FromRoot(r.Path), "it is forgotten, but cannot be taken apart ("+r.Reason+"): delete it yourself")
	}
	if !r.State.Stands() || p.notes.Skips(r.ID) {
		return nil, nil
	}
	d, err := draftGone(r, due{ledger.DueNav, r.ID})
	if err != nil {
		return nil, err
	}
	d.fate = purged
	return d, p.notes.Ledger.SetState(r.ID, ledger.Leaving)
}

// removeForgotten sees to a note of something forgotten that a human wrote in:
// it stays, without links to what went, or goes where Obsidian does not show it, if
// that was asked for.
func (p *Publisher) removeForgotten(ctx context.Context, d *draft, kept vault.Result) (vault.Result, error) {
	if !p.options.Edited {
		res, err := p.keepEdited(ctx, d, nil, kept.Reason)
		res.Reason = "it is forgotten, but holds what you wrote (" + kept.Reason + "): delete it, or forget it with --edited"
		return res, err
	}
	at, err := p.vault.SetAside(ctx, d.facts.ID, d.at())
	if err != nil {
		return kept, err
	}
	kept.Outcome, kept.New = vault.Removed, nil
	kept.Reason = "it is forgotten and held what you wrote: that lies in " + p.notes.FromRoot(at) + " now"
	return kept, nil
}
