package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // driver
)

const storeName = "session-store.db"

// storeSchema is version 8, of CLI 1.0.102, without tables that no reader of sessions uses.
const storeSchema = `
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
CREATE INDEX idx_sessions_repo ON sessions(repository);
CREATE INDEX idx_session_files_path ON session_files(file_path);
CREATE INDEX idx_turns_session ON turns(session_id);
CREATE VIRTUAL TABLE search_index USING fts5(content, session_id UNINDEXED, source_type UNINDEXED, source_id UNINDEXED);`

// store is an open session-store.db.
type store struct {
	path string
	db   *sql.DB
	tx   *sql.Tx
}

// newStore creates an empty store, whose -wal stays until fold.
func newStore(ctx context.Context, path string) (*store, error) {
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(0)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		return nil, fmt.Errorf("create store: %w", err)
	}
	db.SetMaxOpenConns(1)
	s := &store{path: path, db: db}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if _, err := s.tx.ExecContext(ctx, storeSchema); err != nil {
		return nil, errors.Join(fmt.Errorf("create store: %w", err), s.close())
	}
	return s, nil
}

func (s *store) begin(ctx context.Context) (err error) {
	if s.tx, err = s.db.BeginTx(ctx, nil); err != nil {
		return fmt.Errorf("begin transaction of store: %w", err)
	}
	return nil
}

// fold moves the rows so far into the main file.
func (s *store) fold(ctx context.Context) error {
	if err := s.tx.Commit(); err != nil {
		return fmt.Errorf("commit store: %w", err)
	}
	if _, err := s.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return fmt.Errorf("fold store: %w", err)
	}
	return s.begin(ctx)
}

// leave copies the store to home with its -wal, as a CLI leaves it; closing it would fold it in.
func (s *store) leave(home string) error {
	if err := s.tx.Commit(); err != nil {
		return fmt.Errorf("commit store: %w", err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		b, err := os.ReadFile(s.path + suffix)
		if err == nil {
			err = os.WriteFile(filepath.Join(home, storeName+suffix), b, 0o600)
		}
		if err != nil {
			return fmt.Errorf("leave store: %w", err)
		}
	}
	return nil
}

func (s *store) close() error {
	_ = s.tx.Rollback() // nothing is pending; the connection is needed again
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// add writes the rows of one session, with their entries in the search index.
func (s *store) add(ctx context.Context, of *session, t told) error {
	i := &inserts{ctx: ctx, db: s.tx}
	index := func(text, kind, id string) {
		i.exec("INSERT INTO search_index VALUES (?,?,?,?)", text, of.id, kind, of.id+":"+id)
	}
	repository := sql.NullString{String: of.project.repository, Valid: of.project.repository != ""}
	title, last := of.title, t.turns[len(t.turns)-1].at
	if title == "" {
		title = t.turns[0].prompt
	}
	i.exec("INSERT INTO sessions VALUES (?,?,?,'github',?,?,?,?)", of.id, of.project.folder, repository, of.branch, title, stamp(of.start), stamp(last))
	for n, turn := range t.turns {
		i.exec("INSERT INTO turns VALUES (NULL,?,?,?,?,?)", of.id, n, turn.prompt, turn.answer, stamp(turn.at))
		index(strings.TrimSpace(turn.prompt+"\n"+turn.answer), "turn", fmt.Sprint("turn:", n))
	}
	for _, c := range t.checkpoints {
		args := []any{of.id, c.number, c.title}
		for _, text := range c.sections {
			args = append(args, text)
		}
		i.exec("INSERT INTO checkpoints VALUES (NULL,?,?,?,?,?,?,?,?,?,?)", append(args, stamp(c.at))...)
		index(c.sections[0], "checkpoint_overview", fmt.Sprintf("ckpt:%d:checkpoint_overview", c.number))
	}
	for _, f := range t.files {
		i.exec("INSERT INTO session_files VALUES (NULL,?,?,'edit',?,?)", of.id, f.name, f.turn, stamp(f.at))
	}
	for _, c := range t.commits {
		i.exec("INSERT OR IGNORE INTO session_refs VALUES (NULL,?,'commit',?,?,?)", of.id, c.name, c.turn, stamp(c.at))
	}
	if i.err != nil {
		return fmt.Errorf("add session %s to store: %w", of.id, i.err)
	}
	return nil
}
