package transcript

import (
	"cmp"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
)

// change is what a call does to the list of version 2.1 if it succeeds.
func change(name string, in *lines.Input, r *lines.Record) sources.Todo {
	task := lines.Task{ID: in.TaskID, Subject: in.Subject, Description: in.Description, Status: in.Status, BlockedBy: in.BlockedBy}
	if name == "TaskCreate" {
		task.ID, task.Status = r.ToolUseResult.Task.ID, "pending"
	}
	return task.Todo(r.Timestamp.Time)
}

// tasksOf is the list as the changes leave it, but for those that were taken back.
func tasksOf(changes []noted[sources.Todo]) (out []sources.Todo) {
	for _, c := range changes {
		if c.turn.dead || c.what.ID == "" {
			continue
		}
		i := slices.IndexFunc(out, func(t sources.Todo) bool { return t.ID == c.what.ID })
		switch {
		case c.what.Raw == "deleted" && i >= 0:
			out = slices.Delete(out, i, i+1)
		case c.what.Raw == "deleted":
		case i >= 0:
			update(&out[i], c.what)
		default:
			out = append(out, c.what)
		}
	}
	return out
}

// update takes a change into an entry.
func update(t *sources.Todo, now sources.Todo) {
	t.Title, t.Description, t.At = cmp.Or(now.Title, t.Title), cmp.Or(now.Description, t.Description), now.At
	t.After = append(t.After, now.After...)
	if now.Raw != "" {
		t.Status, t.Raw = now.Status, now.Raw
	}
}
