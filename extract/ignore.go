package extract

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// A folder may say, by a file of a certain name in it (Sync.Ignored), that the
// sessions at work there or below are to be left out: nothing more of them gets
// into the vault. Notes that stand there stay as they are. It is asked when a
// session is to be rendered, and once a pass of each folder that said so.

// ignoredFolders are the ids of sessions by the folder that has them left out,
// and what was asked in this pass.
type ignoredFolders struct {
	sessions map[string][]string
	asked    map[string]bool
}

func (f ignoredFolders) report() []IgnoredFolder {
	out := []IgnoredFolder{}
	for _, folder := range slices.Sorted(maps.Keys(f.sessions)) {
		out = append(out, IgnoredFolder{Folder: folder, Sessions: len(f.sessions[folder])})
	}
	return out
}

// loadIgnored makes due what is no longer left out.
func (p *pass) loadIgnored() error {
	p.ignored = ignoredFolders{sessions: map[string][]string{}, asked: map[string]bool{}}
	before, err := p.Ledger.IgnoredSessions()
	if err != nil || len(before) == 0 {
		return err
	}
	if err := p.Ledger.DropIgnored(); err != nil {
		return err
	}
	for _, i := range before {
		if p.asks(i.Folder) {
			err = p.leave(i)
		} else {
			err = p.queue.Mark(ledger.DueSession, i.Session)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) leave(i ledger.Ignored) error {
	p.excluded[i.Session] = true
	if !slices.Contains(p.ignored.sessions[i.Folder], i.Session) {
		p.ignored.sessions[i.Folder] = append(p.ignored.sessions[i.Folder], i.Session)
	}
	return p.Ledger.PutIgnored(i)
}

// asks asks once a pass.
func (p *pass) asks(folder string) bool {
	if p.Ignored == nil {
		return false
	}
	said, known := p.ignored.asked[folder]
	if !known {
		said = p.Ignored(folder)
		if p.ignored.asked == nil {
			p.ignored.asked = map[string]bool{}
		}
		p.ignored.asked[folder] = said
	}
	return said
}

// ignoredBy names the folder that has what worked at a place left out, empty
// where none has.
func (p *pass) ignoredBy(place sources.Place) string {
	if p.Ignored == nil {
		return ""
	}
	for _, folder := range append([]string{place.Cwd, place.GitRoot}, place.Folders...) {
		if !filepath.IsAbs(folder) || strings.HasPrefix(filepath.ToSlash(folder), "//") { // not of this machine
			continue
		}
		for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
			if p.asks(at) {
				return at
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return ""
}

// leaveOut sees to a session that is not to be rendered because of its folder.
// Only links of the notes it has are kept up to date.
func (p *pass) leaveOut(id string, place sources.Place) (bool, error) {
	folder := p.ignoredBy(place)
	if folder == "" {
		return false, nil
	}
	return true, errors.Join(p.leave(ledger.Ignored{Folder: folder, Session: id}), p.notes.DropPlanned(id), p.queue.MarkNavs(id, nil), p.queue.Done(ledger.DueSession, id))
}

// shelvesLeftOut does the same for the memory of a project: a shelf may not know
// the folder, so those of the project's sessions are asked.
func (p *pass) shelvesLeftOut(card ledger.SessionRow, shelves []ledger.SessionRow) (bool, error) {
	if p.Ignored == nil || card.Project == "" {
		return false, nil
	}
	cards, err := p.Ledger.SessionsIn(card.Project)
	if err != nil {
		return false, err
	}
	seen := map[string]bool{}
	for _, c := range append(slices.Clone(shelves), cards...) {
		if seen[c.Kind+c.Folder] && c.Folder != "" || c.Kind == ledger.KindForgotten {
			continue
		}
		seen[c.Kind+c.Folder] = true
		m, err := p.mergedAlone(c.ID)
		if err != nil {
			return false, err
		}
		if left, err := p.leaveOut(card.ID, m.Session.Place); left || err != nil {
			return left, err
		}
	}
	return false, nil
}
