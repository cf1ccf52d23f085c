package copilotcli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// readStore reads a store as a whole: the memory it keeps of repositories, and
// the sessions of which nothing but rows is left. Those may have been deleted by
// the user, so they are named, and given only where Config.StoreOnly says so.
func (s *Source) readStore(ctx context.Context, item sources.Item) (sources.Reading, error) {
	p, ok := item.Part(partStore)
	if !ok {
		return sources.Reading{}, fmt.Errorf("read %q: no store among its parts", item.Key)
	}
	_, listed := s.cfg.found()
	st := s.store(p.Path)
	var out sources.Reading
	err := st.View(ctx, func(db *sqlite.DB) (err error) {
		out = sources.Reading{BytesRead: p.Stamp.Size}
		if out.Sessions, err = memories(ctx, db); err != nil {
			return err
		}
		scanned, err := db.Scan(ctx)
		if err != nil {
			return err
		}
		if err := db.Replaced(ctx); errors.Is(err, sqlite.ErrReplaced) {
			out.Problems = []sources.Problem{files.Problem(agentName, programName, item.Key, p.Path, err)}
		} else if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(scanned)) {
			if !scanned[name].Spoken || listed[sources.FoldUUID(name)] {
				continue
			}
			if err := s.addRows(ctx, db, name, &out); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		st.told.Store(true) // the returned error tells it
		return sources.Reading{}, err
	}
	return out, nil
}

// addRows adds a session of which only rows are left, or its id alone.
func (s *Source) addRows(ctx context.Context, db *sqlite.DB, name string, out *sources.Reading) error {
	id := sessionID(name)
	if id == "" || s.cfg.StoreOnly {
		rows, err := rowsOf(ctx, db, name, facts{}, nil)
		if err != nil || rows == nil {
			return err
		}
		if id == "" {
			id = namedID(name, createdAt(rows.Created))
			rows.Aliases = otherIDs([]string{bareID(name)}, id)
		}
		if s.cfg.StoreOnly {
			if err := addIndexed(ctx, db, name, rows); err != nil {
				return err
			}
			rows.Damage = []string{"only the store's rows are left"}
			out.Sessions = append(out.Sessions, storeSession(id, layerStore, rows))
		}
	}
	out.RowsOnly = append(out.RowsOnly, id)
	return nil
}

// addIndexed adds the texts of files that the CLI copied into its search index. All of
// the index is scanned.
func addIndexed(ctx context.Context, db *sqlite.DB, name string, s *sources.Session) error {
	has := false
	err := db.Each(ctx, "SELECT 1 FROM sqlite_schema WHERE name = 'search_index' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%'", func([]string) { has = true })
	if err != nil || !has {
		return err
	}
	const texts = `SELECT CAST(source_id AS TEXT), CAST(content AS TEXT) FROM search_index
		WHERE source_type = 'workspace_artifact' AND session_id = ? ORDER BY source_id`
	return db.Each(ctx, texts, func(c []string) {
		// <session>:workspace:<absolute path>
		_, rel, _ := strings.Cut(strings.ReplaceAll(c[0], `\`, "/"), "/session-state/"+name+"/")
		kinds := map[string]string{"files": sources.File, "research": sources.Research}
		folder, file, nested := strings.Cut(rel, "/")
		if kind := kinds[folder]; nested && kind != "" {
			s.Artifacts = append(s.Artifacts, sources.Artifact{Kind: kind, Name: file, Text: c[1], Size: int64(len(c[1]))})
		} else if rel == partPlan {
			s.Artifacts = append(s.Artifacts, sources.Artifact{Kind: sources.Plan, Name: partPlan, Text: c[1], Size: int64(len(c[1]))})
		}
	}, name)
}

func storeSession(id, layer string, s *sources.Session) sources.SessionLayers {
	s.ID, s.Agent = id, agentName
	files.SetUpdated(s)
	return sources.SessionLayers{ID: id, Layers: []sources.Layer{{Name: layer, Rank: sources.RankStore, Session: s}}}
}

// memories reads dynamic_context_items, one session without turns for each
// repository. The counters of the table move by reading and are left out.
func memories(ctx context.Context, db *sqlite.DB) (all []sources.SessionLayers, err error) {
	const table = "dynamic_context_items"
	columns, err := db.Columns(ctx, table)
	if err != nil || !columns["repository"] || !columns["content"] {
		return nil, err
	}
	var repo *sources.Session
	q := sqlite.Select(columns, table, "ORDER BY 1, 2, 3, 4", "repository", "branch", "src", "name", "description", "content")
	err = db.Each(ctx, q, func(c []string) {
		if repo == nil || repo.Title != c[0] {
			repo = &sources.Session{IsMemory: true, Title: c[0], TitleFrom: sources.TrustDerived, Place: sources.Place{Repository: c[0], HostType: "github"}}
			all = append(all, storeSession(bareID(c[0]), layerMemory, repo))
		}
		text := strings.TrimSpace(strings.TrimSpace(c[4]) + "\n\n" + strings.TrimSpace(c[5]))
		labels := slices.DeleteFunc([]string{c[1], c[2], c[3]}, func(l string) bool { return l == "" })
		repo.Artifacts = append(repo.Artifacts, sources.Artifact{
			Kind: sources.Memory, Name: strings.Join(labels, "/"), Text: text, Size: int64(len(text)),
		})
	})
	return all, err
}

// A session that the SDK started may be called anything, and alike in several
// homes. What its name lacks is taken from how it began, which never changes: the
// start that its log tells, else the time of creation in workspace.yaml, else that
// in the store. So a copied folder is the same session and another one is not.

// sessionName is the name of a session's folder or file, as the store and the
// metadata know it.
func sessionName(item sources.Item) string {
	return item.Key[strings.LastIndexByte(item.Key, '/')+1:]
}

// sessionID is the identity of a session, as far as its name alone tells: empty
// where that is no UUID.
func sessionID(name string) string {
	if id := sources.FoldUUID(name); sources.IsUUID(id) {
		return id
	}
	return ""
}

// namedID is the identity of a session whose name is no UUID, by how it began. Its
// digest is of letters: a number would read as that of a part of the session.
func namedID(name, began string) string {
	letters := strings.Map(func(r rune) rune {
		if r <= '9' {
			return r - '0' + 'g'
		}
		return r
	}, files.Hash(name, began)[:8])
	return bareID(name) + ":" + letters
}

// bareID is an id that names alone make, under which rows of a store may be known.
func bareID(name string) string { return agentName + ":" + name }

// createdAt is how a session began whose log does not tell, empty where that is unknown.
func createdAt(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// otherIDs are the ids besides one, each once. A list of them is kept by line.
func otherIDs(ids []string, but string) (out []string) {
	for _, id := range ids {
		if id != but && !slices.Contains(out, id) && !strings.Contains(id, "\n") {
			out = append(out, id)
		}
	}
	return out
}

// forkedFrom is the id of the session that a log says it was forked from. A fork
// begins with the start of its parent.
func forkedFrom(name, start string) string {
	if id := sessionID(name); id != "" || name == "" {
		return id
	}
	return namedID(name, start)
}
