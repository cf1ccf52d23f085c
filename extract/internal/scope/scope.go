// Package scope decides which sessions a run may touch.
//
// What a folder leaves out is kept, masked, in the ledger: else nobody would know to which
// session and project it belongs.
package scope

import (
	"slices"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Scope limits what a run looks at; notes outside stay as they are.
type Scope struct {
	Sources  []string  // names; empty: all
	Projects []string  // globs over project key and name; empty: all
	Excluded []string  // globs over project key and name
	Since    time.Time // sessions updated since then; zero: all
}

// Selection is what a run looks at. It is safe for concurrent use.
type Selection struct {
	scope  Scope
	asks   func(folder string) bool // nil: no folder is asked
	ledger *ledger.Ledger

	mu       sync.Mutex
	excluded map[string]bool     // sessions that are left out
	ignored  map[string][]string // ids of sessions by the folder that has them left out
	asked    map[string]bool     // what folders said
}

// Select limits a run. ignores tells whether a folder of this machine holds a file
// that says to leave out the sessions at work there or below; nil: none does.
func Select(scope Scope, ignores func(folder string) bool, l *ledger.Ledger) *Selection {
	return &Selection{scope: scope, asks: ignores, ledger: l, excluded: map[string]bool{}, ignored: map[string][]string{}, asked: map[string]bool{}}
}

// Holds tells whether a run may touch the notes of a session. updated is a
// time as the ledger has it.
func (s *Selection) Holds(session string, pr identity.Project, updated string) bool {
	if slices.ContainsFunc(s.scope.Excluded, pr.Matches) {
		s.leaveOut(session)
		return false
	}
	if len(s.scope.Projects) > 0 && !slices.ContainsFunc(s.scope.Projects, pr.Matches) {
		return false
	}
	return s.scope.Since.IsZero() || updated >= index.Stamp(s.scope.Since)
}

// HoldsAny tells whether a run may touch what belongs to several records together: all
// of them have one project, or none, which is then the person's.
func (s *Selection) HoldsAny(records []ledger.SessionRecord) bool {
	if records[0].Project == "" {
		return len(s.scope.Projects) == 0
	}
	return slices.ContainsFunc(records, func(c ledger.SessionRecord) bool {
		return s.Holds(c.ID, identity.ProjectFromKey(c.Project), c.Updated)
	})
}

// HoldsNote tells whether a run may touch a note; those of no session it may.
func (s *Selection) HoldsNote(row ledger.NoteRow) bool {
	return row.Session == "" || s.Holds(row.Session, identity.ProjectFromKey(row.Project), row.Updated)
}

// Excluded counts the sessions that were left out.
func (s *Selection) Excluded() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.excluded)
}

func (s *Selection) leaveOut(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.excluded[session] = true
}
