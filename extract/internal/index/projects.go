package index

import (
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Projects gives the pages what they are made of: the facts of the notes of one
// project at a time, read from the ledger once and dropped when they change.
// It is safe for concurrent use, an index never changes once it was given out.
type Projects struct {
	mu       sync.Mutex
	ledger   *ledger.Ledger
	projects map[string]*facts.ProjectIndex
}

// NewProjects loads nothing before it is asked.
func NewProjects(l *ledger.Ledger) *Projects {
	return &Projects{ledger: l, projects: map[string]*facts.ProjectIndex{}}
}

// changed takes in that a note's facts are new, other or gone.
func (p *Projects) changed(f *facts.Facts, there bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, loaded := p.projects[f.Project]
	switch {
	case !loaded:
	case f.Type == names.TypeSession || f.Type == names.TypeMemory:
		delete(p.projects, f.Project)
	case f.Type == names.TypeFile && r.HasFileNote(f.ID) != there:
		p.projects[f.Project] = r.WithFileNote(f.ID, there)
	}
}

// Index is what is known of the notes of a project, by its key.
func (p *Projects) Index(key string) (*facts.ProjectIndex, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.projects[key]; ok {
		return r, nil
	}
	sessions, err := decodeAll(p.ledger.FactsOfProject(key, names.TypeSession))
	if err != nil {
		return nil, err
	}
	memory, err := decodeAll(p.ledger.FactsOfProject(key, names.TypeMemory))
	if err != nil {
		return nil, err
	}
	rows, err := p.ledger.NotesOfProject(key, names.TypeFile)
	if err != nil {
		return nil, err
	}
	r := facts.NewProjectIndex(sessions, memory, each(rows, noteID))
	p.projects[key] = r
	return r, nil
}
