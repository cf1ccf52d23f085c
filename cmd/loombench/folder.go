package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// folder writes session-state/<id> of one session.
type folder struct {
	dir string
	at  time.Time // modification time of its files
	err error     // first failure
}

// writeSession writes the session's folder below state and returns how its log
// came out; nil for a folder without a log.
func writeSession(ctx context.Context, state string, s *session, lex *lexicon) (*scribe, error) {
	f := &folder{dir: filepath.Join(state, s.id), at: s.start}
	if err := os.MkdirAll(filepath.Join(f.dir, "checkpoints"), 0o700); err != nil {
		return nil, err
	}
	if s.bare {
		f.put("workspace.yaml", s.workspace(s.start, ""))
		f.put(".workspace-fork.lock", "")
		return nil, f.err
	}
	log, err := f.log(s, lex)
	if err != nil {
		return nil, fmt.Errorf("write log of %s: %w", s.id, err)
	}
	f.at, log.rows.updated = log.now, log.now
	first := ""
	if len(log.rows.turns) > 0 {
		first = log.rows.turns[0].user
	}
	f.put("workspace.yaml", s.workspace(log.now, first))
	f.put(".workspace-fork.lock", "")
	f.sidecars(s, log.rows.checkpoints, lex)
	if s.version == v102 {
		f.snapshots(log.rows)
	}
	if s.todos && f.err == nil {
		f.err = f.todos(ctx, todosOf(s, lex))
	}
	return log, f.err
}

func (f *folder) log(s *session, lex *lexicon) (_ *scribe, err error) {
	path := filepath.Join(f.dir, "events.jsonl")
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	w := bufio.NewWriterSize(file, 1<<16)
	log, err := writeLog(w, s, lex)
	if err != nil {
		return nil, err
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return log, os.Chtimes(path, log.now, log.now)
}

// sidecars writes what the agent keeps beside the log. A fork starts with what
// its parent had.
func (f *folder) sidecars(s *session, checkpoints []checkpoint, lex *lexicon) {
	owner := s
	if s.parent != nil {
		owner = s.parent
		for n := 1; n <= owner.checkpoints; n++ {
			checkpoints = append(checkpoints, checkpointOf(owner, n, lex))
		}
	}
	f.put("checkpoints/index.md", checkpointIndex(checkpoints))
	for _, c := range checkpoints {
		f.put("checkpoints/"+c.file(), c.text())
	}
	if owner.plan {
		f.put("plan.md", planOf(owner, lex))
	}
	if owner.research {
		name, text := researchOf(owner, lex)
		f.put("research/"+name, text)
	}
	if owner.file {
		name, text := fileOf(owner, lex)
		f.put("files/"+name, text)
	}
}

// snapshots writes the rewind index with the files of the session's changes and
// the backup of one of them.
func (f *folder) snapshots(r *rows) {
	f.put("rewind-file-snapshots/tracking.json", `{"schema":1,"tracking":true}`)
	if len(r.files) == 0 {
		return
	}
	backup := strings.Repeat(r.files[0].path+"\n", 20)
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(backup)))
	o := append(object(nil), '{').num("schema", 1).key("snapshots")
	o = append(o, '[', '{').str("snapshotId", r.session.id).str("timestamp", stamp(r.updated)).open("files")
	for _, touched := range r.files {
		key := fmt.Sprintf("%x", sha256.Sum256([]byte(touched.path)))[:32]
		o = o.open(key).str("path", touched.path).open("postimage").str("kind", "content").str("contentHash", hash).close().close()
	}
	o = append(o.close().num("fileCount", int64(len(r.files))).close(), ']', '}')
	f.put("rewind-file-snapshots/index.json", string(o))
	f.put("rewind-file-snapshots/backups/"+hash, backup)
}

// put writes a file of the folder; after a failure it does nothing.
func (f *folder) put(name, text string) {
	if f.err != nil {
		return
	}
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if f.err = os.MkdirAll(filepath.Dir(path), 0o700); f.err != nil {
		return
	}
	if f.err = os.WriteFile(path, []byte(text), 0o600); f.err == nil {
		f.err = os.Chtimes(path, f.at, f.at)
	}
}

// todos writes session.db.
func (f *folder) todos(ctx context.Context, all []todo) error {
	path := filepath.Join(f.dir, "session.db")
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(MEMORY)&_pragma=synchronous(0)")
	if err != nil {
		return fmt.Errorf("open %q: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	err = fillTodos(ctx, db, all, f.at)
	if e := db.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chtimes(path, f.at, f.at)
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	return nil
}

const todoSchema = `
CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT,
  status TEXT DEFAULT 'pending' CHECK(status IN ('pending', 'in_progress', 'done', 'blocked')),
  created_at TEXT DEFAULT (datetime('now')), updated_at TEXT DEFAULT (datetime('now')));
CREATE TABLE todo_deps (todo_id TEXT NOT NULL, depends_on TEXT NOT NULL, PRIMARY KEY (todo_id, depends_on),
  FOREIGN KEY (todo_id) REFERENCES todos(id), FOREIGN KEY (depends_on) REFERENCES todos(id));`

func fillTodos(ctx context.Context, db *sql.DB, all []todo, at time.Time) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	i := inserter{ctx: ctx, tx: tx}
	i.exec(todoSchema)
	when := at.UTC().Format(time.DateTime)
	for n, t := range all {
		i.exec("INSERT INTO todos VALUES (?,?,?,?,?,?)", t.id, t.title, t.description, t.status, when, when)
		if n > 0 {
			i.exec("INSERT INTO todo_deps VALUES (?,?)", t.id, all[n-1].id)
		}
	}
	if i.err != nil {
		_ = tx.Rollback() // the insert's error is the one to tell
		return i.err
	}
	return tx.Commit()
}

// workspace is workspace.yaml: plain lines in the CLI's order.
func (s *session) workspace(updated time.Time, firstPrompt string) string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	line("id", s.id)
	line("cwd", s.project.cwd)
	line("git_root", s.project.root)
	line("repository", s.project.repository)
	if s.project.repository != "" {
		line("host_type", "github")
	}
	if s.project.root != "" {
		line("branch", s.branch)
	}
	if name := s.title; name != "" {
		line("name", name)
	} else if firstPrompt != "" {
		line("name", fmt.Sprintf("%q", firstPrompt))
	}
	line("user_named", fmt.Sprint(s.userNamed))
	line("summary_count", fmt.Sprint(s.checkpoints))
	line("created_at", stamp(s.start))
	line("updated_at", stamp(updated))
	return b.String()
}
