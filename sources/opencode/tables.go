package opencode

import (
	"context"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// The tables that are read.
const (
	tableSession   = "session"    // of version 1
	tableSessionV2 = "session_v2" // of version 2, beside the other or in its place
	tableMessage   = "message"
	tablePart      = "part"
	tableMessageV2 = "session_message" // whole messages: there are no parts
	tableTodo      = "todo"
	tableEvent     = "event"          // a log of all changes, also of what was deleted
	tableSequence  = "event_sequence" // how far that log is, for each session
)

// silent are the types of messages of version 2 that say nothing themselves: version 1 writes them
// beside its own messages.
const silent = "'agent-switched', 'model-switched', 'location-switched', 'system', 'idle'"

// tables are those of a database at one moment.
type tables struct{ *sqlite.DB }

// infoColumns are read of the row of a session.
var infoColumns = []string{"id", "parent_id", "directory", "title", "version", "agent", "revert", "permission", "fork_session_id", "time_created", "time_archived"}

// each gives the rows of a table by some columns, none where there is no such table.
func (t *tables) each(ctx context.Context, table, rest string, row func([]string), args []any, want ...string) error {
	columns, err := t.Columns(ctx, table)
	if err != nil || len(columns) == 0 {
		return err
	}
	return t.Each(ctx, sqlite.Select(columns, table, rest, want...), row, args...)
}

// info finds the row of a session: that of version 2 where there are messages of version 2.
func (t *tables) info(ctx context.Context, id string) (found *info, err error) {
	isV2 := false
	err = t.each(ctx, tableMessageV2, "WHERE session_id = ?1 AND type NOT IN ("+silent+") LIMIT 1", func([]string) { isV2 = true }, []any{id}, "id")
	if err != nil {
		return nil, err
	}
	order := []string{tableSessionV2, tableSession} // the first that is found is taken
	if !isV2 {
		order = []string{tableSession, tableSessionV2}
	}
	for _, table := range order {
		err := t.each(ctx, table, "WHERE id = ?1", func(c []string) {
			if found == nil {
				found = infoOf(c)
			}
		}, []any{id}, infoColumns...)
		if err != nil {
			return nil, err
		}
	}
	if found != nil {
		found.IsV2 = isV2
	}
	return found, nil
}

func infoOf(c []string) *info {
	i := &info{ID: c[0], Parent: c[1], Directory: c[2], Title: c[3], Version: c[4], Agent: c[5], ForkOf: c[8]}
	i.Time.Created.Time, i.Time.Archived.Time = milliseconds(c[9]), milliseconds(c[10])
	if decode.Text(c[6], &i.Revert) != nil {
		i.Revert = revert{}
	}
	if decode.Text(c[7], &i.Permission) != nil {
		i.Permission = nil
	}
	return i
}

// messages gives the messages of a session in order, those of one version.
func (t *tables) messages(ctx context.Context, i *info, each func(record)) error {
	row := func(c []string) { each(record{id: c[0], kind: c[1], at: milliseconds(c[2]), data: c[3]}) }
	if i.IsV2 {
		return t.each(ctx, tableMessageV2, "WHERE session_id = ?1 ORDER BY seq", row, []any{i.ID}, "id", "type", "time_created", "data")
	}
	return t.each(ctx, tableMessage, "WHERE session_id = ?1 ORDER BY time_created, id", row, []any{i.ID}, "id", "", "time_created", "data")
}

// parts gives the parts of a message of version 1 in order.
func (t *tables) parts(ctx context.Context, message string, each func(record)) error {
	return t.each(ctx, tablePart, "WHERE message_id = ?1 ORDER BY id", func(c []string) { each(record{id: c[0], data: c[1]}) }, []any{message}, "id", "data")
}

// todos gives the agent's list; known is false where it is kept nowhere but in calls.
func (t *tables) todos(ctx context.Context, i *info) (list []todo, known bool, err error) {
	columns, err := t.Columns(ctx, tableTodo)
	if err != nil || len(columns) == 0 {
		return nil, false, err
	}
	err = t.each(ctx, tableTodo, "WHERE session_id = ?1 ORDER BY position", func(c []string) {
		list = append(list, todo{tools.Todo{Content: c[0], Status: c[1]}, milliseconds(c[2])})
	}, []any{i.ID}, "content", "status", "time_updated")
	return list, !i.IsV2 || len(list) > 0, err
}

// maxTries bounds how many copied messages are looked for in other sessions.
const maxTries = 20

// origin finds the session that another one was forked from, which version 1 does not tell: the
// copies have the times of what was copied. Of several sessions that have the newest of these the
// oldest is it. It may have taken back some of them since.
func (t *tables) origin(ctx context.Context, i *info) (id string, err error) {
	if i.IsV2 {
		if i.ForkOf != "" {
			err = t.each(ctx, tableMessageV2, "WHERE session_id = ?1 LIMIT 1", func([]string) { id = i.ForkOf }, []any{i.ForkOf}, "id")
		}
		return id, err
	}
	var copied []string // the newest first
	err = t.each(ctx, tableMessage, "WHERE session_id = ?1 AND time_created < ?2 ORDER BY time_created DESC", func(c []string) {
		if len(copied) < maxTries {
			copied = append(copied, c[0])
		}
		copied[len(copied)-1] = c[0] // the oldest too
	}, []any{i.ID, i.Time.Created.UnixMilli()}, "time_created")
	const rest = `AS s WHERE directory = ?1 AND id <> ?2 AND time_created <= ?3
		AND EXISTS (SELECT 1 FROM message m WHERE m.session_id = s.id AND m.time_created = ?3) ORDER BY time_created, id LIMIT 1`
	for _, at := range copied {
		if id == "" && err == nil {
			ms, _ := decode.Number(at)
			err = t.each(ctx, tableSession, rest, func(c []string) { id = c[0] }, []any{i.Directory, i.ID, ms}, "id")
		}
	}
	return id, err
}

// undone gives what was removed of a session, in order: the log of events still has it.
func (t *tables) undone(ctx context.Context, i *info) ([]removed, error) {
	gone := map[string]*removed{}
	read := func(kind string, row func(e *event)) error {
		return t.each(ctx, tableEvent, "WHERE aggregate_id = ?1 AND type >= ?2 AND type < ?3 ORDER BY type, seq", func(c []string) {
			var e event
			if decode.Text(c[0], &e) == nil {
				row(&e)
			}
		}, []any{i.ID, kind + ".", kind + "/"}, "data")
	}
	err := read("message.removed", func(e *event) { gone[e.MessageID] = &removed{} })
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	err = t.each(ctx, tableMessage, "WHERE session_id = ?1", func(c []string) { delete(gone, c[0]) }, []any{i.ID}, "id") // it came back
	if err == nil {
		err = read("message.updated", func(e *event) {
			if r := gone[e.Info.ID]; r != nil {
				r.message = e.Info
			}
		})
	}
	if err == nil {
		err = read("message.part.updated", func(e *event) {
			if r := gone[e.Part.MessageID]; r != nil {
				r.add(e.Part)
			}
		})
	}
	return inOrder(gone), err
}
