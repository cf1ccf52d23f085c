package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// opencodeSchema has opencode 1.18's tables of sessions, with their indexes. Words are in it twice: as parts,
// and in the log of events.
const opencodeSchema = `
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL,
  version text NOT NULL, summary_diffs text, cost real DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL, priority text NOT NULL, position integer NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, PRIMARY KEY(session_id, position));
CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL, owner_id text);
CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);
CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE UNIQUE INDEX event_aggregate_seq_idx ON event (aggregate_id, seq);
CREATE INDEX event_aggregate_type_seq_idx ON event (aggregate_id, type, seq);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);
CREATE UNIQUE INDEX session_message_session_seq_idx ON session_message (session_id, seq);
CREATE INDEX session_parent_idx ON session (parent_id);`

// writeDatabase writes a home of opencode.
func writeDatabase(ctx context.Context, home string, all []*session, lex *lexicon) error {
	path := filepath.Join(home, "opencode.db")
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(MEMORY)&_pragma=synchronous(0)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	i := &inserts{ctx: ctx, db: db}
	i.exec(opencodeSchema)
	i.exec("BEGIN")
	var end time.Time
	for _, s := range all {
		l := &databaseWriter{homeLog: homeLog{logWriter{words: s.words(lex), s: s, now: s.start}}, rows: i}
		if err := errors.Join(l.converse(l), i.err); err != nil {
			return errors.Join(err, db.Close())
		}
		l.end()
		if l.now.After(end) {
			end = l.now
		}
	}
	i.exec("COMMIT")
	i.exec("PRAGMA journal_mode = WAL")
	return errors.Join(i.err, db.Close(), os.Chtimes(path, end, end))
}

// databaseWriter writes the rows of a session.
type databaseWriter struct {
	homeLog
	rows         *inserts
	seq, ids     int
	own          string // id of the session
	prompt, last string // messages
}

// id returns an id of opencode: ids of one kind are in order of time.
func (l *databaseWriter) id(kind string) string {
	l.ids++
	return fmt.Sprintf("%s_%012x%03x%s", kind, l.now.UnixMilli()<<12&0xffffffffffff, l.ids, l.letters(11))
}

func (l *databaseWriter) begin() {
	p := l.s.project
	l.own = fmt.Sprintf("ses_%012x%s", ^l.now.UnixMilli()<<12&0xffffffffffff, l.letters(14))
	title := l.s.title
	if title == "" {
		title = "New session - " + stamp(l.now)
	}
	l.rows.exec("INSERT INTO session (id, project_id, slug, directory, path, title, version, agent, model, time_created, time_updated) VALUES (?,?,?,?,'',?,'1.18.34','build',?,?,?)",
		l.own, l.letters(40), l.noun()+"-"+l.noun(), p.folder, title, `{"id":"`+model+`","providerID":"x"}`, l.now.UnixMilli(), l.now.UnixMilli())
}

// end writes the length of the log of events.
func (l *databaseWriter) end() {
	l.rows.exec("INSERT INTO event_sequence VALUES (?,?,NULL)", l.own, l.seq)
	l.rows.exec("UPDATE session SET time_updated = ? WHERE id = ?", l.now.UnixMilli(), l.own)
}

// row writes a message or a part, and its event.
func (l *databaseWriter) row(table, id string, data object) {
	body, err := json.Marshal(data)
	if l.rows.err == nil {
		l.rows.err = err
	}
	at := l.now.UnixMilli()
	kind, told := "message.updated.1", "info"
	if table == "message" {
		l.rows.exec("INSERT INTO message VALUES (?,?,?,?,?)", id, l.own, at, at, string(body))
	} else {
		l.rows.exec("INSERT INTO part VALUES (?,?,?,?,?,?)", id, l.last, l.own, at, at, string(body))
		kind, told = "message.part.updated.1", "part"
	}
	l.rows.exec("INSERT INTO event VALUES (?,?,?,?,?)", l.id("evt"), l.own, l.seq, kind,
		fmt.Sprintf(`{"sessionID":%q,%q:{"id":%q,"sessionID":%q,"messageID":%q,%s}`, l.own, told, id, l.own, l.last, body[1:]))
	l.seq++
	l.size += 2 * int64(len(body))
}

func (l *databaseWriter) message(data object) {
	l.last = l.id("msg")
	l.row("message", l.last, data)
}

func (l *databaseWriter) part(data object) { l.row("part", l.id("prt"), data) }

func (l *databaseWriter) ask(prompt string) {
	l.message(object{"role", "user", "time", object{"created", l.now.UnixMilli()}, "agent", "build", "model", object{"providerID", "x", "modelID", model}, "summary", object{"diffs", []object{}}})
	l.prompt = l.last
	l.part(object{"type", "text", "text", prompt})
}

// step is a message with a request to the model and its tools.
func (l *databaseWriter) step(text string, calls []call) {
	finish, at := "tool-calls", l.now.UnixMilli()
	if text != "" {
		finish = "stop"
	}
	used := object{"total", l.between(9000, 99999), "input", l.between(9000, 99000), "output", l.between(20, 920), "reasoning", 0, "cache", object{"write", 0, "read", 4932}}
	l.message(object{"parentID", l.prompt, "role", "assistant", "mode", "build", "agent", "build", "path", object{"cwd", l.s.project.folder, "root", l.s.project.folder}, "cost", 0,
		"tokens", used, "modelID", model, "providerID", "x", "time", object{"created", at, "completed", at + 900}, "finish", finish})
	l.part(object{"snapshot", l.letters(40), "type", "step-start"})
	if text != "" {
		l.part(object{"type", "text", "text", text, "time", object{"start", at, "end", at + 9}})
	}
	for _, k := range calls {
		l.call(k)
	}
	l.part(object{"reason", finish, "snapshot", l.letters(40), "type", "step-finish", "tokens", used, "cost", 0})
}

// call writes a call of a tool with its output.
func (l *databaseWriter) call(k call) {
	out, failed := l.gave(k), l.chance(25)
	at := l.now.UnixMilli()
	l.wait(10*time.Millisecond, 4*time.Second)
	tool, input, metadata := "bash", object{"command", k.arg("command"), "description", k.title}, object{"output", out, "exit", 0, "truncated", false}
	switch k.tool {
	case "view":
		tool, input, metadata = "read", object{"filePath", k.arg("path")}, object{"preview", out[:min(len(out), 400)], "truncated", false}
	case "grep":
		tool, input, metadata = "grep", object{"pattern", k.arg("pattern")}, object{"matches", 3, "truncated", false}
	case "edit":
		tool, input = "edit", object{"filePath", k.arg("path"), "oldString", k.arg("old_str"), "newString", k.arg("new_str")}
		metadata = object{"diagnostics", object{}, "diff", "Index: " + k.arg("path") + "\n-" + k.arg("old_str") + "\n+" + k.arg("new_str") + "\n", "truncated", false}
	}
	state := object{"status", "completed", "input", input, "output", out, "metadata", metadata, "title", k.title}
	if failed {
		state = object{"status", "error", "input", input, "error", strings.TrimSpace(out[:min(len(out), 200)])}
	}
	l.part(object{"type", "tool", "tool", tool, "callID", k.id, "state", append(state, "time", object{"start", at, "end", l.now.UnixMilli()})})
	if k.edits != "" && !failed {
		l.part(object{"type", "patch", "hash", l.letters(40), "files", []string{k.edits}})
		l.changed(k.edits)
	}
}
