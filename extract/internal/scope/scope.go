// Package scope decides which sessions a run may touch.
//
// Sessions that a folder excludes are still stored, masked, in the ledger, as evidence for grouping and
// projects.
package scope

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Scope limits a run; notes outside stay as they are.
type Scope struct {
	Sources  []string  `json:"sources,omitempty"`  // names; empty: all
	Projects []string  `json:"projects,omitempty"` // globs over project key and name; empty: all
	Excluded []string  `json:"excluded,omitempty"` // globs over project key and name
	Since    time.Time `json:"since,omitzero"`     // sessions updated since then; zero: all
}

// Selection says what a run may touch. It is safe for concurrent use.
type Selection struct {
	scope  Scope
	asks   func(folder string) bool // nil: no folder is checked
	ledger *ledger.Ledger

	mu       sync.Mutex
	excluded map[string]bool // excluded sessions
	asked    map[string]bool // results of folders
}

// Select limits a run. ignores reports whether a file in a folder of this machine excludes the sessions there
// and below; may be nil.
func Select(scope Scope, ignores func(folder string) bool, l *ledger.Ledger) *Selection {
	return &Selection{scope: scope, asks: ignores, ledger: l, excluded: map[string]bool{}, asked: map[string]bool{}}
}

// Holds reports whether a run may touch the notes of a session. updated is a time in the ledger's format.
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

// HoldsAny reports whether a run may touch something that records of one project share, or, without a
// project, something of the user's.
func (s *Selection) HoldsAny(records []ledger.SessionRecord) bool {
	if records[0].Project == "" {
		return len(s.scope.Projects) == 0
	}
	return slices.ContainsFunc(records, func(c ledger.SessionRecord) bool {
		return s.Holds(c.ID, identity.ProjectFromKey(c.Project), c.Updated)
	})
}

// HoldsNote reports whether a run may touch a note; those without a session it may.
func (s *Selection) HoldsNote(row ledger.NoteRow) bool {
	return row.Session == "" || s.Holds(row.Session, identity.ProjectFromKey(row.Project), row.Updated)
}

// Excluded counts the excluded sessions.
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

// A file in a folder may exclude the sessions there and below ([Select]): nothing more of them gets into the
// vault. Existing notes stay as they are. The folder is checked when a session is rendered, once a run if it
// excludes.

// Ignored lists the folders that an ignore file excludes, and counts their sessions.
func (s *Selection) Ignored() []report.IgnoredFolder {
	sessions := s.ledger.IgnoredSessions()
	out := []report.IgnoredFolder{}
	for _, i := range sessions { // in the order of their folders
		if len(out) == 0 || out[len(out)-1].Folder != i.Folder {
			out = append(out, report.IgnoredFolder{Folder: i.Folder})
		}
		out[len(out)-1].Sessions++
	}
	return out
}

// LoadIgnored checks again the folders with excluded sessions, and passes sessions that are no longer
// excluded to back.
func (s *Selection) LoadIgnored(back func(session string)) {
	before := s.ledger.IgnoredSessions()
	if len(before) == 0 {
		return
	}
	s.ledger.DropIgnored()
	for _, i := range before {
		if s.ignores(i.Folder) {
			s.Ignore(i)
		} else {
			back(i.Session)
		}
	}
}

// Ignore records that a folder excludes a session.
func (s *Selection) Ignore(i ledger.Ignored) {
	s.leaveOut(i.Session)
	s.ledger.PutIgnored(i)
}

// AsksFolders reports whether folders are checked at all.
func (s *Selection) AsksFolders() bool { return s.asks != nil }

// ignores checks a folder once a run.
func (s *Selection) ignores(folder string) bool {
	if s.asks == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	said, known := s.asked[folder]
	if !known {
		said = s.asks(folder)
		s.asked[folder] = said
	}
	return said
}

// IgnoredBy returns the folder that excludes sessions at a place, or "".
func (s *Selection) IgnoredBy(place sources.Place) string {
	if s.asks == nil {
		return ""
	}
	for _, folder := range append([]string{place.Cwd, place.GitRoot}, place.Folders...) {
		if !identity.IsHere(folder) {
			continue
		}
		for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
			if s.ignores(at) {
				return at
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return ""
}
