package publish

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// aliasNotes are notes made of a session while it was known under another id:
// they go where the session's own stand, and all that they were made of is at
// hand. What a human wrote in stays, as ever.
func (p *Publisher) aliasNotes(m session.Merged, family []*draft) ([]*draft, error) {
	var out []*draft
	for _, id := range m.Also {
		rows, err := p.Notes.Ledger.NotesOfSession(id)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			continue
		}
		layers, err := p.Notes.Ledger.LayerNames(id)
		if err != nil {
			return nil, err
		}
		renamed := len(layers) == 0 && !sources.IsUUID(id) // all that was read under it is read under the new id
		if renamed {
			layers, err = p.Notes.Ledger.LayerNames(m.Session.ID)
		}
		if err != nil {
			return nil, err
		}
		layers = append(layers, m.Layers...)
		for _, r := range rows {
			other := names.UnderOtherID(r.ID, r.Type, id, m.Session.ID)
			if !renamed && !slices.ContainsFunc(family, func(d *draft) bool { return d.facts.ID == other }) {
				other = names.SessionID(m.Session.ID) // it has the same from its parent, say
			}
			d, err := p.planAliasNote(r, other, layers)
			if err != nil {
				return nil, err
			}
			if d != nil {
				d.due.owner, d.session = m.Session.ID, r.Session
				out = append(out, d)
			}
		}
		if err := p.Notes.Queue.MarkNavs(id, idsOf(out)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// planAliasNote plans that a note goes because its twin stands in its place, nil
// where it stays.
func (p *Publisher) planAliasNote(r ledger.NoteRow, other string, layers []string) (*draft, error) {
	if r.State == ledger.Planned {
		return nil, p.Notes.Drop(r)
	}
	if other == "" || other == r.ID || !r.State.Stands() || p.Notes.Skips(r.ID) || !index.IsOurs(r) {
		return nil, nil
	}
	if t, known, err := p.Notes.Ledger.Note(other); err != nil || !known || !t.State.Stands() && t.State != ledger.Planned {
		return nil, err
	}
	d, err := draftGone(r, due{kind: ledger.DueSession})
	if err != nil {
		return nil, err
	}
	f := d.facts
	if slices.ContainsFunc(f.Sources, func(s string) bool { return s != session.ParentLayer && !slices.Contains(layers, s) }) {
		return nil, nil
	}
	if slices.Contains(f.Sources, session.ParentLayer) {
		if parent, err := p.Loader.AtHand(f.Parent); err != nil || !parent {
			return nil, err
		}
	}
	return d, p.Notes.Ledger.SetState(r.ID, ledger.Leaving)
}

// isDeleted tells whether a note must not be written because its user deleted it,
// be it under another id of its session. One that stands is not deleted.
func (p *Publisher) isDeleted(d *draft, stands bool) (bool, error) {
	if p.Vault.HasTombstone(d.facts.ID) {
		return true, nil
	}
	if stands || d.session == "" {
		return false, nil
	}
	also, err := p.Notes.Ledger.AliasesOf(d.session)
	return slices.ContainsFunc(also, func(id string) bool { return p.Vault.HasTombstone(names.UnderOtherID(d.facts.ID, "", d.session, id)) }), err
}
