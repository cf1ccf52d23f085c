package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

// plainForm gives ids of sources the form in which they are kept and shown.
func plainForm(m Masker) names.PlainForm { return names.PlainForm{Masker: m} }

// plainItems gives the ids in a listing their plain form. What it was is kept for
// the source, which knows its items by it.
func (p *pass) plainItems(items []sources.Item) {
	for i, it := range items {
		key, id := plainForm(p.Masker).Pair(it.Key, it.Session)
		if key == it.Key && id == it.Session {
			continue
		}
		items[i].Key, items[i].Session = key, id
		p.asListed[it.Source+"\x00"+key] = it
	}
}

// listedAs is an item as its source listed it.
func (p *pass) listedAs(it sources.Item) sources.Item {
	if raw, ok := p.asListed[it.Source+"\x00"+it.Key]; ok {
		return raw
	}
	return it
}
