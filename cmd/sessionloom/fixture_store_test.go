package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// store is session-store.db. The process that writes it never ends properly, so
// the file itself stays nearly empty and all rows are in the -wal. A nil store
// swallows its rows.
type store struct {
	h  *history
	db *sql.DB
	at string // where it is written; the home gets copies
}

// exchange is a turn that the store does not know yet.
type exchange struct {
	user, answer string
	at           time.Time
}

const storeTables = `
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO schema_version VALUES (8);
CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, host_type TEXT, branch TEXT, summary TEXT,
	created_at TEXT DEFAULT (datetime('now')), updated_at TEXT DEFAULT (datetime('now')));
CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), turn_index INTEGER NOT NULL,
	user_message TEXT, assistant_response TEXT, timestamp TEXT DEFAULT (datetime('now')), UNIQUE(session_id, turn_index));
CREATE TABLE checkpoints (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), checkpoint_number INTEGER NOT NULL,
	title TEXT, overview TEXT, history TEXT, work_done TEXT, technical_details TEXT, important_files TEXT, next_steps TEXT,
	created_at TEXT DEFAULT (datetime('now')), UNIQUE(session_id, checkpoint_number));
CREATE TABLE session_files (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), file_path TEXT NOT NULL,
	tool_name TEXT, turn_index INTEGER, first_seen_at TEXT DEFAULT (datetime('now')), UNIQUE(session_id, file_path));
CREATE TABLE session_refs (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), ref_type TEXT NOT NULL,
	ref_value TEXT NOT NULL, turn_index INTEGER, created_at TEXT DEFAULT (datetime('now')), UNIQUE(session_id, ref_type, ref_value));
CREATE VIRTUAL TABLE search_index USING fts5(content, session_id UNINDEXED, source_type UNINDEXED, source_id UNINDEXED);
CREATE TABLE dynamic_context_items (repository TEXT NOT NULL, branch TEXT NOT NULL, src TEXT NOT NULL, name TEXT NOT NULL,
	description TEXT NOT NULL DEFAULT '', content TEXT NOT NULL DEFAULT '', read_count INTEGER NOT NULL DEFAULT 0,
	count INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (repository, branch, src, name));`

// keepsStore begins the store.
func (h *history) keepsStore() {
	h.t.Helper()
	s := &store{h: h, at: filepath.Join(h.t.TempDir(), "session-store.db")}
	db, err := sql.Open("sqlite", "file:"+strings.ReplaceAll(filepath.ToSlash(s.at), "#", "%23")+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)&_pragma=foreign_keys(1)")
	h.check(err)
	db.SetMaxOpenConns(1)
	h.t.Cleanup(func() { _ = db.Close() })
	s.db, h.rows = db, s
	s.exec(storeTables)
}

// exec changes rows and shows the change in the home: another -wal.
func (s *store) exec(query string, args ...any) {
	if s == nil {
		return
	}
	s.h.t.Helper()
	_, err := s.db.Exec(query, args...)
	s.h.check(err)
	for _, name := range []string{"session-store.db", "session-store.db-wal"} {
		now, err := os.ReadFile(filepath.Join(filepath.Dir(s.at), name))
		s.h.check(err)
		if then, err := os.ReadFile(filepath.Join(s.h.home, name)); err != nil || !bytes.Equal(now, then) {
			s.h.write(name, string(now))
		}
	}
}

// session writes the session's own row.
func (s *store) session(t *talk) {
	var repository, branch any
	if t.cwd == widget {
		repository, branch = "octo-org/widget", "main"
	}
	summary := any(nil)
	if t.name != "" {
		summary = t.name
		if len(t.name) > 100 {
			summary = t.name[:100] + "..."
		}
	}
	s.exec(`INSERT INTO sessions (id, cwd, repository, host_type, branch, summary, created_at, updated_at) VALUES (?1, ?2, ?3, 'github', ?4, ?5, ?6, ?7)
		ON CONFLICT (id) DO UPDATE SET summary = coalesce(?5, summary), updated_at = max(updated_at, ?7)`,
		t.uuid, t.cwd, repository, branch, summary, iso(t.began), iso(t.clock))
}

// turn writes the row of the turn that waited for the next prompt.
func (s *store) turn(t *talk) {
	if t.waiting.user == "" {
		return
	}
	w := t.waiting
	t.waiting = exchange{}
	s.mention(t)
	s.exec("INSERT INTO turns (session_id, turn_index, user_message, assistant_response, timestamp) VALUES (?, ?, ?, ?, ?)",
		t.uuid, t.next, w.user, w.answer, iso(t.clock))
	t.next++
}

// mention makes sure that a session has a row before others refer to it; the
// times in it are in the spelling of the database.
func (s *store) mention(t *talk) {
	s.exec("INSERT OR IGNORE INTO sessions (id, created_at, updated_at) VALUES (?1, ?2, ?2)", t.uuid, t.began.Format(time.DateTime))
}

func (s *store) checkpoint(t *talk, n int, title, overview, next string) {
	s.mention(t)
	s.exec(`INSERT INTO checkpoints (session_id, checkpoint_number, title, overview, next_steps, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (session_id, checkpoint_number) DO UPDATE SET title = ?3, overview = ?4, next_steps = ?5`,
		t.uuid, n, title, overview, next, iso(t.clock))
}

func (s *store) file(t *talk, path string) {
	s.mention(t)
	s.exec("INSERT OR IGNORE INTO session_files (session_id, file_path, tool_name, turn_index, first_seen_at) VALUES (?, ?, 'edit', ?, ?)",
		t.uuid, path, t.next, iso(t.clock))
}

func (s *store) ref(t *talk, hash string) {
	s.mention(t)
	s.exec("INSERT OR IGNORE INTO session_refs (session_id, ref_type, ref_value, turn_index, created_at) VALUES (?, 'commit', ?, ?, ?)",
		t.uuid, hash, t.next, iso(t.clock))
}

// reindexes is `/chronicle reindex`: rows by position, titles of checkpoints blank.
func (s *store) reindexes(t *talk, prompts ...string) {
	for i, prompt := range prompts {
		s.exec(`INSERT INTO turns (session_id, turn_index, user_message, assistant_response, timestamp) VALUES (?1, ?2, ?3, 'An answer.', ?4)
			ON CONFLICT (session_id, turn_index) DO UPDATE SET user_message = ?3`, t.uuid, i, prompt, iso(t.began))
	}
	t.next, t.waiting = len(prompts), exchange{}
	s.exec("UPDATE checkpoints SET title = '' WHERE session_id = ?", t.uuid)
	s.exec("UPDATE sessions SET updated_at = ? WHERE id = ?", iso(t.clock), t.uuid)
}
