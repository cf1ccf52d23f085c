package ingest

import (
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

// plainIDs gives ids of sources the form in which they are kept and shown.
type plainIDs struct {
	names.PlainForm
	listed map[string]sources.Item // items whose ids are in another form, as they were listed, by source and key
}

func newPlainIDs(m Masker) plainIDs {
	return plainIDs{PlainForm: names.PlainForm{Masker: m}, listed: map[string]sources.Item{}}
}

// items gives the ids in a listing their plain form. What it was is kept for the
// source, which knows its items by it.
func (p plainIDs) items(items []sources.Item) {
	for i, it := range items {
		key, id := p.Pair(it.Key, it.Session)
		if key == it.Key && id == it.Session {
			continue
		}
		items[i].Key, items[i].Session = key, id
		p.listed[it.Source+"\x00"+key] = it
	}
}

// asListed is an item as its source listed it.
func (p plainIDs) asListed(it sources.Item) sources.Item {
	if raw, ok := p.listed[it.Source+"\x00"+it.Key]; ok {
		return raw
	}
	return it
}
