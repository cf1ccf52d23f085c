package copilotcli

import (
	"cmp"
	"context"
	"errors"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// checkpointFile is one file of checkpoints/.
type checkpointFile struct {
	name  string
	text  string
	mtime time.Time // for order only, never for output

	sources.Checkpoint
}

// numberOf is the number that the name of a file begins with; more digits are those of a UUID.
var numberOf = pattern.Lazy(`^(\d{1,6})[-.]`)

// checkpoints reads the folder: NNN-slug.md in tagged sections, JSON variants
// and the index that knows the titles. Numbers are unique: one that is taken or missing becomes the next free.
func checkpoints(files []checkpointFile) []sources.Checkpoint {
	var titles map[string]string
	var found []checkpointFile
	for _, f := range files {
		ok := true
		switch ext := path.Ext(f.name); {
		case f.name == "index.md":
			titles = checkpointTitles(f.text)
			continue
		case ext == ".json":
			f.Checkpoint, ok = checkpointJSON(f.text)
		case ext == ".md":
			f.Checkpoint = eventlog.ParseSections(f.text)
		}
		if m := numberOf().FindStringSubmatch(f.name); m != nil && f.Number == 0 {
			f.Number, _ = strconv.Atoi(m[1])
		}
		if ok {
			found = append(found, f)
		}
	}
	for i := range found {
		found[i].Title = cmp.Or(titles[found[i].name], found[i].Title)
	}
	return numbered(found)
}

// numbered puts checkpoints in order: by number, those without one last and by
// their own time, else by that of the file; markdown before JSON.
func numbered(found []checkpointFile) (out []sources.Checkpoint) {
	slices.SortStableFunc(found, func(a, b checkpointFile) int {
		return cmp.Or(
			cmp.Compare(uint(a.Number-1), uint(b.Number-1)), // none is the largest
			strings.Compare(path.Ext(b.name), path.Ext(a.name)),
			a.At.Compare(b.At),
			a.mtime.Compare(b.mtime),
			strings.Compare(a.name, b.name),
		)
	})
	highest := 0
	for _, c := range found {
		highest = max(highest, c.Number)
	}
	taken, known := map[int]bool{}, map[[2]string]bool{}
	for _, c := range found {
		text := [2]string{c.Overview, c.WorkDone}
		if known[text] { // one checkpoint may lie there in two forms
			continue
		}
		known[text] = text != [2]string{}
		if c.Number == 0 || taken[c.Number] {
			highest++
			c.Number = highest
		}
		taken[c.Number] = true
		out = append(out, c.Checkpoint)
	}
	slices.SortStableFunc(out, func(a, b sources.Checkpoint) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// tableRow takes a row of checkpoints/index.md apart from the outside in, for titles
// are not escaped and may hold a pipe.
var tableRow = pattern.Lazy(`(?m)^\|\s*\d+\s*\|(.*)\|\s*([^|\n]+?)\s*\|\s*$`)

// checkpointTitles gives the titles by file name.
func checkpointTitles(text string) map[string]string {
	titles := map[string]string{}
	for _, m := range tableRow().FindAllStringSubmatch(text, -1) {
		titles[m[2]] = strings.TrimSpace(m[1])
	}
	return titles
}

// checkpointJSON reads a checkpoint in JSON, with fields in either spelling.
func checkpointJSON(text string) (c sources.Checkpoint, ok bool) {
	var file decode.Table[flat]
	if decode.Text(text, &file) != nil {
		return c, false
	}
	fields := map[string]string{}
	for name, value := range file.All() {
		fields[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = string(value)
	}
	c = sources.Checkpoint{
		Overview: fields["overview"], History: fields["history"], WorkDone: fields["workdone"],
		Technical: fields["technicaldetails"], Important: fields["importantfiles"], NextSteps: fields["nextsteps"],
	}
	if c == (sources.Checkpoint{}) {
		body := cmp.Or(fields["content"], fields["summary"], fields["summarycontent"])
		if body == "" {
			return c, false
		}
		c = eventlog.ParseSections(body)
	}
	c.Title = cmp.Or(fields["title"], fields["checkpointtitle"], c.Title)
	c.At = words.Time(cmp.Or(fields["createdat"], fields["timestamp"]))
	if n, err := strconv.ParseUint(cmp.Or(fields["number"], fields["checkpointnumber"]), 10, 30); err == nil {
		c.Number = int(n)
	}
	return c, true
}

// flat is a JSON value as text: a list one item a line, as a list.
type flat string

// ReadJSON implements decode.Reader.
func (f *flat) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var value decode.Scalar
	var items []flat
	if d.PeekKind() == '[' {
		err = d.Read(&items)
	} else {
		err = d.Read(&value)
	}
	var lines []string
	for _, item := range items {
		if item != "" {
			lines = append(lines, "- "+string(item))
		}
	}
	*f = flat(strings.TrimSpace(value.Text) + strings.Join(lines, "\n"))
	return true, err
}

// readTodos reads the agent's own list out of session.db, in the order it was written.
// The file holds other tables too, and may lack this one.
func (r *reading) readTodos(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTodos, Rank: sources.RankSidecar}, partTodos, func(la *sources.Layer, path string) error {
		return sqlite.View(ctx, path, r.cfg.TempDir, func(db *sqlite.DB) (err error) {
			la.Session, err = todosOf(ctx, db)
			return err
		})
	})
}

// todosOf is a session of nothing but its list, nil where the database has no such table.
func todosOf(ctx context.Context, db *sqlite.DB) (*sources.Session, error) {
	columns, err := db.Columns(ctx, "todos")
	if err != nil || !columns["id"] && !columns["title"] {
		return nil, err
	}
	s := &sources.Session{}
	q := sqlite.Select(columns, "todos", "", "id", "title", "description", "status", "updated_at", "created_at")
	err = db.Each(ctx, q, func(c []string) {
		t := sources.Todo{ID: c[0], Title: c[1], Description: c[2], Status: tools.Status(c[3]), Raw: c[3], Origin: partTodos, At: words.Time(c[4])}
		if t.At.IsZero() {
			t.At = words.Time(c[5])
		}
		s.Todos = append(s.Todos, t)
	})
	return s, errors.Join(err, dependencies(ctx, db, s.Todos))
}

// dependencies notes which entries depend on which others.
func dependencies(ctx context.Context, db *sqlite.DB, todos []sources.Todo) error {
	columns, err := db.Columns(ctx, "todo_deps")
	if err != nil || !columns["todo_id"] || !columns["depends_on"] {
		return err
	}
	return db.Each(ctx, sqlite.Select(columns, "todo_deps", "ORDER BY 2", "todo_id", "depends_on"), func(c []string) {
		i := slices.IndexFunc(todos, func(t sources.Todo) bool { return t.ID == c[0] })
		if i >= 0 && c[1] != "" {
			todos[i].After = append(todos[i].After, c[1])
		}
	})
}
