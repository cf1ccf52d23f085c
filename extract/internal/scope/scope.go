// Package scope decides which sessions a run may touch.
//
// What a folder leaves out is kept, masked, in the ledger: else nobody would know to which
// session and project it belongs.
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
	excluded map[string]bool // sessions that are left out
	asked    map[string]bool // what folders said
}

// Select limits a run. ignores reports whether a folder of this machine holds a file
// that says to leave out the sessions at work there or below; nil: none does.
func Select(scope Scope, ignores func(folder string) bool, l *ledger.Ledger) *Selection {
	return &Selection{scope: scope, asks: ignores, ledger: l, excluded: map[string]bool{}, asked: map[string]bool{}}
}

// Holds reports whether a run may touch the notes of a session. updated is a
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

// HoldsAny reports whether a run may touch something that several records share: they all have the
// same project, or none if it is the person's.
func (s *Selection) HoldsAny(records []ledger.SessionRecord) bool {
	if records[0].Project == "" {
		return len(s.scope.Projects) == 0
	}
	return slices.ContainsFunc(records, func(c ledger.SessionRecord) bool {
		return s.Holds(c.ID, identity.ProjectFromKey(c.Project), c.Updated)
	})
}

// HoldsNote reports whether a run may touch a note; those of no session it may.
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

// A folder may say, by a file of a certain name in it ([Select]), that the
// sessions at work there or below are to be left out: nothing more of them gets
// into the vault. Notes that are there stay as they are. It is asked when a
// session is to be rendered, and once a run of each folder that said so.

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

// LoadIgnored asks the folders again that had sessions left out. It hands those that
// are so no longer to back.
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

// Ignore keeps that a folder has a session left out.
func (s *Selection) Ignore(i ledger.Ignored) {
	s.leaveOut(i.Session)
	s.ledger.PutIgnored(i)
}

// AsksFolders reports whether folders are asked at all.
func (s *Selection) AsksFolders() bool { return s.asks != nil }

// ignores asks a folder once a run.
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

// IgnoredBy names the folder that has what worked at a place left out, empty if none has.
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
