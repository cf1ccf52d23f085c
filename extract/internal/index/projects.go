package index

import (
	"path"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
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

// Notes is what is known of the notes, and what follows when it changes. It is safe
// for concurrent use.
type Notes struct {
	Ledger   *ledger.Ledger
	Queue    *Queue    // is told of what changes
	Projects *Projects // are told of what changes
	masker   names.TextMasker
	folder   string // the managed folder, from the vault's root

	mu      sync.Mutex
	places  map[string]pages.Place // by id of the note
	skipped map[string]bool        // ids of notes that are gone and not to be written anew in this run
	atEnd   map[ledger.Key][]byte  // values to store when the run ends well
}

// NewNotes tells queue of what changes. masker takes secrets out of what people wrote,
// where pages show it. folder is the managed folder, from the vault's
// root.
func NewNotes(l *ledger.Ledger, queue *Queue, projects *Projects, masker names.TextMasker, folder string) *Notes {
	return &Notes{Ledger: l, Queue: queue, Projects: projects, masker: masker, folder: folder, places: map[string]pages.Place{}, skipped: map[string]bool{}, atEnd: map[ledger.Key][]byte{}}
}

// FromRoot is where something lies in the vault that lies so in the managed folder,
// which may be the whole vault.
func (n *Notes) FromRoot(at string) string { return path.Join(n.folder, at) }

// Skip has a note that is gone not be written anew in this run.
func (n *Notes) Skip(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.skipped[id] = true
}

// Skips tells whether a note is gone and not to be written anew in this run.
func (n *Notes) Skips(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.skipped[id]
}

// Writable tells whether a note stands where it may be written.
func (n *Notes) Writable(row ledger.NoteRow) bool {
	return row.State.Stands() && !n.Skips(row.ID)
}

// Place finds a note. What was found once is remembered until it changes.
func (n *Notes) Place(id string) pages.Place {
	n.mu.Lock()
	found, ok := n.places[id]
	n.mu.Unlock()
	if ok {
		return found
	}
	if row, known, err := n.Ledger.Note(id); err == nil && known {
		f, _ := facts.Decode(row.Facts) // unreadable facts only cost the title
		found = pages.Place{Path: n.LinkPath(row), Title: f.Title, Project: f.Project}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if newer, ok := n.places[id]; ok { // it was moved or removed meanwhile
		return newer
	}
	n.places[id] = found
	return found
}

// SetPlace remembers where a note is, or is to be.
func (n *Notes) SetPlace(id string, at pages.Place) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.places[id] = at
}

// Commit keeps what was done so far. What is remembered in memory alone becomes due
// first: after an interruption nobody else would know of it.
func (n *Notes) Commit() error {
	if err := n.Queue.AddDeferred(); err != nil {
		return err
	}
	return n.Ledger.Commit()
}

// AtEnd has a value be stored when the run ends well.
func (n *Notes) AtEnd(key ledger.Key, value []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.atEnd[key] = value
}

// End stores what was to be stored when the run ends well.
func (n *Notes) End() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for key, value := range n.atEnd {
		if err := n.Ledger.SetValue(key, value); err != nil {
			return err
		}
	}
	return nil
}
