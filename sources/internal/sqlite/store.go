package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// A session-store.db is what Copilot CLI, and in the same schema the Copilot extension of VS Code,
// derive from their sessions. The rows lag behind, are cut and outlive their sessions; they only fill
// gaps. Missing tables and columns count as empty, as they vary between versions.

// sessionColumns are read by name, as their order changed when databases were migrated. updated_at is
// not among them: it only changes on resume and rename.
var sessionColumns = []string{"id", "cwd", "repository", "host_type", "branch", "summary", "created_at"}

// The tables of a store besides the sessions' table.
const (
	Turns       = "turns"
	Checkpoints = "checkpoints"
	Files       = "session_files"
	Refs        = "session_refs"
)

type storeTable struct {
	name, order string
	spoken      bool // the length of its texts reveals a change
	columns     []string
	add         func(s *sources.Session, c []string)
}

var storeTables = []storeTable{
	{Turns, "turn_index", true, []string{"turn_index", "user_message", "assistant_response", "timestamp"}, addTurn},
	{Checkpoints, "checkpoint_number", true, []string{"checkpoint_number", "title", "overview", "history", "work_done",
		"technical_details", "important_files", "next_steps", "created_at"}, addCheckpoint},
	{Files, "id", false, []string{"file_path", "tool_name", "turn_index", "first_seen_at"}, addFile},
	{Refs, "id", false, []string{"ref_type", "ref_value", "turn_index"}, addRef},
}

// StoreFacts describe a session in a store without its content.
type StoreFacts struct {
	// Parts change when the rows do: the session's own row counts by content, turns and checkpoints by
	// number, newest id and length, other rows by number and newest id.
	Parts  []string
	Spoken bool // it has a turn or checkpoint
}

// Scan returns the facts about all sessions of a store by id, cached in the DB.
func (d *DB) Scan(ctx context.Context) (map[string]StoreFacts, error) {
	if d.scanned != nil {
		return d.scanned, nil
	}
	all := map[string]StoreFacts{}
	add := func(id, part string, spoken bool) {
		f := all[id]
		all[id] = StoreFacts{Parts: append(f.Parts, part), Spoken: f.Spoken || spoken}
	}
	err := d.Rows(ctx, "sessions", "", func(c []string) { add(c[0], strings.Join(c[1:], "\x00"), false) }, nil, sessionColumns...)
	for _, t := range storeTables {
		if columns, cerr := d.Columns(ctx, t.name); cerr != nil || columns["session_id"] {
			err = errors.Join(err, cerr, d.Each(ctx, t.sums(columns), func(c []string) { add(c[0], t.name+":"+c[1], t.spoken) }))
		}
	}
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		slices.Sort(f.Parts)
	}
	d.scanned = all
	return all, nil
}

// sums builds the query for count, newest id and length of text per session.
func (t storeTable) sums(columns map[string]bool) string {
	terms := []string{"count(*)"}
	if columns["id"] {
		terms = append(terms, "max(id)")
	}
	for _, text := range t.columns[1:] {
		if t.spoken && columns[text] {
			terms = append(terms, "total(octet_length("+text+"))")
		}
	}
	return "SELECT session_id, " + strings.Join(terms, " || ':' || ") + " FROM " + t.name +
		" WHERE session_id IS NOT NULL GROUP BY session_id"
}

// Replaced names the tables of a store that are a view or virtual table, which is not read.
func (d *DB) Replaced(ctx context.Context) (names string, err error) {
	err = d.Each(ctx, `SELECT coalesce(group_concat(name, ', '), '') FROM sqlite_schema WHERE lower(name) IN ('sessions', 'turns', 'checkpoints',
		'session_files', 'session_refs', 'dynamic_context_items') AND (type = 'view' OR type = 'table' AND sql LIKE 'create virtual %')`,
		func(c []string) { names = c[0] })
	return names, err
}

// Session builds a session from its rows in a store, without some tables: sparse, without agent, its summary
// as a derived title. It is nil if the store has no such row.
func (d *DB) Session(ctx context.Context, name string, without ...string) (*sources.Session, error) {
	var s *sources.Session
	err := d.of(ctx, name, storeTable{name: "sessions", columns: sessionColumns}, "id", func(c []string) {
		s = &sources.Session{Title: strings.TrimSpace(c[5]), Created: words.Time(c[6])}
		s.Place = sources.Place{Cwd: c[1], Repository: c[2], HostType: c[3], Branch: c[4]}
		if s.Title != "" {
			s.TitleFrom = sources.TrustDerived
		}
	})
	for _, t := range storeTables {
		if err == nil && s != nil && !slices.Contains(without, t.name) {
			err = d.of(ctx, name, t, "session_id", func(c []string) { t.add(s, c) })
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (d *DB) of(ctx context.Context, name string, t storeTable, key string, row func([]string)) error {
	columns, err := d.Columns(ctx, t.name)
	if err != nil || !columns[key] {
		return err
	}
	rest := "WHERE " + key + " = ?"
	if columns[t.order] {
		rest += " ORDER BY " + t.order
	}
	return d.Each(ctx, Select(columns, t.name, rest, t.columns...), row, name)
}

func addTurn(s *sources.Session, c []string) {
	n, err := strconv.Atoi(c[0]) // used by files and refs
	if err != nil {
		n = len(s.Turns)
	}
	t := sources.Turn{Index: n, At: words.Time(c[3]), User: c[1], Assistant: c[2], Status: sources.Complete}
	if t.Assistant == "" {
		t.Status = sources.Pending
	}
	s.Turns = append(s.Turns, t)
}

func addCheckpoint(s *sources.Session, c []string) {
	if n, err := strconv.Atoi(c[0]); err == nil && n > 0 && n < 1<<31 {
		s.Checkpoints = append(s.Checkpoints, sources.Checkpoint{
			Number: n, Title: c[1], Overview: c[2], History: c[3], WorkDone: c[4],
			Technical: c[5], Important: c[6], NextSteps: c[7], At: words.Time(c[8]),
		})
	}
}

func addFile(s *sources.Session, c []string) {
	if c[0] == "" {
		return
	}
	kind := cmp.Or(tools.TouchOf(c[1]), sources.Edited)
	s.Files = append(s.Files, sources.FileTouch{Path: c[0], Kind: kind, Tool: c[1], Turn: turnIndex(c[2]), At: words.Time(c[3])})
}

// addRef adds a value with the shape of its kind: a hash, a number, an address of the forge.
func addRef(s *sources.Session, c []string) {
	ref, ok := refs.FromURL(c[1])
	switch ref.Type = strings.ToLower(c[0]); ref.Type {
	case sources.Commit:
		ref.Value = refs.ShortHash(c[1])
	case sources.PR, sources.Issue:
		if n, err := strconv.ParseUint(strings.TrimPrefix(c[1], "#"), 10, 32); err == nil && n > 0 {
			ref.Value = strconv.FormatUint(n, 10)
		} else if !ok {
			return
		}
	default:
		return
	}
	if ref.Turn = turnIndex(c[2]); ref.Value != "" {
		s.Refs = append(s.Refs, ref)
	}
}

func turnIndex(index string) int {
	if n, err := strconv.Atoi(index); err == nil && n >= 0 {
		return n
	}
	return -1
}

// StoreRow is one session of a store.
type StoreRow struct {
	ID      string // id in the store
	Session *sources.Session
	Spoken  bool // it has turns or checkpoints
}

// StoreRows reads every session of the store at path, in order of id. Texts of VS Code's stores are cut.
func StoreRows(ctx context.Context, path, tempDir string) (rows []StoreRow, err error) {
	err = View(ctx, path, tempDir, func(d *DB) error {
		rows = nil
		facts, err := d.Scan(ctx)
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(facts)) {
			s, err := d.Session(ctx, id)
			if err != nil {
				return err
			}
			if s == nil || id == "" {
				continue
			}
			if s.ID = id; s.Place.HostType == "vscode" { // not a forge
				s.Place.HostType = ""
			}
			rows = append(rows, StoreRow{ID: id, Session: s, Spoken: facts[id].Spoken})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read store %q: %w", path, err)
	}
	return rows, nil
}

// Memories reads the memories in a store, as one session without turns for each repository.
func (d *DB) Memories(ctx context.Context) (all []*sources.Session, err error) {
	err = d.Rows(ctx, "dynamic_context_items", "ORDER BY 1, 2, 3, 4", func(c []string) {
		if n := len(all); n == 0 || all[n-1].Title != c[0] {
			all = append(all, &sources.Session{
				IsMemory: true, Title: c[0], TitleFrom: sources.TrustDerived, Place: sources.Place{Repository: c[0], HostType: "github"},
			})
		}
		text := strings.TrimSpace(strings.TrimSpace(c[4]) + "\n\n" + strings.TrimSpace(c[5]))
		labels := slices.DeleteFunc([]string{c[1], c[2], c[3]}, func(l string) bool { return l == "" })
		repo := all[len(all)-1]
		repo.Artifacts = append(repo.Artifacts, sources.Artifact{Kind: sources.Memory, Name: strings.Join(labels, "/"), Text: text, Size: int64(len(text))})
	}, nil, "repository", "branch", "src", "name", "description", "content")
	return all, err
}

// Indexed reads the texts of files in the folder of a session that a store copied into its search
// index, by path. It scans the whole index.
func (d *DB) Indexed(ctx context.Context, session string, each func(path, text string)) error {
	has := false
	err := d.Each(ctx, "SELECT 1 FROM sqlite_schema WHERE name = 'search_index' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%'", func([]string) { has = true })
	if err != nil || !has {
		return err
	}
	const texts = `SELECT CAST(source_id AS TEXT), CAST(content AS TEXT) FROM search_index
		WHERE source_type = 'workspace_artifact' AND session_id = ? ORDER BY source_id`
	return d.Each(ctx, texts, func(c []string) { // <session>:workspace:<absolute path>
		_, rel, _ := strings.Cut(strings.ReplaceAll(c[0], `\`, "/"), "/session-state/"+session+"/")
		each(rel, c[1])
	}, session)
}

// Todos reads the list of tasks from a session's database in the order written, without abandoned
// tasks; ok is false if there is none. origin becomes the tasks' Origin.
func (d *DB) Todos(ctx context.Context, origin string) (all []sources.Todo, ok bool, err error) {
	columns, err := d.Columns(ctx, "todos")
	if err != nil || !columns["id"] && !columns["title"] {
		return nil, false, err
	}
	places := map[string]int{}
	q := Select(columns, "todos", "", "id", "title", "description", "status", "updated_at", "created_at")
	err = d.Each(ctx, q, func(c []string) {
		t := sources.Todo{ID: c[0], Title: c[1], Description: c[2], Status: tools.Status(c[3]), Raw: c[3], Origin: origin, At: cmp.Or(words.Time(c[4]), words.Time(c[5]))}
		if !tools.IsGivenUp(c[3]) {
			places[t.ID] = len(all)
			all = append(all, t)
		}
	})
	err = errors.Join(err, d.Rows(ctx, "todo_deps", "ORDER BY 2", func(c []string) {
		if i, known := places[c[0]]; known && c[1] != "" {
			all[i].After = append(all[i].After, c[1])
		}
	}, nil, "todo_id", "depends_on"))
	return all, true, err
}
