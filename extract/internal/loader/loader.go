// Package loader puts sessions together from the layers that are kept.
//
// A fork leaves out what its parent tells where the parent is at hand, in scope and not
// behind the fork in a circle. What the ledger cannot tell is not there, see [ledger.Got].
package loader

import (
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Loader puts sessions together. It is safe for concurrent use.
type Loader struct {
	notes    *index.Notes
	vault    *vault.Vault // nil: there is none
	scope    *scope.Selection
	notesOff bool // no note is going to be written

	mu     sync.Mutex
	room   int             // bytes left for sessions at hand
	atHand map[string]kept // between reading and writing; the first ones stay
	told   map[string]bool // what was found out of forks, by question and id
}

// kept is a merged session with the room it takes.
type kept struct {
	session.Merged
	size int
}

const (
	// roomAtHand bounds the merged sessions kept at hand, in bytes; the others are
	// unpacked from the ledger again.
	roomAtHand = 48 << 20
	// overhead is what a merged session takes beside its text, in bytes: a hundred
	// thousand of a few words each are not free.
	overhead = 1400
)

// New makes a loader for one run. notesOff says that it writes no note. in is nil
// where there is no vault.
func New(notes *index.Notes, in *vault.Vault, selected *scope.Selection, notesOff bool) *Loader {
	return &Loader{notes: notes, vault: in, scope: selected, notesOff: notesOff, room: roomAtHand, atHand: map[string]kept{}, told: map[string]bool{}}
}

// Forget drops what is at hand of a session: its layers changed, or it is rendered.
func (l *Loader) Forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.room += l.atHand[id].size
	delete(l.atHand, id)
}

// Fresh puts a session together from layers that were just read, and keeps it at hand.
// size is that of its texts, in bytes.
func (l *Loader) Fresh(id string, layers []sources.Layer, size int) session.Merged {
	m := l.identify(id, session.Merge(layers))
	l.Forget(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	if size += overhead; size <= l.room {
		l.room -= size
		l.atHand[id] = kept{m, size}
	}
	return m
}

// Merged returns a session made of all layers the ledger keeps, without what it
// inherited from its parent.
func (l *Loader) Merged(id string) session.Merged { return l.withoutInherited(l.Alone(id)) }

// Alone returns a session made of all its layers, whatever its parent.
func (l *Loader) Alone(id string) session.Merged {
	l.mu.Lock()
	have, ok := l.atHand[id]
	l.mu.Unlock()
	if ok {
		return have.Merged
	}
	return l.fromLedger(id)
}

func (l *Loader) fromLedger(id string) session.Merged {
	layers := ledger.Got(l.notes.Ledger.Layers(id))
	if len(layers) == 0 {
		return session.Merged{Session: sources.Session{ID: id}}
	}
	return l.identify(id, session.Merge(layers))
}

// identify gives what was made of layers the id it belongs to, with the others
// it was found under.
func (l *Loader) identify(id string, m session.Merged) session.Merged {
	m.Session.ID = id
	m.Also = ledger.Got(l.notes.Ledger.AliasesOf(id))
	for _, other := range m.Also {
		// One under which nothing is read and which no note tells is not shown.
		layers, notes := ledger.Got(l.notes.Ledger.LayerNames(other)), ledger.Got(l.notes.Ledger.NotesWithKey("also:"+other))
		if len(layers)+len(notes) > 0 || sources.IsUUID(other) {
			m.Shown = append(m.Shown, other)
		}
	}
	if m.Session.Parent = ledger.Got(l.notes.Ledger.CanonicalID(m.Session.Parent)); m.Session.Parent == id {
		m.Session.Parent = ""
	}
	return m
}

// AtHand tells whether something is kept of a session, by any of its ids.
func (l *Loader) AtHand(id string) bool {
	return ledger.Got(l.notes.Ledger.LayerCount(ledger.Got(l.notes.Ledger.CanonicalID(id)))) > 0
}
