package copilotcli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// readTodos reads the agent's own list out of session.db, in the order it was written.
// The file holds other tables too, and may lack this one.
func (r *reading) readTodos(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTodos, Rank: sources.RankSidecar}, partTodos, func(la *sources.Layer, path string) error {
		p, _ := r.Item.Part(partTodos)
		r.Out.BytesRead += p.Stamp.Size
		list := sqlite.Snapshot{Path: path, TempDir: r.cfg.TempDir}
		err := list.View(ctx, func(db *sqlite.DB) (err error) {
			la.Session, err = todosOf(ctx, db)
			return err
		})
		return errors.Join(err, list.Close())
	})
}

// todosOf is a session of nothing but its list, nil where the database has no such table.
func todosOf(ctx context.Context, db *sqlite.DB) (*sources.Session, error) {
	columns, err := db.Columns(ctx, "todos")
	if err != nil || !columns["id"] && !columns["title"] {
		return nil, err
	}
	s := &sources.Session{}
	q := sqlite.Select(columns, "todos", "", "id", "title", "description", "status", "updated_at", "created_at")
	err = db.Each(ctx, q, func(c []string) {
		t := sources.Todo{ID: c[0], Title: c[1], Description: c[2], Status: todoStatus(c[3]), Raw: c[3], Origin: partTodos, At: words.Time(c[4])}
		if t.At.IsZero() {
			t.At = words.Time(c[5])
		}
		s.Todos = append(s.Todos, t)
	})
	return s, errors.Join(err, dependencies(ctx, db, s.Todos))
}

// dependencies notes which entries depend on which others.
func dependencies(ctx context.Context, db *sqlite.DB, todos []sources.Todo) error {
	columns, err := db.Columns(ctx, "todo_deps")
	if err != nil || !columns["todo_id"] || !columns["depends_on"] {
		return err
	}
	return db.Each(ctx, sqlite.Select(columns, "todo_deps", "ORDER BY 2", "todo_id", "depends_on"), func(c []string) {
		i := slices.IndexFunc(todos, func(t sources.Todo) bool { return t.ID == c[0] })
		if i >= 0 && c[1] != "" {
			todos[i].After = append(todos[i].After, c[1])
		}
	})
}

// todoStatus maps the CLI's states; one it does not know is open.
func todoStatus(raw string) string {
	switch strings.ToLower(strings.TrimSpace(raw)) {
	case "done", "completed", "complete":
		return sources.TodoDone
	case "in_progress", "in-progress":
		return sources.TodoInProgress
	case "blocked":
		return sources.TodoBlocked
	}
	return sources.TodoOpen
}
