package extract

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// atlas gives the pages what they are made of: the facts of the notes of one
// project at a time, read from the ledger once and dropped when they change.
// It is safe for concurrent use, a region never changes once it was given out.
type atlas struct {
	mu       sync.Mutex
	ledger   *ledger.Ledger
	projects map[string]*region
}

// region is what is known of one project.
type region struct {
	sessions []facts // by created, then id
	memory   []facts
	files    map[string][]int // path → indexes of the sessions that edited it, oldest first
	fileNote map[string]bool  // ids of file notes that stand in the vault
	once     sync.Once
	open     []content.TaskBox // see threads
}

func newAtlas(l *ledger.Ledger) *atlas {
	return &atlas{ledger: l, projects: map[string]*region{}}
}

// changed takes in that a note's facts are new, other or gone.
func (a *atlas) changed(f *facts, there bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, loaded := a.projects[f.Project]
	switch {
	case !loaded:
	case f.Type == names.TypeSession || f.Type == names.TypeMemory:
		delete(a.projects, f.Project)
	case f.Type == names.TypeFile && r.fileNote[f.ID] != there:
		a.projects[f.Project] = r.withFileNote(f.ID, there)
	}
}

// withFileNote is a region with one file note more or less.
func (r *region) withFileNote(id string, there bool) *region {
	next := &region{sessions: r.sessions, memory: r.memory, files: r.files, fileNote: maps.Clone(r.fileNote)}
	if there {
		next.fileNote[id] = true
	} else {
		delete(next.fileNote, id)
	}
	return next
}

func (a *atlas) project(key string) (*region, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r, ok := a.projects[key]; ok {
		return r, nil
	}
	r := &region{files: map[string][]int{}, fileNote: map[string]bool{}}
	var err error
	if r.sessions, err = a.load(key, names.TypeSession); err != nil {
		return nil, err
	}
	if r.memory, err = a.load(key, names.TypeMemory); err != nil {
		return nil, err
	}
	rows, err := a.ledger.NotesOfProject(key, names.TypeFile)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		r.fileNote[row.ID] = true
	}
	for i, s := range r.sessions {
		for _, f := range s.Files {
			r.files[f] = append(r.files[f], i)
		}
	}
	a.projects[key] = r
	return r, nil
}

func (a *atlas) load(project, typ string) ([]facts, error) {
	rows, err := a.ledger.NotesOfProject(project, typ)
	if err != nil {
		return nil, err
	}
	out := make([]facts, 0, len(rows))
	for _, row := range rows {
		f, err := decodeFacts(row.Facts)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	slices.SortFunc(out, olderFirst)
	return out, nil
}

func olderFirst(a, b facts) int {
	if c := a.Created.Compare(b.Created); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// fileNamed is the path of a file that ids name so, the part of the id itself where
// no session edited it.
func (r *region) fileNamed(part string) string {
	if _, known := r.files[part]; known || names.IsPlainPart(part) {
		return part
	}
	for path := range r.files {
		if names.PlainPart(path) == part {
			return path
		}
	}
	return part
}

// neighbours returns the sessions before and after one, nil at the ends.
func (r *region) neighbours(of facts) (before, after *facts) {
	i, found := slices.BinarySearchFunc(r.sessions, of, olderFirst)
	if !found { // what stands there is not what is planned
		i = slices.IndexFunc(r.sessions, func(f facts) bool { return f.ID == of.ID })
	}
	if i < 0 {
		return nil, nil
	}
	if i > 0 {
		before = &r.sessions[i-1]
	}
	if i+1 < len(r.sessions) {
		after = &r.sessions[i+1]
	}
	return before, after
}

// hot returns the files that earn a note, hottest first.
func (r *region) hot(h HotFiles) []hotFile {
	var out []hotFile
	for path, in := range r.files {
		if len(in) < h.MinSessions {
			continue
		}
		out = append(out, r.hotFile(path, h))
	}
	slices.SortFunc(out, func(a, b hotFile) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return cmp.Compare(a.path, b.path)
	})
	return out
}
