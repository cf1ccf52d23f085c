package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// folder writes files with a common time.
type folder struct {
	dir string
	at  time.Time
	err error // the first failure
}

// put writes a file; after a failure it does nothing.
func (f *folder) put(name string, content []byte) {
	if f.err != nil {
		return
	}
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	f.err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o600), os.Chtimes(path, f.at, f.at))
}

func (f *folder) putJSON(name string, v object, style ...json.Options) {
	b, err := json.Marshal(v, style...)
	if f.err == nil {
		f.err = err
	}
	f.put(name, b)
}

// putDatabase writes a SQLite database with this content.
func (f *folder) putDatabase(ctx context.Context, name string, fill func(*inserts)) {
	if f.err != nil {
		return
	}
	path := filepath.Join(f.dir, name)
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(MEMORY)&_pragma=synchronous(0)")
	if err == nil {
		i := &inserts{ctx: ctx, db: db}
		fill(i)
		err = errors.Join(i.err, db.Close(), os.Chtimes(path, f.at, f.at))
	}
	if err != nil {
		f.err = fmt.Errorf("write %q: %w", path, err)
	}
}

// inserts keeps the first error of consecutive statements.
type inserts struct {
	ctx context.Context
	db  interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	}
	err error
}

func (i *inserts) exec(query string, args ...any) {
	if i.err == nil {
		_, i.err = i.db.ExecContext(i.ctx, query, args...)
	}
}

// writeSession writes session-state/<id> of one session.
func writeSession(ctx context.Context, state string, s *session, lex *lexicon) (told, error) {
	f := &folder{dir: filepath.Join(state, s.id)}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return told{}, err
	}
	file, err := os.Create(filepath.Join(f.dir, "events.jsonl"))
	if err != nil {
		return told{}, err
	}
	buffered := bufio.NewWriterSize(file, 1<<16)
	l := &logWriter{words: s.words(lex), s: s, out: buffered, now: s.start}
	if err := errors.Join(l.writeLog(), buffered.Flush(), file.Close(), os.Chtimes(file.Name(), l.now, l.now)); err != nil {
		return told{}, err
	}
	f.at = l.now
	f.besideLog(ctx, l)
	return l.told, f.err
}

// besideLog writes the files of the CLI and the agent beside the log.
func (f *folder) besideLog(ctx context.Context, l *logWriter) {
	f.put("workspace.yaml", []byte(workspace(l)))
	f.put(".workspace-fork.lock", nil)
	index := "# Checkpoint History\n\n| # | Title | File |\n|---|-------|------|\n"
	for _, c := range l.told.checkpoints {
		index += fmt.Sprintf("| %d | %s | %s |\n", c.number, c.title, c.file())
		f.put("checkpoints/"+c.file(), []byte(c.text()))
	}
	f.put("checkpoints/index.md", []byte(index))
	if len(l.told.files) > 0 {
		f.putJSON("rewind-file-snapshots/index.json", rewindIndex(l))
	}
	if l.s.plan {
		f.put("plan.md", []byte(l.plan()))
	}
	if l.s.todos {
		f.putDatabase(ctx, "session.db", func(i *inserts) { fillTodos(i, l) })
	}
}

// workspace returns workspace.yaml: plain lines in the CLI's order.
func workspace(l *logWriter) string {
	s, p := l.s, l.s.project
	text := "id: " + s.id + "\ncwd: " + p.folder + "\n"
	if p.git {
		text += "git_root: " + p.folder + "\n"
	}
	if p.repository != "" {
		text += "repository: " + p.repository + "\nhost_type: github\n"
	}
	if p.git {
		text += "branch: " + s.branch + "\n"
	}
	name := s.title
	if name == "" {
		name = fmt.Sprintf("%q", l.told.turns[0].prompt)
	}
	return text + fmt.Sprintf("name: %s\nuser_named: false\nsummary_count: %d\ncreated_at: %s\nupdated_at: %s\n",
		name, len(l.told.checkpoints), stamp(s.start), stamp(l.now))
}

// rewindIndex lists the changed files, with their hashes.
func rewindIndex(l *logWriter) object {
	files := object{}
	for _, t := range l.told.files {
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte(t.name)))
		files = append(files, hash[:32], object{"path", t.name, "postimage", object{"kind", "content", "contentHash", hash}})
	}
	return object{"schema", 1, "snapshots", []object{
		{"snapshotId", l.s.id, "timestamp", stamp(l.now), "files", files, "fileCount", len(l.told.files)},
	}}
}

func fillTodos(i *inserts, l *logWriter) {
	i.exec(`
CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT,
  status TEXT DEFAULT 'pending' CHECK(status IN ('pending', 'in_progress', 'done', 'blocked')),
  created_at TEXT DEFAULT (datetime('now')), updated_at TEXT DEFAULT (datetime('now')));
CREATE TABLE todo_deps (todo_id TEXT NOT NULL, depends_on TEXT NOT NULL, PRIMARY KEY (todo_id, depends_on),
  FOREIGN KEY (todo_id) REFERENCES todos(id), FOREIGN KEY (depends_on) REFERENCES todos(id));`)
	at := l.now.UTC().Format(time.DateTime)
	for n := range l.between(2, 7) {
		status := l.pick([]string{"done", "done", "done", "pending", "in_progress", "blocked"})
		i.exec("INSERT INTO todos VALUES (?,?,?,?,?,?)", fmt.Sprint("todo-", n), l.task(), l.sentence(), status, at, at)
		if n > 0 {
			i.exec("INSERT INTO todo_deps VALUES (?,?)", fmt.Sprint("todo-", n), fmt.Sprint("todo-", n-1))
		}
	}
}

// summary is a checkpoint by a compaction.
type summary struct {
	number   int // from 1
	title    string
	sections [6]string
	at       time.Time
}

func newSummary(l *logWriter, n int) summary {
	history := lines(l.between(4, 9), func() string { return "1. " + l.sentence() + "\n   - " + l.sentence() })
	files := lines(l.between(3, 8), func() string { return "- " + l.s.project.file(l.words) + "\n   - " + l.sentence() })
	return summary{number: n, title: l.task(), sections: [6]string{
		l.paragraph(l.between(3, 6)), history, lines(l.between(3, 8), l.box), l.list(l.between(5, 14)), files,
		"Remaining work:\n- " + l.task() + "\n- " + l.task(),
	}}
}

// text returns the body of the checkpoint, for the log and its file.
func (c summary) text() string {
	text := ""
	for i, name := range []string{"overview", "history", "work_done", "technical_details", "important_files", "next_steps"} {
		text += fmt.Sprintf("<%s>\n%s\n</%s>\n\n", name, strings.TrimSpace(c.sections[i]), name)
	}
	return strings.TrimSpace(text)
}

func (c summary) file() string { return fmt.Sprintf("%03d-%s.md", c.number, slug(c.title)) }

// object is a JSON object whose fields keep their order, as agents write them:
// name, value, name, value and so on.
type object []any

// MarshalJSONTo writes the object; encoding/json would sort the fields of a map.
func (o object) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, v := range o {
		if err := json.MarshalEncode(e, v); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}
