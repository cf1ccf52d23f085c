package opencode_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/opencode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// schema are the tables of 1.18.34 that are read, with one that never is.
const schema = `
CREATE TABLE IF NOT EXISTS credential (id text PRIMARY KEY, label text NOT NULL, value text NOT NULL);
CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text, slug text NOT NULL, directory text NOT NULL,
  path text, title text NOT NULL, version text NOT NULL, share_url text, summary_diffs text, metadata text, cost real DEFAULT 0 NOT NULL, revert text,
  permission text, agent text, model text, time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer);
CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE IF NOT EXISTS todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL, priority text NOT NULL, position integer NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, PRIMARY KEY(session_id, position));
CREATE TABLE IF NOT EXISTS event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL, owner_id text);
CREATE TABLE IF NOT EXISTS event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);
CREATE INDEX IF NOT EXISTS message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX IF NOT EXISTS part_message_id_id_idx ON part (message_id, id);
CREATE INDEX IF NOT EXISTS part_session_idx ON part (session_id);
CREATE INDEX IF NOT EXISTS event_aggregate_type_seq_idx ON event (aggregate_id, type, seq);`

// schemaV2 are those of version 2, which has the same file.
const schemaV2 = `
CREATE TABLE IF NOT EXISTS session_v2 (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, fork_session_id text, slug text NOT NULL, directory text NOT NULL,
  title text, version text NOT NULL, revert text, permission text, agent text, model text, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
CREATE TABLE IF NOT EXISTS session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS session_message_session_seq_idx ON session_message (session_id, seq);`

// change edits a database beside it and puts its bytes in place: a reader may have it open.
func change(t testing.TB, path, schema string, do func(db *sql.DB)) {
	t.Helper()
	work := filepath.Join(t.TempDir(), "work.db")
	if body, err := os.ReadFile(path); err == nil {
		must(t, os.WriteFile(work, body, 0o600))
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", work+"?_pragma=synchronous(0)&_pragma=journal_mode(MEMORY)")
	must(t, err)
	exec(t, db, schema)
	do(db)
	must(t, db.Close())
	write(t, path, read(t, work))
}

func exec(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// base is the database of a home.
func base(dir string) string { return filepath.Join(dir, "opencode.db") }

// home is a home under the hands of a test.
type home struct {
	t    testing.TB
	path string
	db   *sql.DB
}

// edit changes the database of a home by rows.
func edit(t testing.TB, dir string, do func(h *home)) {
	t.Helper()
	change(t, base(dir), schema+schemaV2, func(db *sql.DB) { do(&home{t, dir, db}) })
}

// object is JSON.
type object = map[string]any

func (h *home) session(id string, at int64, fields object) {
	h.t.Helper()
	row := object{"id": id, "project_id": "p", "slug": "calm-otter", "directory": folder, "title": "New session - 2026-11-22T07:16:38.592Z", "version": "1.18.34",
		"time_created": at, "time_updated": at}
	h.insert("session", row, fields)
}

func (h *home) sessionV2(id string, at int64, fields object) {
	h.t.Helper()
	row := object{"id": id, "project_id": "p", "slug": "calm-otter", "directory": folder, "version": "2.0.1", "time_created": at, "time_updated": at}
	h.insert("session_v2", row, fields)
}

func (h *home) insert(table string, row, fields object) {
	h.t.Helper()
	for name, value := range fields {
		row[name] = value
	}
	names, marks, values := "", "", []any{}
	for name, value := range row {
		if names != "" {
			names, marks = names+",", marks+","
		}
		names, marks, values = names+name, marks+"?", append(values, value)
	}
	exec(h.t, h.db, "INSERT OR REPLACE INTO "+table+" ("+names+") VALUES ("+marks+")", values...)
}

// message adds one with its parts.
func (h *home) message(session, id string, at int64, data object, parts ...object) {
	h.t.Helper()
	h.insert("message", object{"id": id, "session_id": session, "time_created": at, "time_updated": at, "data": text(data)}, nil)
	for i, p := range parts {
		h.insert("part", object{"id": fmt.Sprintf("prt_%s_%03d", id, i), "message_id": id, "session_id": session, "time_created": at, "time_updated": at, "data": text(p)}, nil)
	}
}

// v2 adds a message of version 2.
func (h *home) v2(session, kind string, seq, at int64, data object) {
	h.t.Helper()
	h.insert("session_message", object{"id": fmt.Sprintf("msg_%s_%03d", session, seq), "session_id": session, "type": kind, "seq": seq,
		"time_created": at, "time_updated": at, "data": text(data)}, nil)
}

// asked and answered are messages of version 1 with one text.
func (h *home) asked(session, id string, at int64, words string) {
	h.t.Helper()
	h.message(session, id, at, user(at), object{"type": "text", "text": words})
}

func (h *home) answered(session, id, prompt string, at int64, parts ...object) {
	h.t.Helper()
	h.message(session, id, at, assistant(prompt, at), parts...)
}

func user(at int64) object {
	return object{"role": "user", "time": object{"created": at}, "agent": "build", "model": object{"providerID": "scripted", "modelID": "scripted-model"}}
}

func assistant(prompt string, at int64) object {
	return object{"parentID": prompt, "role": "assistant", "mode": "build", "agent": "build", "path": object{"cwd": folder, "root": folder}, "cost": 0,
		"tokens":  object{"input": 7, "output": 2, "reasoning": 1, "cache": object{"read": 10, "write": 1}},
		"modelID": "vendor/scripted-model", "providerID": "scripted", "time": object{"created": at, "completed": at + 500}, "finish": "stop"}
}

// says and calls are parts.
func says(words string) object { return object{"type": "text", "text": words} }

func calls(tool, status string, input, more object) object {
	state := object{"status": status, "input": input, "time": object{"start": 1795331803109, "end": 1795331803114}}
	for name, value := range more {
		state[name] = value
	}
	return object{"type": "tool", "tool": tool, "callID": "call_1", "state": state}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return string(b)
}

const folder = "/home/dev/src/widget"

// begin is when sessions begin.
const begin = 1795331798592

// history writes what opencode does.
type history struct{ form string }

// The forms of a history.
const (
	v1      = "version 1"
	logged  = "version 1, with a log of events"
	v2      = "version 2"
	inFiles = "files"
)

func TestConformance(t *testing.T) {
	for _, form := range []string{v1, logged, v2, inFiles} {
		t.Run(form, func(t *testing.T) {
			sourcetest.Run(t, sourcetest.Suite{Open: func(dir string) sources.Source { return open(dir) }, History: history{form}})
		})
	}
}

func open(homes ...string) *opencode.Source {
	return opencode.New(opencode.Config{Homes: homes})
}

func (f history) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	if f.form == inFiles {
		must(t, os.RemoveAll(filepath.Join(dir, "storage", "message", id)))
		put(t, f.Log(dir, id), object{"id": id, "version": "1.1.0", "projectID": "p", "directory": folder, "title": "A name by a model", "time": object{"created": at.UnixMilli(), "updated": at.UnixMilli()}})
	} else {
		edit(t, dir, func(h *home) {
			for _, table := range []string{"message", "part", "session_message"} {
				exec(t, h.db, "DELETE FROM "+table+" WHERE session_id = ?", id)
			}
			if f.form == v2 {
				h.sessionV2(id, at.UnixMilli(), object{"title": "A name by a model"})
			} else {
				h.session(id, at.UnixMilli(), object{"title": "A name by a model"})
			}
		})
	}
	f.Append(t, dir, id, at, 0, turns)
}

func (f history) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	if f.form == inFiles {
		for i, turn := range turns {
			f.file(t, dir, id, n+i, at, turn)
		}
		return
	}
	edit(t, dir, func(h *home) {
		for i, turn := range turns {
			f.row(h, id, n+i, at, turn)
		}
		if f.form == logged {
			exec(t, h.db, "INSERT INTO event_sequence VALUES (?, 1, NULL) ON CONFLICT DO UPDATE SET seq = seq + ?", id, 1+len(turns))
		}
	})
}

// row writes a turn as rows.
func (f history) row(h *home, id string, n int, begun time.Time, turn sourcetest.Turn) {
	at := begun.Add(time.Duration(n) * time.Minute).UnixMilli()
	if f.form == v2 {
		seq := int64(10 * n)
		h.v2(id, "user", seq, at, object{"time": object{"created": at}, "text": turn.User})
		h.v2(id, "assistant", seq+1, at+1000, object{"time": object{"created": at + 1000, "completed": at + 2000}, "agent": "build", "model": object{"id": "m", "providerID": "x"},
			"content": []any{says(turn.Answer)}, "finish": "stop"})
		h.v2(id, "idle", seq+2, at+2000, object{"time": object{"created": at + 2000}, "outcome": "succeeded"})
		return
	}
	prompt, answer := named(id, n, "a"), named(id, n, "b")
	h.asked(id, prompt, at, turn.User)
	h.answered(id, answer, prompt, at+1000, object{"type": "step-start"}, says(turn.Answer), object{"type": "step-finish", "reason": "stop"})
}

func named(id string, n int, which string) string { return fmt.Sprintf("msg_%s_%04d_%s", id, n, which) }

// file writes a turn as files.
func (history) file(t *testing.T, dir, id string, n int, begun time.Time, turn sourcetest.Turn) {
	at := begun.Add(time.Duration(n) * time.Minute).UnixMilli()
	prompt, answer := named(id, n, "a"), named(id, n, "b")
	for name, m := range map[string]object{prompt: user(at), answer: assistant(prompt, at+1000)} {
		m["id"], m["sessionID"] = name, id
		put(t, filepath.Join(dir, "storage", "message", id, name+".json"), m)
	}
	for name, words := range map[string]string{prompt: turn.User, answer: turn.Answer} {
		put(t, partFile(dir, name), object{"id": "prt_1", "messageID": name, "sessionID": id, "type": "text", "text": words})
	}
}

func partFile(dir, message string) string {
	return filepath.Join(dir, "storage", "part", message, "prt_1.json")
}

func put(t testing.TB, path string, v any) { t.Helper(); write(t, path, []byte(text(v))) }

// Tear cuts the newest answer. A database is never torn by its writer.
func (f history) Tear(t *testing.T, dir, id string) { f.cut(t, dir, id, "DESC", 0) }

// Break cuts the answer of the second turn.
func (f history) Break(t *testing.T, dir, id string) { f.cut(t, dir, id, "", 1) }

func (f history) cut(t *testing.T, dir, id, order string, skip int) {
	if f.form == inFiles {
		n := skip
		if order != "" {
			for exists(partFile(dir, named(id, n+1, "b"))) {
				n++
			}
			// A message is written once more when its parts are complete.
			put(t, filepath.Join(dir, "storage", "message", id, named(id, n, "b")+".json"), assistant(named(id, n, "a"), begin))
		}
		body := read(t, partFile(dir, named(id, n, "b")))
		write(t, partFile(dir, named(id, n, "b")), body[:len(body)/2])
		return
	}
	edit(t, dir, func(h *home) {
		table, where := "part", "message_id LIKE '%_b' AND data LIKE '{\"text%'"
		if f.form == v2 {
			table, where = "session_message", "type = 'assistant'"
		}
		exec(t, h.db, fmt.Sprintf("UPDATE %[1]s SET data = substr(data, 1, length(data) / 2) WHERE id = (SELECT id FROM %[1]s WHERE session_id = ? AND %[2]s ORDER BY id %[3]s LIMIT 1 OFFSET %[4]d)",
			table, where, order, skip), id)
		exec(t, h.db, "UPDATE event_sequence SET seq = seq + 1 WHERE aggregate_id = ?", id)
	})
}

func (f history) Log(dir, id string) string {
	if f.form == inFiles {
		return filepath.Join(dir, "storage", "session", "p", id+".json")
	}
	return base(dir)
}

// Run writes the calls before the answer that follows them.
func (f history) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	f.Write(t, dir, id, at, nil)
	f.Append(t, dir, id, at, 0, []sourcetest.Turn{turn})
	var parts []any
	for _, run := range runs {
		parts = append(parts, calls("bash", "completed", object{"command": run.Command, "description": "Run it"}, object{"output": "out", "metadata": object{"exit": run.Exit}}))
	}
	switch f.form {
	case inFiles:
		for i, p := range parts {
			put(t, filepath.Join(filepath.Dir(partFile(dir, named(id, 0, "b"))), fmt.Sprintf("prt_0%d.json", i)), p)
		}
	case v2:
		for _, p := range parts {
			p.(object)["name"] = "bash"
			delete(p.(object), "tool")
		}
		edit(t, dir, func(h *home) {
			data := object{"time": object{"created": at.UnixMilli(), "completed": at.UnixMilli()}, "content": append(parts, says(turn.Answer))}
			exec(t, h.db, "UPDATE session_message SET data = ? WHERE session_id = ? AND type = 'assistant'", text(data), id)
		})
	default:
		edit(t, dir, func(h *home) {
			for i, p := range parts {
				h.insert("part", object{"id": fmt.Sprintf("prt_0_%d", i), "message_id": named(id, 0, "b"), "session_id": id, "time_created": 0, "time_updated": 0, "data": text(p)}, nil)
			}
		})
	}
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

func timeOf(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

var must, read, write = sourcetest.Must, sourcetest.Read, sourcetest.Write
