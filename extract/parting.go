package extract

import (
	"context"
	"errors"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// What a fork inherited can be told from its own as long as its parent is known.
// A parent that is forgotten is therefore let go only when the notes of its forks
// were written once more: they do not name it any longer, and stay as they are
// from then on.

// hasForks tells whether notes that stay were made of forks of a session, and has
// them written once more.
func (p *pass) hasForks(session string) (bool, error) {
	rows, err := p.Ledger.NotesWithKey("fork:" + session)
	if err != nil || p.Mode.NotesOff {
		return false, err
	}
	found := false
	for _, r := range rows {
		if r.Type != names.TypeSession || index.ForgottenNote(p.Vault, r) || !p.notes.Writable(r) {
			continue
		}
		found = true
		if err := p.queue.Mark(ledger.DueSession, r.Session); err != nil {
			return false, err
		}
	}
	return found, nil
}

// letParentsGo purges the sessions that were left for their forks' sake.
func (p *pass) letParentsGo(ctx context.Context) error {
	if len(p.forget.parting) == 0 {
		return nil
	}
	err := p.Ledger.Begin()
	for _, c := range p.forget.parting {
		err = errors.Join(err, p.purgeSession(c))
	}
	p.forget.parting = nil
	if err = errors.Join(err, p.notes.Commit()); err != nil {
		return err
	}
	return p.writeNotes(ctx)
}
