package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/vault"
)

// layOut gives a draft its place and its facts in the vault's layout.
func (p *pass) layOut(d *draft) {
	d.plain = [2]string{d.path, d.long}
	d.path = p.layout.Place(d.path)
	d.long = p.layout.Place(d.long)
	d.shown = d.facts.Normalized().Complete(p.layout)
}

// properties are those of a note, links and what the layout asks for included.
func (p *pass) properties(f facts.Facts) []vault.Property {
	return f.Properties(p.builder.Links(f), p.layout)
}
