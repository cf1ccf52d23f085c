package lines

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Todos is a list in the form of the model.
func Todos(list []Todo, at time.Time) (out []sources.Todo) {
	for i, n := range list {
		title := words.OneLine(n.Content, len(n.Content)+1)
		if title == "" {
			continue
		}
		out = append(out, sources.Todo{ID: cmp.Or(n.ID.Text, strconv.Itoa(i+1)), Title: title,
			Status: words.TodoStatus(n.Status), Raw: n.Status, Origin: "todo list", At: at})
	}
	return out
}

// Todo is an entry in the form of the model.
func (t Task) Todo(at time.Time) sources.Todo {
	return sources.Todo{ID: t.ID.Text, Title: words.OneLine(t.Subject, len(t.Subject)+1), Status: words.TodoStatus(t.Status), Raw: t.Status,
		Origin: "tasks", Description: t.Description, After: slices.Clone(t.BlockedBy), At: at}
}
