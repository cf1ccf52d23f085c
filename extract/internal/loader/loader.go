// Package loader merges sessions from their stored layers.
//
// A fork leaves out what its parent tells where the parent is available, in scope and not
// behind the fork in a circle. What the ledger cannot tell is not there, see [ledger.Ledger.Failed].
package loader

import (
	"slices"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Loader merges sessions from layers. It is safe for concurrent use.
type Loader struct {
	notes   *index.Notes
	vault   *vault.Vault // nil: there is none
	scope   *scope.Selection
	options Options

	mu    sync.Mutex
	room  int             // bytes left for sessions at hand
	cache map[string]kept // between reading and writing; the first ones stay
	told  map[string]bool // what was found out of forks, by question and id
}

type kept struct {
	session.Merged
	size int
}

const (
	// cacheRoom bounds the merged sessions kept available, in bytes; the others are
	// unpacked from the ledger again.
	cacheRoom = 48 << 20
	// overhead is what a merged session takes beside its text, in bytes: a hundred
	// thousand of a few words each are not free.
	overhead = 1400
)

// Options configure what a run makes of sessions.
type Options struct {
	NotesOff  bool // no note is going to be written
	Automatic bool // sessions in which nobody typed a prompt get notes too
}

// New makes a loader for one run. in is nil if there is no vault.
func New(notes *index.Notes, in *vault.Vault, selected *scope.Selection, o Options) *Loader {
	return &Loader{notes: notes, vault: in, scope: selected, options: o, room: cacheRoom, cache: map[string]kept{}, told: map[string]bool{}}
}

// Forget drops a cached session: its layers changed, or it is rendered.
func (l *Loader) Forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.room += l.cache[id].size
	delete(l.cache, id)
}

// Fresh puts a session together from layers that were just read, and keeps it available.
// size is that of its texts, in bytes.
func (l *Loader) Fresh(id string, layers []sources.Layer, size int) session.Merged {
	m := l.identify(id, session.Merge(layers))
	l.Forget(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	if size += overhead; size <= l.room {
		l.room -= size
		l.cache[id] = kept{m, size}
	}
	return m
}

// Merged returns a session made of all layers the ledger keeps, without what it
// inherited from its parent.
func (l *Loader) Merged(id string) session.Merged { return l.withoutInherited(l.Alone(id)) }

// Alone returns a session made of all its layers, whatever its parent.
func (l *Loader) Alone(id string) session.Merged {
	l.mu.Lock()
	have, ok := l.cache[id]
	l.mu.Unlock()
	if ok {
		return have.Merged
	}
	return l.fromLedger(id)
}

func (l *Loader) fromLedger(id string) session.Merged {
	layers := l.notes.Ledger.Layers(id)
	if len(layers) == 0 {
		return session.Merged{Session: sources.Session{ID: id}}
	}
	return l.identify(id, session.Merge(layers))
}

// identify returns what was made of layers the id it belongs to, with the others
// it was found under.
func (l *Loader) identify(id string, m session.Merged) session.Merged {
	m.Session.ID = id
	m.Aliases = l.notes.Ledger.AliasesOf(id)
	for _, other := range m.Aliases {
		// One under which nothing is read and which no note tells is not shown.
		layers, notes := l.notes.Ledger.LayerNames(other), l.notes.Ledger.NotesWithKey("also:"+other)
		if len(layers)+len(notes) > 0 || sources.IsUUID(other) {
			m.Shown = append(m.Shown, other)
		}
	}
	if m.Session.Parent = l.notes.Ledger.CanonicalID(m.Session.Parent); m.Session.Parent == id {
		m.Session.Parent = ""
	}
	return m
}

// HasNothing reports whether a session has nothing worth a note, or gets none for nobody
// typed a prompt in it.
func (l *Loader) HasNothing(s *sources.Session) bool {
	return session.IsEmpty(s) || s.Class == sources.Automatic && !l.options.Automatic
}

// HasLayers reports whether something is kept of a session, by any of its ids.
func (l *Loader) HasLayers(id string) bool {
	return l.notes.Ledger.Holds(l.notes.Ledger.CanonicalID(id))
}

// withoutInherited removes from a fork what its parent's note shows. What no
// other note will show stays.
func (l *Loader) withoutInherited(m session.Merged) session.Merged {
	s := &m.Session
	parent := l.ParentOf(ledger.SessionRecord{ID: s.ID, Parent: s.Parent, FirstTurn: session.FirstTurn(s.Turns), Created: index.Stamp(s.Created)})
	if parent == "" {
		return l.withoutParent(m, func(f facts.Facts) bool { return l.HasLayers(f.Parent) }) // a rewind may take back that it was forked
	}
	if index.ForgottenSession(l.vault, parent) {
		session.DropInherited(s)
	}
	from := l.fromLedger(parent).Session
	if len(from.Turns) == 0 && !from.Complete { // gone, or emptied: that tells nothing of what it held
		if !slices.ContainsFunc(s.Turns, func(t sources.Turn) bool { return t.Inherited }) {
			return m
		}
		return l.withoutParent(m, func(f facts.Facts) bool { return f.Updated.Before(s.Updated.Truncate(time.Second)) }) // a log says more
	}
	m.Available = append(slices.Clone(m.Available), session.ParentLayer)
	if l.foundOut(s.ID, func() bool { return l.tells(&from, s.ID) }) {
		m.LeaveToParent(&from)
	}
	return m
}

// withoutParent shows all of a fork without its parent if its note did so already. If not, the
// note stays as it is.
func (l *Loader) withoutParent(m session.Merged, isSo func(facts.Facts) bool) session.Merged {
	so := l.foundOut("without parent "+m.Session.ID, func() bool {
		row, known := l.notes.Ledger.Note(names.SessionID(m.Session.ID))
		if !known || !l.notes.Writable(row) {
			return false
		}
		f := facts.Decode(row.Facts, l.notes.Ledger.Harmed)
		return slices.Contains(f.Sources, session.ParentLayer) && isSo(f)
	})
	if so {
		m.Available = append(slices.Clone(m.Available), session.ParentLayer)
	}
	return m
}

// foundOut answers a question once: what was found out when a note was planned holds
// when it is written.
func (l *Loader) foundOut(what string, find func() bool) bool {
	l.mu.Lock()
	so, known := l.told[what]
	l.mu.Unlock()
	if known {
		return so
	}
	so = find()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told[what] = so
	return so
}

// tells reports whether what a parent says is in the vault for a fork to leave
// out: its own note has it, or that of its own parent. In a circle of forks the one
// with the smallest id leaves nothing out. A note that its user deleted counts.
func (l *Loader) tells(parent *sources.Session, fork string) bool {
	if l.isFirstOfCircle(fork, parent.ID) {
		return false
	}
	record, _ := l.notes.Ledger.Session(parent.ID)
	if l.scope.Holds(record.ID, identity.ProjectFromKey(record.Project), record.Updated) {
		return l.scope.IgnoredBy(parent.Place) == ""
	}
	row, known := l.notes.Ledger.Note(names.SessionID(parent.ID))
	return known && !l.options.NotesOff && (l.notes.Writable(row) || l.vault.HasTombstone(row.ID))
}

// isFirstOfCircle reports whether the parents of a session lead back to it, and its id
// is the smallest on the way.
func (l *Loader) isFirstOfCircle(id, parent string) bool {
	seen := map[string]bool{}
	for at := parent; at != "" && !seen[at]; {
		if at <= id {
			return at == id
		}
		seen[at] = true
		record, _ := l.notes.Ledger.Session(at)
		at = l.ParentOf(record)
	}
	return false
}

// ParentOf names the session one was forked from: told by its log, or an older
// one that begins with the same turn and is known no worse. A derived account of this
// very session begins so too.
func (l *Loader) ParentOf(s ledger.SessionRecord) string {
	if s.Parent != "" {
		return s.Parent
	}
	for _, other := range l.notes.Ledger.SameStart(s.FirstTurn) {
		if other.ID == s.ID || other.Created > s.Created || other.Created == s.Created && other.ID > s.ID {
			continue
		}
		if l.standing(other.ID) <= l.standing(s.ID) {
			return other.ID
		}
	}
	return ""
}

// standing is how well a session is known. A whole conversation under an id of its
// own is as good as a log, in whatever form of file it lies.
func (l *Loader) standing(id string) sources.Rank {
	rank, whole := l.notes.Ledger.BestRank(id)
	if whole && sources.IsUUID(id) {
		rank = sources.RankLog
	}
	return rank
}
