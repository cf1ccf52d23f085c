package publish

import (
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// render makes a draft ready for the vault.
func (p *Publisher) render(d *draft, m *pages.OpenSession) (vault.Draft, error) {
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.place.path}
	if d.body != nil {
		var err error
		if v, err = p.fill(d, m); err != nil {
			return v, err
		}
	}
	nav, err := p.Builder.Nav(d.planned)
	v.Nav, v.Bases = &nav, index.BasesOf(p.Notes.Ledger, d.facts.ID)
	return v, err
}

// fill renders frontmatter and body, with the masks of both numbered together.
func (p *Publisher) fill(d *draft, m *pages.OpenSession) (vault.Draft, error) {
	d.props = p.properties(d.shown)
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.place.path, Props: d.props, AtHand: facts.AtHand(m.AtHand)}
	body, err := d.body(m)
	if err != nil {
		return v, err
	}
	numbered := redact.Number(append(d.facts.MaskedTexts(), body)...)
	v.Body, v.Bases = &numbered[len(numbered)-1], index.BasesOf(p.Notes.Ledger, d.facts.ID)
	v.Base, err = facts.DecodeProperties(d.row.Base)
	return v, err
}
