package publish

import (
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// planForgotten plans that a note of something forgotten goes. One that lies
// where nothing is removed is told of.
func (p *Publisher) planForgotten(r ledger.NoteRow) (*draft, error) {
	if err := p.Notes.Ledger.DropBases(r.ID); err != nil { // what its user took out of it stays with them alone
		return nil, err
	}
	switch r.State {
	case ledger.Planned:
		return nil, p.Notes.Drop(r)
	case ledger.MovedOut:
		p.Recorder.Keep(r.Path, "it is forgotten, but lies outside of the folder: delete it there")
	case ledger.Broken:
		p.Recorder.Keep(p.Notes.FromRoot(r.Path), "it is forgotten, but cannot be taken apart ("+r.Reason+"): delete it yourself")
	}
	if !r.State.Stands() || p.Notes.Skips(r.ID) {
		return nil, nil
	}
	d, err := draftGone(r, due{ledger.DueNav, r.ID})
	if err != nil {
		return nil, err
	}
	d.fate = purged
	return d, p.Notes.Ledger.SetState(r.ID, ledger.Leaving)
}
