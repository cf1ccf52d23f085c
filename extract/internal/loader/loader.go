// Package loader puts sessions together from the layers that are kept.
//
// A fork leaves out what its parent tells where the parent is at hand, in scope and not
// behind the fork in a circle. A copied session keeps the parent that its note names: another
// copy does not stand in for one that is not at hand.
package loader

import (
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Loader puts sessions together. It is safe for concurrent use.
type Loader struct {
	notes    *index.Notes
	vault    *vault.Vault // nil: there is none
	scope    *scope.Selection
	notesOff bool // no note is going to be written
	cache    *mergedCache

	mu    sync.Mutex
	told  map[string]bool // what was found out of forks, by question and id
	owing map[string]bool // forks that show what the note of their parent, which the scope leaves out, is still to tell
}

// New makes a loader for one run. notesOff says that it writes no note. in is nil
// where there is no vault.
func New(notes *index.Notes, in *vault.Vault, selected *scope.Selection, notesOff bool) *Loader {
	return &Loader{notes: notes, vault: in, scope: selected, notesOff: notesOff, cache: newMergedCache(cacheBytes), told: map[string]bool{}, owing: map[string]bool{}}
}

// Forget drops what is at hand of a session: its layers changed, or it is rendered.
func (l *Loader) Forget(id string) { l.cache.forget(id) }

// Fresh puts a session together from layers that were just read, and keeps it at hand.
// size is that of its texts, in bytes.
func (l *Loader) Fresh(id string, layers []sources.Layer, size int) (session.Merged, error) {
	m, err := l.Identify(id, session.Merge(layers))
	if err == nil {
		l.cache.put(id, m, size)
	}
	return m, err
}

// Owing are the forks that show what their parent's note is still to tell: they are
// due once it does.
func (l *Loader) Owing() (forks []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, owes := range l.owing {
		if owes {
			forks = append(forks, id)
		}
	}
	return forks
}

// Merged returns a session made of all layers the ledger keeps, without what it
// inherited from its parent.
func (l *Loader) Merged(id string) (session.Merged, error) {
	m, err := l.Alone(id)
	if err != nil {
		return m, err
	}
	return l.withoutInherited(m)
}

// Alone returns a session made of all its layers, whatever its parent.
func (l *Loader) Alone(id string) (session.Merged, error) {
	if m, ok := l.cache.get(id); ok {
		return m, nil
	}
	layers, err := l.notes.Ledger.Layers(id)
	if err != nil {
		return session.Merged{}, err
	}
	if len(layers) == 0 {
		return session.Merged{Session: sources.Session{ID: id}}, nil
	}
	return l.Identify(id, session.Merge(layers))
}

// Identify gives what was made of layers the id it belongs to, with the others
// it was found under.
func (l *Loader) Identify(id string, m session.Merged) (session.Merged, error) {
	var err error
	m.Session.ID = id
	if m.Also, err = l.notes.Ledger.AliasesOf(id); err != nil {
		return m, err
	}
	if m.Shown, err = l.shownAlso(m.Also); err != nil {
		return m, err
	}
	if m.Session.Parent, err = l.notes.Ledger.CanonicalID(m.Session.Parent); m.Session.Parent == id {
		m.Session.Parent = ""
	}
	return m, err
}

// shownAlso leaves out of the other ids of a session those under which nothing is
// read and which no note tells.
func (l *Loader) shownAlso(also []string) (shown []string, err error) {
	for _, id := range also {
		names, err := l.notes.Ledger.LayerNames(id)
		if err != nil {
			return nil, err
		}
		rows, err := l.notes.Ledger.NotesWithKey("also:" + id)
		if err != nil {
			return nil, err
		}
		if len(names)+len(rows) > 0 || sources.IsUUID(id) {
			shown = append(shown, id)
		}
	}
	return shown, nil
}

// AtHand tells whether something is kept of a session, by any of its ids.
func (l *Loader) AtHand(id string) (bool, error) {
	home, err := l.notes.Ledger.CanonicalID(id)
	if err != nil {
		return false, err
	}
	n, err := l.notes.Ledger.LayerCount(home)
	return n > 0, err
}
