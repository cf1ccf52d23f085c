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

// OpenTask is one open task of a project, as last worked out.
type OpenTask struct {
	Project string
	At      string
	Session string // id of the session note
	Text    string
}

// PutOpenTasks replaces the open tasks of a project.
func (l *Ledger) PutOpenTasks(project string, threads []OpenTask) error {
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

func (l *Ledger) taskRows(where string, args ...any) ([]OpenTask, error) {
	return list(l, func(t *OpenTask) []any { return []any{&t.Project, &t.At, &t.Session, &t.Text} },
		"SELECT project, at, session, text FROM open_tasks "+where, args...)
}

// OpenTasksOf returns the open tasks of a project as last put.
func (l *Ledger) OpenTasksOf(project string) ([]OpenTask, error) {
	return l.taskRows("WHERE project=? ORDER BY rowid", project)
}

// OpenTasksLeft returns those of the open tasks of a project that some session notes left.
func (l *Ledger) OpenTasksLeft(project string, notes []string) ([]OpenTask, error) {
	ids, err := json.Marshal(notes)
	if err != nil {
		return nil, fmt.Errorf("name notes: %w", err)
	}
	return l.taskRows("WHERE +project=? AND session IN (SELECT value FROM json_each(?)) ORDER BY rowid", project, string(ids))
}

// LatestOpenTasks returns the newest open tasks of all projects and how many there are.
func (l *Ledger) LatestOpenTasks(limit int) (threads []OpenTask, total int, err error) {
	if total, err = l.count("SELECT count(*) FROM open_tasks"); err != nil {
		return nil, 0, err
	}
	threads, err = l.taskRows("ORDER BY at DESC, session, text LIMIT ?", limit)
	return threads, total, err
}

// OpenCount returns how many open tasks a session note has.
func (l *Ledger) OpenCount(session string) (int, error) {
	return l.count("SELECT count(*) FROM open_tasks WHERE session=?", session)
}
