package extract

import (
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// atlas gives the pages what they are made of: the facts of the notes of one
// project at a time, read from the ledger once and dropped when they change.
// It is safe for concurrent use, an index never changes once it was given out.
type atlas struct {
	mu       sync.Mutex
	ledger   *ledger.Ledger
	projects map[string]*facts.ProjectIndex
}

func newAtlas(l *ledger.Ledger) *atlas {
	return &atlas{ledger: l, projects: map[string]*facts.ProjectIndex{}}
}

// changed takes in that a note's facts are new, other or gone.
func (a *atlas) changed(f *facts.Facts, there bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, loaded := a.projects[f.Project]
	switch {
	case !loaded:
	case f.Type == names.TypeSession || f.Type == names.TypeMemory:
		delete(a.projects, f.Project)
	case f.Type == names.TypeFile && r.HasFileNote(f.ID) != there:
		a.projects[f.Project] = r.WithFileNote(f.ID, there)
	}
}

// loaded returns the index of a project where it was asked for before.
func (a *atlas) loaded(key string) (*facts.ProjectIndex, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	x, ok := a.projects[key]
	return x, ok
}

func (a *atlas) project(key string) (*facts.ProjectIndex, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r, ok := a.projects[key]; ok {
		return r, nil
	}
	sessions, err := a.load(key, names.TypeSession)
	if err != nil {
		return nil, err
	}
	memory, err := a.load(key, names.TypeMemory)
	if err != nil {
		return nil, err
	}
	rows, err := a.ledger.NotesOfProject(key, names.TypeFile)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, row := range rows {
		files = append(files, row.ID)
	}
	r := facts.NewProjectIndex(sessions, memory, files)
	a.projects[key] = r
	return r, nil
}

func (a *atlas) load(project, typ string) ([]facts.Facts, error) {
	rows, err := a.ledger.FactsOfProject(project, typ)
	if err != nil {
		return nil, err
	}
	return decodeAll(rows)
}
