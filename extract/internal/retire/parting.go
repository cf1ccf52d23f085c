package retire

import (
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
func (f *Forgetter) hasForks(session string) (bool, error) {
	rows, err := f.notes.Ledger.NotesWithKey("fork:" + session)
	if err != nil || f.notesOff {
		return false, err
	}
	found := false
	for _, r := range rows {
		if r.Type != names.TypeSession || index.ForgottenNote(f.vault, r) || !f.notes.Writable(r) {
			continue
		}
		found = true
		if err := f.notes.Queue.Mark(ledger.DueSession, r.Session); err != nil {
			return false, err
		}
	}
	return found, nil
}

// LetParentsGo purges the sessions that were left for their forks' sake. It tells whether
// something is due by it.
func (f *Forgetter) LetParentsGo() (due bool, err error) {
	if len(f.parting) == 0 {
		return false, nil
	}
	if err := f.notes.Ledger.Begin(); err != nil {
		return false, err
	}
	for _, c := range f.parting {
		if err := f.purgeSession(c); err != nil {
			return false, err
		}
	}
	f.parting = nil
	return true, f.notes.Commit()
}
