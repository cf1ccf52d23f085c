package opencode

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// sessionTables have the sessions: version 2's exists beside the other, or in its place.
var sessionTables = []string{"session", "session_v2"}

// infoColumns are the columns read of a session's row.
var infoColumns = []string{"id", "parent_id", "directory", "title", "agent", "revert", "permission", "fork_session_id", "time_created", "time_archived"}

type tables struct{ *sqlite.DB }

// each calls row with rows of a table by some columns, none if the table is missing.
func (t *tables) each(ctx context.Context, table, rest string, row func([]string), args []any, want ...string) error {
	columns, err := t.Columns(ctx, table)
	if err != nil || len(columns) == 0 {
		return err
	}
	return t.Each(ctx, sqlite.Select(columns, table, rest, want...), row, args...)
}

// newest returns SQL for the time of a session's newest message with words, in the tables of versions 1 and
// 2; NULL if there is none. Either version writes rows beside the messages of the other: chosen agents and
// models, and messages without parts.
func (t *tables) newest(ctx context.Context, session string) (v1, v2 string, err error) {
	messages, err := t.Columns(ctx, "message")
	parts, perr := t.Columns(ctx, "part")
	whole, werr := t.Columns(ctx, "session_message")
	v1, v2 = "NULL", "NULL"
	if messages["session_id"] && parts["message_id"] {
		v1 = `(SELECT m.time_created FROM message m WHERE m.session_id = ` + session + `
			AND EXISTS (SELECT 1 FROM part p WHERE p.message_id = m.id) ORDER BY m.time_created DESC LIMIT 1)`
	}
	if whole["session_id"] {
		v2 = `(SELECT m.time_created FROM session_message m WHERE m.session_id = ` + session + `
			AND m.type IN ('user', 'assistant', 'shell', 'compaction') ORDER BY m.seq DESC LIMIT 1)`
	}
	return v1, v2, errors.Join(err, perr, werr)
}

// info finds the row of a session, in the version with its newest words.
func (t *tables) info(ctx context.Context, id string) (found *info, err error) {
	v1, v2, err := t.newest(ctx, "?1")
	spoke1, spoke2 := int64(0), int64(0)
	err = cmp.Or(err, t.Each(ctx, "SELECT "+v1+", "+v2+" WHERE ?1 <> ''", func(c []string) {
		spoke1, _ = decode.Number(c[0])
		spoke2, _ = decode.Number(c[1])
	}, id))
	if err != nil {
		return nil, err
	}
	isV2 := spoke2 > 0 && spoke2 >= spoke1
	order := slices.Clone(sessionTables) // the first one found is used
	if isV2 {
		slices.Reverse(order)
	}
	for _, table := range order {
		err = cmp.Or(err, t.each(ctx, table, "WHERE id = ?1", func(c []string) {
			i := &info{ID: c[0], Parent: c[1], Directory: c[2], Title: c[3], Agent: c[4], ForkOf: c[7], IsV2: isV2 || spoke1 == 0 && table == "session_v2"}
			i.Time.Created.Time, i.Time.Archived.Time = milliseconds(c[8]), milliseconds(c[9])
			_, _ = decode.Text(c[5], &i.Revert), decode.Text(c[6], &i.Permission) // invalid data is ignored
			found = cmp.Or(found, i)
		}, []any{id}, infoColumns...))
	}
	return found, err
}

// milliseconds returns a time from the format of all tables, or the zero time.
func milliseconds(text string) time.Time {
	if ms, ok := decode.Number(text); ok && ms > 0 && ms < 1<<53 {
		return sources.OnCalendar(time.UnixMilli(ms))
	}
	return time.Time{}
}

// records returns the messages of a session in order, the messages of one version, or the parts of one message.
func (t *tables) records(ctx context.Context, i *info, message string, each func(record)) error {
	if message != "" {
		return t.each(ctx, "part", "WHERE message_id = ?1 ORDER BY id", func(c []string) { each(record{id: c[0], data: c[1]}) }, []any{message}, "id", "data")
	}
	table, rest := "message", "WHERE session_id = ?1 ORDER BY time_created, id"
	if i.IsV2 {
		table, rest = "session_message", "WHERE session_id = ?1 ORDER BY seq"
	}
	row := func(c []string) { each(record{id: c[0], data: c[1], at: milliseconds(c[2]), kind: c[3]}) }
	return t.each(ctx, table, rest, row, []any{i.ID}, "id", "data", "time_created", "type")
}

// todos returns the agent's list; known is false if only calls have it.
func (t *tables) todos(ctx context.Context, i *info) (list []sources.Todo, known bool, err error) {
	var all []tools.Todo
	var at time.Time // all are written at once
	columns, err := t.Columns(ctx, "todo")
	err = cmp.Or(err, t.each(ctx, "todo", "WHERE session_id = ?1 ORDER BY position", func(c []string) {
		all = append(all, tools.Todo{Title: c[0], Status: c[1]})
		if changed := milliseconds(c[2]); changed.After(at) {
			at = changed
		}
	}, []any{i.ID}, "content", "status", "time_updated"))
	return tools.Todos(all, at), len(columns) > 0 && (!i.IsV2 || len(all) > 0), err
}

// forked finds the session from which one was forked: copies keep the times of the originals. The newest one
// that another session of the folder still has identifies it, the oldest of several sessions.
const forked = `SELECT s.id FROM (
	SELECT at FROM (SELECT time_created AS at FROM message WHERE session_id = ?1 AND time_created < ?2 ORDER BY time_created DESC LIMIT 20)
	UNION SELECT min(time_created) FROM message WHERE session_id = ?1 AND time_created < ?2 HAVING count(*) > 0
) c CROSS JOIN session s CROSS JOIN message m WHERE s.directory = ?3 AND s.id <> ?1 AND s.time_created <= c.at
	AND m.session_id = s.id AND m.time_created = c.at ORDER BY c.at DESC, s.time_created, s.id LIMIT 1`

// origin finds the session that another one was forked from, which version 1 does not record.
func (t *tables) origin(ctx context.Context, i *info) (id string, err error) {
	if i.IsV2 {
		err = t.each(ctx, "session_message", "WHERE session_id = ?1 LIMIT 1", func([]string) { id = i.ForkOf }, []any{i.ForkOf}, "id")
		return id, err
	}
	if messages, err := t.Columns(ctx, "message"); err != nil || len(messages) == 0 {
		return "", err
	}
	err = t.Ask(ctx, "session", nil, forked, func(c []string) { id = c[0] }, i.ID, i.Time.Created.UnixMilli(), i.Directory)
	return id, err
}

// undone returns the removed messages of a session, in order: the log of events still has them.
func (t *tables) undone(ctx context.Context, i *info) (all []message, err error) {
	type event struct {
		MessageID string  `json:"messageID"`
		Info      message `json:"info"`
		Part      part    `json:"part"`
	}
	gone, parts := map[string]*message{}, map[string]map[string]part{} // removed messages and parts by id, in order of time
	read := func(kind string, row func(e *event)) {
		err = cmp.Or(err, t.each(ctx, "event", "WHERE aggregate_id = ?1 AND type >= ?2 AND type < ?3 ORDER BY type, seq", func(c []string) {
			var e event
			if decode.Text(c[0], &e) == nil {
				row(&e)
			}
		}, []any{i.ID, kind + ".", kind + "/"}, "data"))
	}
	read("message.removed", func(e *event) { gone[e.MessageID], parts[e.MessageID] = &message{}, map[string]part{} })
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	err = t.each(ctx, "message", "WHERE session_id = ?1", func(c []string) { delete(gone, c[0]) }, []any{i.ID}, "id") // it came back
	read("message.updated", func(e *event) {
		if m := gone[e.Info.ID]; m != nil {
			*m = e.Info
		}
	})
	read("message.part.updated", func(e *event) {
		if gone[e.Part.MessageID] != nil {
			parts[e.Part.MessageID][e.Part.ID] = e.Part
		}
	})
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		m := gone[id]
		for _, part := range slices.Sorted(maps.Keys(parts[id])) {
			m.Content = append(m.Content, parts[id][part])
		}
		if m.ID != "" {
			all = append(all, *m)
		}
	}
	return all, err
}

// digests change if the data of a session does: its row, its rows of tasks and messages, and the length of
// its log of events, which has every change to them.
func (t *tables) digests(ctx context.Context) (map[string]string, error) {
	all, facts, logged := map[string]string{}, map[string][]string{}, map[string]bool{}
	add := func(c []string) { facts[c[0]] = append(facts[c[0]], strings.Join(c[1:], "\x00")) }
	err := errors.Join(
		t.each(ctx, "session", "", add, nil, infoColumns...),
		t.each(ctx, "session_v2", "", add, nil, infoColumns...),
		t.each(ctx, "event_sequence", "", func(c []string) { logged[c[0]] = true; add(c) }, nil, "aggregate_id", "seq"))
	queries := map[bool]string{true: t.rowFacts(ctx, true), false: t.rowFacts(ctx, false)}
	for id := range facts {
		err = cmp.Or(err, t.Each(ctx, queries[logged[id]], func(c []string) { facts[id] = append(facts[id], c[0]) }, id))
		all[id] = files.Hash(facts[id]...)
	}
	return all, err
}

// rowFacts returns SQL for a fingerprint of a session's rows. Without a log, a part only changes while its
// message is written, and that is the newest.
func (t *tables) rowFacts(ctx context.Context, isLogged bool) string {
	query := "SELECT ?1"
	add := func(table, what, where string) {
		if columns, err := t.Columns(ctx, table); err != nil || len(columns) > 0 { // the query returns the error too
			query += " UNION ALL SELECT printf('" + table + " %s %s %s %s', " + what + ") FROM " + table + " WHERE " + where
		}
	}
	add("todo", "count(*), max(time_updated)", "session_id = ?1")
	if isLogged { // rows beyond the log: an older version on the same database logs nothing
		add("message", "count(*), max(time_created)", "session_id = ?1")
		add("session_message", "count(*), max(seq), max(time_updated)", "session_id = ?1")
		return query
	}
	add("message", "count(*), max(time_updated), max(id)", "session_id = ?1")
	add("part", "count(*)", "session_id = ?1")
	add("part", "max(time_updated), sum(octet_length(data))", "message_id = (SELECT id FROM message WHERE session_id = ?1 ORDER BY time_created DESC, id DESC LIMIT 1)")
	add("session_message", "count(*), max(seq), max(time_updated), sum(octet_length(data))", "session_id = ?1")
	return query
}

// jsonStore is the store of versions before 1.2: a file for each session, message and part.
type jsonStore struct {
	folder string
	isOld  bool // store of a project, before 0.6
}

// oldSessions is the folder of the sessions in an old store, beside folders for their messages and parts.
const oldSessions = "info"

// storeOf returns the store of a session's file.
func storeOf(file string) jsonStore {
	sessions := filepath.Dir(filepath.Dir(file))
	return jsonStore{folder: filepath.Dir(sessions), isOld: filepath.Base(filepath.Dir(file)) == oldSessions}
}

// in returns the folder of a session's messages ("message"), or of a message's parts ("part").
func (j jsonStore) in(kind string, ids ...string) string {
	if j.isOld {
		return filepath.Join(j.folder, "session", kind, filepath.Join(ids...))
	}
	return filepath.Join(j.folder, kind, ids[len(ids)-1])
}

// text reads a file; it is "" for one that is missing, too large or no text.
func (j jsonStore) text(path string) (string, error) {
	const maxFile = 16 << 20 // bytes, as the largest value of a database
	t, err := files.ReadText(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return t.Body, err
}

// info reads the file of a session in any project. A cut one is bad.
func (j jsonStore) info(_ context.Context, id string) (*info, error) {
	projects, err := os.ReadDir(filepath.Join(j.folder, "session"))
	for _, project := range projects {
		file := filepath.Join(j.folder, "session", project.Name(), sessionID(id)+".json")
		if _, err := os.Lstat(file); err == nil {
			text, err := j.text(file)
			i := &info{}
			i.bad = decode.Text(text, i) != nil
			i.ID = id
			return i, err
		}
	}
	return nil, err
}

// records returns the files of a folder, whose names put messages and parts in order.
func (j jsonStore) records(ctx context.Context, i *info, message string, each func(record)) error {
	folder, of := j.in("message", i.ID), i.ID
	if message != "" {
		folder, of = j.in("part", i.ID, message), message
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || sessionID(of) == "" {
		return nil
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		text, rerr := j.text(files.Below(folder, e.Name()))
		if rerr = errors.Join(rerr, ctx.Err()); rerr != nil {
			return rerr
		}
		each(record{id: id, data: cmp.Or(text, "{")}) // empty means cut
	}
	return err
}

// todos reads the list, which has no times.
func (j jsonStore) todos(_ context.Context, i *info) (list []sources.Todo, known bool, err error) {
	text, err := j.text(filepath.Join(j.folder, "todo", i.ID+".json"))
	var all []tools.Todo
	known = err == nil && text != "" && decode.Text(text, &all) == nil
	return tools.Todos(all, time.Time{}), known, err
}

// origin is not searched: the parent has the text too, and both have the same start.
func (jsonStore) origin(context.Context, *info) (string, error)    { return "", nil }
func (jsonStore) undone(context.Context, *info) ([]message, error) { return nil, nil }
