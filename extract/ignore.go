package extract

import (
	"encoding/json"
	"errors"
	"fmt"
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

// markIgnored is what the last pass left out.
const markIgnored = "ignored"

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
	b, err := p.Ledger.Meta(markIgnored)
	if err != nil || len(b) == 0 {
		return err
	}
	before := map[string][]string{}
	if err := json.Unmarshal(b, &before); err != nil {
		return fmt.Errorf("read what is left out: %w", err)
	}
	for _, folder := range slices.Sorted(maps.Keys(before)) {
		for _, id := range before[folder] {
			if p.asks(folder) {
				p.leave(folder, id)
			} else if err := p.due.mark(ledger.DueSession, id); err != nil {
				return err
			}
		}
	}
	return p.storeIgnored()
}

func (p *pass) leave(folder, id string) {
	p.excluded[id] = true
	if !slices.Contains(p.ignored.sessions[folder], id) {
		p.ignored.sessions[folder] = append(p.ignored.sessions[folder], id)
		slices.Sort(p.ignored.sessions[folder])
	}
}

func (p *pass) storeIgnored() error {
	if len(p.ignored.sessions) == 0 {
		return p.Ledger.SetMeta(markIgnored, nil)
	}
	b, err := json.Marshal(p.ignored.sessions)
	if err != nil {
		return fmt.Errorf("remember what is left out: %w", err)
	}
	return p.Ledger.SetMeta(markIgnored, b)
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
	p.leave(folder, id)
	return true, errors.Join(p.storeIgnored(), p.dropPlanned(id), p.navsDue(id, nil), p.due.done(ledger.DueSession, id))
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
