package publish

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// leaveOut sees to a session that is not to be rendered because of its folder.
// Only links of the notes it has are kept up to date.
func (p *Publisher) leaveOut(id string, place sources.Place) (bool, error) {
	folder := p.Scope.IgnoredBy(place)
	if folder == "" {
		return false, nil
	}
	if err := p.Scope.Ignore(ledger.Ignored{Folder: folder, Session: id}); err != nil {
		return true, err
	}
	if err := p.Notes.DropPlanned(id); err != nil {
		return true, err
	}
	if err := p.Notes.Queue.MarkNavs(id, nil); err != nil {
		return true, err
	}
	return true, p.Notes.Queue.Done(ledger.DueSession, id)
}

// memoryLeftOut does the same for the memory of a project: a memory may not know
// the folder, so those of the project's sessions are asked.
func (p *Publisher) memoryLeftOut(record ledger.SessionRecord, memories []ledger.SessionRecord) (bool, error) {
	if !p.Scope.AsksFolders() || record.Project == "" {
		return false, nil
	}
	records, err := p.Notes.Ledger.SessionsIn(record.Project)
	if err != nil {
		return false, err
	}
	seen := map[string]bool{}
	for _, c := range append(slices.Clone(memories), records...) {
		if seen[c.Kind+c.Folder] && c.Folder != "" || c.Kind == ledger.KindForgotten {
			continue
		}
		seen[c.Kind+c.Folder] = true
		m, err := p.Loader.Alone(c.ID)
		if err != nil {
			return false, err
		}
		if left, err := p.leaveOut(record.ID, m.Session.Place); left || err != nil {
			return left, err
		}
	}
	return false, nil
}
