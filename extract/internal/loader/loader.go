// Package loader merges sessions from their stored layers.
//
// A fork leaves out what its parent shows if the parent is available, in scope and not behind the fork in a
// circle. Data that the ledger cannot read is missing, see [ledger.Ledger.Failed].
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
	notes    *index.Notes
	vault    *vault.Vault // may be nil
	scope    *scope.Selection
	notesOff bool

	mu   sync.Mutex
	told map[string]bool // findings about forks, by question and id
}

// New returns a loader for one run. in is nil without a vault; notesOff says that no note will be written.
func New(notes *index.Notes, in *vault.Vault, selected *scope.Selection, notesOff bool) *Loader {
	return &Loader{notes: notes, vault: in, scope: selected, notesOff: notesOff, told: map[string]bool{}}
}

// Nothing is cached: sessions in memory cost the collector more time than unpacking them again.

// Merged returns a session merged from all its stored layers, without what it inherited from its parent.
func (l *Loader) Merged(id string) session.Merged { return l.withoutInherited(l.Alone(id)) }

// Alone returns a session merged from all its layers, ignoring its parent.
func (l *Loader) Alone(id string) session.Merged {
	layers := l.notes.Ledger.Layers(id)
	if len(layers) == 0 {
		return session.Merged{Session: sources.Session{ID: id}}
	}
	return l.Of(id, layers)
}

// Of merges layers, and gives them the id of their session, with the others it was found under.
func (l *Loader) Of(id string, layers []sources.Layer) session.Merged {
	m := session.Merge(layers)
	m.Session.ID = id
	m.Aliases = l.notes.Ledger.AliasesOf(id)
	for _, other := range m.Aliases {
		// An id without layers and notes is not shown.
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

// HasNothing reports whether a session has nothing worth a note, or gets none as nobody typed a prompt.
func (l *Loader) HasNothing(s *sources.Session) bool {
	return session.IsEmpty(s) || s.Class == sources.Automatic
}

// HasLayers reports whether layers of a session are stored under any of its ids.
func (l *Loader) HasLayers(id string) bool {
	return l.notes.Ledger.Holds(l.notes.Ledger.CanonicalID(id))
}

// withoutInherited removes from a fork what its parent's note shows. What no other note shows stays.
func (l *Loader) withoutInherited(m session.Merged) session.Merged {
	s := &m.Session
	parent := l.ParentOf(ledger.SessionRecord{ID: s.ID, Parent: s.Parent, FirstTurn: session.FirstTurn(s.Turns), Created: index.Stamp(s.Created)})
	if parent == "" {
		return l.withoutParent(m, func(f facts.Facts) bool { return l.HasLayers(f.Parent) }) // a rewind may take back the fork
	}
	if index.ForgottenSession(l.vault, parent) {
		session.DropInherited(s)
	}
	from := l.Alone(parent).Session
	if len(from.Turns) == 0 && !from.Complete { // gone, or emptied: its former content is unknown
		if !slices.ContainsFunc(s.Turns, func(t sources.Turn) bool { return t.Inherited }) {
			return m
		}
		return l.withoutParent(m, func(f facts.Facts) bool { return f.Updated.Before(s.Updated.Truncate(time.Second)) }) // a log has more
	}
	m.Available = append(slices.Clone(m.Available), session.ParentLayer)
	if l.foundOut(s.ID, func() bool { return l.tells(&from, s.ID) }) {
		m.LeaveToParent(&from)
	}
	return m
}

// withoutParent shows a whole fork without its parent if its note did so already. If not, the note stays as
// it is.
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

// foundOut answers a question once, so that the answer at planning a note holds when it is written.
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

// tells reports whether the vault shows a parent's content, so that a fork may leave it out: in the parent's
// note, or in the note of the parent's parent. In a circle of forks the one with the smallest id leaves
// nothing out. A note that its user deleted counts.
func (l *Loader) tells(parent *sources.Session, fork string) bool {
	if l.isFirstOfCircle(fork, parent.ID) {
		return false
	}
	record, _ := l.notes.Ledger.Session(parent.ID)
	if l.scope.Holds(record.ID, identity.ProjectFromKey(record.Project), record.Updated) {
		return l.scope.IgnoredBy(parent.Place) == ""
	}
	row, known := l.notes.Ledger.Note(names.SessionID(parent.ID))
	return known && !l.notesOff && (l.notes.Writable(row) || l.vault.HasTombstone(row.ID))
}

// isFirstOfCircle reports whether the parents of a session lead back to it, and its id is the smallest among
// them.
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

// ParentOf returns the session that one was forked from: named by its log, or an older one that begins with
// the same turn and is as well known. A derived copy of the same session begins so too.
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

// standing ranks how well a session is known. A whole conversation under its own id is as good as a log, in
// any form of file.
func (l *Loader) standing(id string) sources.Rank {
	rank, whole := l.notes.Ledger.BestRank(id)
	if whole && sources.IsUUID(id) {
		rank = sources.RankLog
	}
	return rank
}
