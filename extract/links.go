package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
)

// placeOf finds a note. What was found once is remembered until it changes.
func (p *pass) placeOf(id string) pages.Place {
	p.mu.Lock()
	found, ok := p.places[id]
	p.mu.Unlock()
	if ok {
		return found
	}
	if row, known, err := p.Ledger.Note(id); err == nil && known {
		f, _ := facts.Decode(row.Facts) // unreadable facts only cost the title
		found = pages.Place{Path: p.linkPath(row), Title: f.Title, Project: f.Project}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if newer, ok := p.places[id]; ok { // it was moved or removed meanwhile
		return newer
	}
	p.places[id] = found
	return found
}

func (p *pass) setPlace(id string, at pages.Place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.places[id] = at
}
