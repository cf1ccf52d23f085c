package ledger

import (
	"encoding/json"
	"fmt"
)

// Kinds of what is due.
const (
	DueSession = "session" // id of a session: all its notes
	DuePage    = "page"    // id of a note made of facts
	DueNav     = "nav"     // id of a note: its navigation
)

// MarkDue remembers that something must be rendered.
func (l *Ledger) MarkDue(kind, id string) error {
	return l.run("INSERT OR IGNORE INTO render_queue(kind, id) VALUES(?,?)", kind, id)
}

// Done forgets that something was due.
func (l *Ledger) Done(kind, id string) error {
	return l.run("DELETE FROM render_queue WHERE kind=? AND id=?", kind, id)
}

// Due returns what is due of a kind, sorted.
func (l *Ledger) Due(kind string) ([]string, error) {
	return l.texts("SELECT id FROM render_queue WHERE kind=? ORDER BY id", kind)
}

// Thread is one open end of a project, as last worked out.
type Thread struct {
	Project string
	At      string
	Session string // id of the session note
	Text    string
}

// PutThreads replaces the open ends of a project.
func (l *Ledger) PutThreads(project string, threads []Thread) error {
	if err := l.run("DELETE FROM open_tasks WHERE project=?", project); err != nil {
		return err
	}
	for _, t := range threads {
		if err := l.run("INSERT INTO open_tasks(project, at, session, text) VALUES(?,?,?,?)", project, t.At, t.Session, t.Text); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) threadRows(where string, args ...any) ([]Thread, error) {
	return list(l, func(t *Thread) []any { return []any{&t.Project, &t.At, &t.Session, &t.Text} },
		"SELECT project, at, session, text FROM open_tasks "+where, args...)
}

// ThreadsOf returns the open ends of a project as last put.
func (l *Ledger) ThreadsOf(project string) ([]Thread, error) {
	return l.threadRows("WHERE project=? ORDER BY rowid", project)
}

// ThreadsLeft returns those of the open ends of a project that some session notes left.
func (l *Ledger) ThreadsLeft(project string, notes []string) ([]Thread, error) {
	ids, err := json.Marshal(notes)
	if err != nil {
		return nil, fmt.Errorf("name notes: %w", err)
	}
	return l.threadRows("WHERE +project=? AND session IN (SELECT value FROM json_each(?)) ORDER BY rowid", project, string(ids))
}

// Threads returns the newest open ends of all projects and how many there are.
func (l *Ledger) Threads(limit int) (threads []Thread, total int, err error) {
	if _, err = l.one([]any{&total}, "SELECT count(*) FROM open_tasks"); err != nil {
		return nil, 0, err
	}
	threads, err = l.threadRows("ORDER BY at DESC, session, text LIMIT ?", limit)
	return threads, total, err
}

// OpenCount returns how many open ends a session note has.
func (l *Ledger) OpenCount(session string) (int, error) {
	var n int
	_, err := l.one([]any{&n}, "SELECT count(*) FROM open_tasks WHERE session=?", session)
	return n, err
}
