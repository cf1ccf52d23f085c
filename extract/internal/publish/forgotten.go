package publish

import (
	"github.com/sessionloom/sessionloom/extract/ledger"
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
	case ledger.MovedAway:
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
