package extract

import (
	"errors"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// doubledNotes are notes made of a session while it was known under another id:
// they go where the session's own stand, and all that they were made of is at
// hand. What a human wrote in stays, as ever.
func (p *pass) doubledNotes(m session.Merged, family []*draft) ([]*draft, error) {
	var out []*draft
	for _, id := range m.Also {
		rows, err := p.Ledger.NotesOfSession(id)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			continue
		}
		layers, err := p.Ledger.LayerNames(id)
		if err != nil {
			return nil, err
		}
		renamed := len(layers) == 0 && !sources.IsUUID(id) // all that was read under it is read under the new id
		if renamed {
			layers, err = p.Ledger.LayerNames(m.Session.ID)
		}
		if err != nil {
			return nil, err
		}
		layers = append(layers, m.Layers...)
		for _, r := range rows {
			twin := names.UnderOtherID(r.ID, r.Type, id, m.Session.ID)
			if !renamed && !slices.ContainsFunc(family, func(d *draft) bool { return d.facts.ID == twin }) {
				twin = names.SessionID(m.Session.ID) // it has the same from its parent, say
			}
			d, err := p.planDouble(r, twin, layers)
			if err != nil {
				return nil, err
			}
			if d != nil {
				d.owner, d.session = m.Session.ID, r.Session
				out = append(out, d)
			}
		}
		if err := p.queue.MarkNavs(id, idsOf(out)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// planDouble plans that a note goes because its twin stands in its place, nil
// where it stays.
func (p *pass) planDouble(r ledger.NoteRow, twin string, layers []string) (*draft, error) {
	if r.State == ledger.Planned {
		return nil, p.notes.Drop(r)
	}
	if twin == "" || twin == r.ID || !r.State.Stands() || p.notes.Skips(r.ID) || !index.IsOurs(r) {
		return nil, nil
	}
	if t, known, err := p.Ledger.Note(twin); err != nil || !known || !t.State.Stands() && t.State != ledger.Planned {
		return nil, err
	}
	f, err := facts.Decode(r.Facts)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(f.Sources, func(s string) bool { return s != session.ParentLayer && !slices.Contains(layers, s) }) {
		return nil, nil
	}
	if slices.Contains(f.Sources, session.ParentLayer) {
		if parent, err := p.loader.AtHand(f.Parent); err != nil || !parent {
			return nil, err
		}
	}
	return &draft{facts: f, planned: f, row: r, path: r.Path, remove: true, kind: ledger.DueSession}, p.Ledger.SetState(r.ID, ledger.Leaving)
}

// buried tells whether a note must not be written because its user deleted it,
// be it under another id of its session. One that stands is not deleted.
func (p *pass) buried(d *draft, stands bool) (bool, error) {
	if p.Vault.Buried(d.facts.ID) {
		return true, nil
	}
	if stands || d.session == "" {
		return false, nil
	}
	also, err := p.Ledger.Also(d.session)
	return slices.ContainsFunc(also, func(id string) bool { return p.Vault.Buried(names.UnderOtherID(d.facts.ID, "", d.session, id)) }), err
}

// namedAlso adds the ids that notes of a session have under its other ids.
func namedAlso(l *ledger.Ledger, notes []string, session string) ([]string, error) {
	home, err := l.Home(session)
	also, other := l.Also(home)
	if err = errors.Join(err, other); err != nil {
		return nil, err
	}
	out := slices.Clone(notes)
	for _, n := range notes {
		for _, id := range append(also, home) {
			if twin := names.UnderOtherID(n, "", session, id); twin != "" && id != session {
				out = append(out, twin)
			}
		}
	}
	return out, nil
}
