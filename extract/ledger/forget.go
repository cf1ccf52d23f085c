package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// KindForgotten is the kind of a record that stands for a session the user had
// forgotten. It says where the session worked, so that others are still told
// from it, and nothing of what was said.
const KindForgotten = "forgotten"

// Bare is the record without all that was said in the session.
func (s SessionRecord) Bare() SessionRecord {
	return SessionRecord{ID: s.ID, Kind: KindForgotten, Project: s.Project, OwnProject: s.OwnProject, Folder: s.Folder, IsGitRoot: s.IsGitRoot,
		Updated: s.Updated, Empty: true}
}

// DropLayers forgets what was read under an id.
func (l *Ledger) DropLayers(id string) error { return l.run("DELETE FROM layers WHERE session=?", id) }

// DropOpenTasks forgets the open tasks of a session note.
func (l *Ledger) DropOpenTasks(session string) error {
	return l.run("DELETE FROM open_tasks WHERE session=?", session)
}

// Projects returns the keys of all projects that a session or note belongs to.
func (l *Ledger) Projects() ([]string, error) {
	return l.texts("SELECT project FROM sessions WHERE project<>'' UNION SELECT project FROM notes WHERE project<>'' ORDER BY 1")
}

// Scrub leaves nothing of what was deleted in the files of the ledger: not in
// the log of what was written, nor in one that was quarantined as damaged. Within
// the database deleted bytes are overwritten at once, but rows that SQLite moved to
// make room leave copies between the others: it is written anew.
func (l *Ledger) Scrub() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.discard || l.inTx {
		return nil
	}
	for _, q := range []string{
		"PRAGMA temp_store=FILE", // a copy of what is left may be large
		"VACUUM", "PRAGMA temp_store=MEMORY", "PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if err := l.exec(q); err != nil {
			return fmt.Errorf("scrub ledger: %w", err)
		}
	}
	if l.file == "" {
		return nil
	}
	if err := os.Remove(l.file + damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("scrub ledger: %w", err)
	}
	return nil
}
