package ingest

import (
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

// Masker takes secrets out of texts. After an error nothing of a text may be kept.
type Masker interface {
	Session(s *sources.Session, counts map[string]int) error
	Text(s string) (string, error)
}

// Mask takes the secrets out of what was read and counts them by rule. Fields of
// one line are shortened afterwards, so that no cut hides a part of a secret.
func Mask(m Masker, s *sources.Session, counts map[string]int) error {
	defer content.Bound(s)
	return m.Session(s, counts)
}

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
