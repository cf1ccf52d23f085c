package claudecode

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// todoList takes in the whole list of versions before 2.1.
func (p *parser) todoList(c *call, r *record) {
	if c.input.Todos != nil {
		list := todosOf(c.input.Todos, r.Timestamp.Time)
		c.turn.todos = &list
	}
}

// todosOf is a list in the form of the model.
func todosOf(list []todo, at time.Time) (out []sources.Todo) {
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

// taskEvent is a change of one entry of the list of version 2.1.
type taskEvent struct {
	turn *turn
	at   time.Time
	task
}

// taskChanged takes in a change of an entry.
func (p *parser) taskChanged(c *call, r *record) {
	e := taskEvent{turn: c.turn, at: r.Timestamp.Time, task: task{ID: c.input.TaskID, Subject: c.input.Subject,
		Description: c.input.Description, Status: c.input.Status, BlockedBy: c.input.BlockedBy}}
	if c.name == "TaskCreate" {
		e.ID, e.Status = r.ToolUseResult.Task.ID, "pending"
	}
	if e.ID.Text != "" {
		p.tasks = append(p.tasks, e)
	}
}

// tasksOf is the list as the changes leave it, but for those that were taken back.
func tasksOf(events []taskEvent) (out []sources.Todo) {
	for _, e := range events {
		if e.turn.dead {
			continue
		}
		i := slices.IndexFunc(out, func(t sources.Todo) bool { return t.ID == e.ID.Text })
		switch {
		case e.Status == "deleted" && i >= 0:
			out = slices.Delete(out, i, i+1)
		case e.Status == "deleted":
		case i >= 0:
			update(&out[i], e)
		default:
			out = append(out, todoOf(e.task, e.at))
		}
	}
	return out
}

// update takes a change into an entry.
func update(t *sources.Todo, e taskEvent) {
	now := todoOf(e.task, e.at)
	t.Title, t.Description, t.At = cmp.Or(now.Title, t.Title), cmp.Or(now.Description, t.Description), e.at
	t.After = append(t.After, now.After...)
	if now.Raw != "" {
		t.Status, t.Raw = now.Status, now.Raw
	}
}

// todoOf is an entry in the form of the model.
func todoOf(t task, at time.Time) sources.Todo {
	return sources.Todo{ID: t.ID.Text, Title: words.OneLine(t.Subject, len(t.Subject)+1), Status: words.TodoStatus(t.Status), Raw: t.Status,
		Origin: "tasks", Description: t.Description, After: slices.Clone(t.BlockedBy), At: at}
}
