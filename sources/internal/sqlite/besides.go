package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Memories reads what a store remembers, one session without turns for each repository. The
// counters of the table move by reading and are left out.
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
// index, by their paths there. All of the index is scanned.
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

// Todos reads the list of tasks that an agent keeps in a database of its session, in the order it was
// written, without what was given up; ok is false where the database has none. origin is what the tasks
// say of where they stand.
func (d *DB) Todos(ctx context.Context, origin string) (all []sources.Todo, ok bool, err error) {
	columns, err := d.Columns(ctx, "todos")
	if err != nil || !columns["id"] && !columns["title"] {
		return nil, false, err
	}
	places := map[string]int{}
	q := Select(columns, "todos", "", "id", "title", "description", "status", "updated_at", "created_at")
	err = d.Each(ctx, q, func(c []string) {
		t := sources.Todo{ID: c[0], Title: c[1], Description: c[2], Status: tools.Status(c[3]), Raw: c[3], Origin: origin, At: words.Time(c[4])}
		if t.At.IsZero() {
			t.At = words.Time(c[5])
		}
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
