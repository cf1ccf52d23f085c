package copilotcli

import (
	"context"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// readTodos reads the agent's own list out of session.db. The file holds other
// tables too, and may lack this one.
func (r *reading) readTodos(ctx context.Context) error {
	layer := sources.Layer{Name: layerTodos, Rank: sources.RankSidecar}
	return r.Layer(ctx, layer, partTodos, func(la *sources.Layer, path string) error {
		todos, found, err := todosOf(ctx, path, r.src.cfg.TempDir)
		if err != nil {
			return err
		}
		p, _ := r.Item.Part(partTodos)
		r.Out.BytesRead += p.Stamp.Size
		if found {
			la.Session = &sources.Session{Todos: todos}
		}
		return nil
	})
}

// todosOf reads the list in the order it was written. found is false where the
// database has no such table.
func todosOf(ctx context.Context, path, tempDir string) (todos []sources.Todo, found bool, err error) {
	db, err := sqlite.Open(ctx, path, tempDir)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = db.Close() }()
	columns, err := db.Columns(ctx, "todos")
	if err != nil || !columns["id"] && !columns["title"] {
		return nil, false, err
	}
	at := map[string]int{}
	err = db.Each(ctx, sqlite.Select(columns, "todos", "", "id", "title", "description", "status", "updated_at", "created_at"),
		func(c []string) {
			t := sources.Todo{ID: c[0], Title: c[1], Description: c[2], Origin: partTodos, At: words.Time(c[4])}
			t.Status, t.Raw = todoStatus(c[3])
			if t.At.IsZero() {
				t.At = words.Time(c[5])
			}
			at[t.ID] = len(todos)
			todos = append(todos, t)
		})
	if err != nil {
		return nil, false, err
	}
	if columns, err = db.Columns(ctx, "todo_deps"); err != nil {
		return nil, false, err
	}
	if columns["todo_id"] && columns["depends_on"] {
		err = db.Each(ctx, sqlite.Select(columns, "todo_deps", "", "todo_id", "depends_on"), func(c []string) {
			if i, ok := at[c[0]]; ok && c[1] != "" {
				todos[i].After = append(todos[i].After, c[1])
			}
		})
	}
	for i := range todos {
		slices.Sort(todos[i].After)
	}
	return todos, true, firstError(err, db.Unchanged())
}

// todoStatus maps the CLI's states; one it does not know is open.
func todoStatus(raw string) (status, as string) {
	switch strings.ToLower(strings.TrimSpace(raw)) {
	case "done", "completed", "complete":
		return sources.TodoDone, raw
	case "in_progress", "in-progress":
		return sources.TodoInProgress, raw
	case "blocked":
		return sources.TodoBlocked, raw
	default:
		return sources.TodoOpen, raw
	}
}
