package scope

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// A folder may say, by a file of a certain name in it ([Select]), that the
// sessions at work there or below are to be left out: nothing more of them gets
// into the vault. Notes that stand there stay as they are. It is asked when a
// session is to be rendered, and once a run of each folder that said so.

// Ignored names the folders whose sessions are left out, and counts these.
func (s *Selection) Ignored() []report.IgnoredFolder {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []report.IgnoredFolder{}
	for _, folder := range slices.Sorted(maps.Keys(s.ignored)) {
		out = append(out, report.IgnoredFolder{Folder: folder, Sessions: len(s.ignored[folder])})
	}
	return out
}

// LoadIgnored asks the folders again that had sessions left out. It hands those that
// are so no longer to back.
func (s *Selection) LoadIgnored(back func(session string) error) error {
	s.mu.Lock()
	s.ignored, s.asked = map[string][]string{}, map[string]bool{}
	s.mu.Unlock()
	before, err := s.ledger.IgnoredSessions()
	if err != nil || len(before) == 0 {
		return err
	}
	if err := s.ledger.DropIgnored(); err != nil {
		return err
	}
	for _, i := range before {
		if s.ignores(i.Folder) {
			err = s.Ignore(i)
		} else {
			err = back(i.Session)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Ignore keeps that a folder has a session left out.
func (s *Selection) Ignore(i ledger.Ignored) error {
	s.mu.Lock()
	s.excluded[i.Session] = true
	if !slices.Contains(s.ignored[i.Folder], i.Session) {
		s.ignored[i.Folder] = append(s.ignored[i.Folder], i.Session)
	}
	s.mu.Unlock()
	return s.ledger.PutIgnored(i)
}

// AsksFolders tells whether folders are asked at all.
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

// IgnoredBy names the folder that has what worked at a place left out, empty
// where none has.
func (s *Selection) IgnoredBy(place sources.Place) string {
	if s.asks == nil {
		return ""
	}
	for _, folder := range append([]string{place.Cwd, place.GitRoot}, place.Folders...) {
		if !filepath.IsAbs(folder) || strings.HasPrefix(filepath.ToSlash(folder), "//") { // not of this machine
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
