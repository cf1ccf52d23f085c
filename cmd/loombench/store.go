package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // driver
)

const storeName = "session-store.db"

// rows are what session-store.db holds of one session.
type rows struct {
	session     *session
	updated     time.Time
	turns       []turnRow
	checkpoints []checkpoint
	files       []fileRow
	refs        []refRow
}

type turnRow struct {
	user, answer string
	at           time.Time
}

type fileRow struct {
	path, tool string
	turn       int
	at         time.Time
}

type refRow struct {
	kind, value string
	turn        int
	at          time.Time
}

// touch keeps the first touch of a path, as the store does.
func (r *rows) touch(f fileRow) {
	for _, known := range r.files {
		if known.path == f.path {
			return
		}
	}
	r.files = append(r.files, f)
}

// summary is the title, else the first prompt cut as the CLI cuts it.
func (r *rows) summary() string {
	if r.session.title != "" || len(r.turns) == 0 {
		return r.session.title
	}
	text := []rune(r.turns[0].user)
	if len(text) > 100 {
		return string(text[:100]) + "..."
	}
	return string(text)
}

// store is an open session-store.db of schema version 8.
type store struct {
	path string
	db   *sql.DB
	tx   *sql.Tx
}

// storeSchema is that of CLI 1.0.102, without the tables and indexes no reader
// of sessions has a use for (formats/copilot-cli.md, section 1).
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
CREATE INDEX idx_sessions_cwd ON sessions(cwd);
CREATE INDEX idx_session_files_path ON session_files(file_path);
CREATE INDEX idx_session_refs_type_value ON session_refs(ref_type, ref_value);
CREATE INDEX idx_turns_session ON turns(session_id);
CREATE INDEX idx_checkpoints_session ON checkpoints(session_id);
CREATE TABLE dynamic_context_items (repository TEXT NOT NULL, branch TEXT NOT NULL, src TEXT NOT NULL, name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '', content TEXT NOT NULL DEFAULT '', read_count INTEGER NOT NULL DEFAULT 0, count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (repository, branch, src, name));
CREATE VIRTUAL TABLE search_index USING fts5(content, session_id UNINDEXED, source_type UNINDEXED, source_id UNINDEXED);`

// openStore opens the database at path. Nothing it writes is checkpointed
// before checkpoint is called or the store closed.
func openStore(ctx context.Context, path string) (*store, error) {
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(0)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		return nil, fmt.Errorf("open store %q: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	s := &store{db: db, path: path}
	return s, s.begin(ctx)
}

// newStore creates an empty store at path.
func newStore(ctx context.Context, path string) (*store, error) {
	s, err := openStore(ctx, path)
	if err != nil {
		return nil, err
	}
	if _, err := s.tx.ExecContext(ctx, storeSchema); err != nil {
		return nil, errors.Join(fmt.Errorf("create store %q: %w", path, err), s.close())
	}
	return s, nil
}

func (s *store) begin(ctx context.Context) (err error) {
	if s.tx, err = s.db.BeginTx(ctx, nil); err != nil {
		return fmt.Errorf("begin transaction of store: %w", err)
	}
	return nil
}

// commit makes the rows so far part of the -wal, or with fold of the main file.
func (s *store) commit(ctx context.Context, fold bool) error {
	if err := s.tx.Commit(); err != nil {
		return fmt.Errorf("commit store: %w", err)
	}
	if fold {
		if _, err := s.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			return fmt.Errorf("checkpoint store: %w", err)
		}
	}
	return s.begin(ctx)
}

// leave copies the database as it is to home, with its -wal and -shm, as a CLI
// leaves them that ended without folding one into the other. The store has to be
// committed; it stays open, since closing it would fold.
func (s *store) leave(home string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := copyFile(filepath.Join(home, storeName+suffix), s.path+suffix); err != nil {
			return fmt.Errorf("leave store: %w", err)
		}
	}
	return nil
}

func (s *store) close() error {
	_ = s.tx.Rollback() // nothing is pending; the connection is needed back
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// add writes the rows of one session, with their entries in the search index.
func (s *store) add(ctx context.Context, r *rows) error {
	host := sql.NullString{String: "github", Valid: r.session.project.repository != ""}
	repository := sql.NullString{String: r.session.project.repository, Valid: host.Valid}
	i := inserter{ctx: ctx, tx: s.tx, session: r.session.id}
	i.exec("INSERT INTO sessions VALUES (?,?,?,?,?,?,?,?)", r.session.id, r.session.project.cwd, repository, host, r.session.branch,
		r.summary(), stamp(r.session.start), stamp(r.updated))
	for n, t := range r.turns {
		i.turn(n, t)
	}
	for _, c := range r.checkpoints {
		i.exec("INSERT INTO checkpoints VALUES (NULL,?,?,?,?,?,?,?,?,?,?)", r.session.id, c.number, c.title, c.overview, c.history, c.work,
			c.technical, c.files, c.next, stamp(c.at))
		i.index(c.overview, "checkpoint_overview", fmt.Sprintf("ckpt:%d:checkpoint_overview", c.number))
		i.index(c.technical, "checkpoint_technical", fmt.Sprintf("ckpt:%d:checkpoint_technical", c.number))
	}
	for _, f := range r.files {
		i.exec("INSERT INTO session_files VALUES (NULL,?,?,?,?,?)", r.session.id, f.path, f.tool, f.turn, stamp(f.at))
	}
	for _, f := range r.refs {
		i.exec("INSERT OR IGNORE INTO session_refs VALUES (NULL,?,?,?,?,?)", r.session.id, f.kind, f.value, f.turn, stamp(f.at))
	}
	if i.err != nil {
		return fmt.Errorf("add session %s to store: %w", r.session.id, i.err)
	}
	return nil
}

// context adds an item of a repository's memory.
func (s *store) context(ctx context.Context, repository, name, description, content string) error {
	_, err := s.tx.ExecContext(ctx, "INSERT OR IGNORE INTO dynamic_context_items VALUES (?,'main','agent',?,?,?,1,1)", repository, name, description, content)
	if err != nil {
		return fmt.Errorf("add memory of %q to store: %w", repository, err)
	}
	return nil
}

// inserter keeps the first error of a row of inserts.
type inserter struct {
	ctx     context.Context
	tx      *sql.Tx
	session string
	err     error
}

func (i *inserter) exec(query string, args ...any) {
	if i.err == nil {
		_, i.err = i.tx.ExecContext(i.ctx, query, args...)
	}
}

func (i *inserter) turn(n int, t turnRow) {
	answer := sql.NullString{String: t.answer, Valid: t.answer != ""}
	i.exec("INSERT INTO turns VALUES (NULL,?,?,?,?,?)", i.session, n, t.user, answer, stamp(t.at))
	i.index(strings.TrimSpace(t.user+"\n"+t.answer), "turn", fmt.Sprintf("turn:%d", n))
}

func (i *inserter) index(text, kind, id string) {
	i.exec("INSERT INTO search_index VALUES (?,?,?,?)", text, i.session, kind, i.session+":"+id)
}

func stamp(t time.Time) string { return t.UTC().Format(stampLayout) }
