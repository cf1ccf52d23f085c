package copilotcli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// storeRest is what a store holds beyond the sessions that are listed.
type storeRest struct {
	sessions []sources.SessionLayers // memory by repository, then rows without a folder
	rowsOnly []string                // ids of the latter
	replaced error                   // what stands in place of tables
}

// readMultiSession reads a store as a whole: the memory it keeps of repositories, and
// the sessions of which nothing but rows is left. Those may have been deleted by
// the user, so they are named, and given only where Config.StoreOnly says so.
func (s *Source) readMultiSession(ctx context.Context, item sources.Item) (sources.Reading, error) {
	p, ok := item.Part(partStore)
	if !ok {
		return sources.Reading{}, fmt.Errorf("read %q: no store among its parts", item.Key)
	}
	all, err := s.storeRest(ctx, p.Path)
	if err != nil {
		s.store(p.Path).tell() // the returned error tells it
		return sources.Reading{}, err
	}
	out := sources.Reading{Sessions: all.sessions, RowsOnly: all.rowsOnly, BytesRead: p.Stamp.Size}
	if all.replaced != nil {
		out.Problems = append(out.Problems, newProblem(item.Key, p.Path, all.replaced))
	}
	return out, nil
}

// storeRest collects both kinds of sessions from the store at path.
func (s *Source) storeRest(ctx context.Context, path string) (all storeRest, err error) {
	listed, err := s.listedNames(ctx)
	if err != nil {
		return storeRest{}, err
	}
	st := s.store(path)
	err = st.view(ctx, func(db *sqlite.Store) error {
		all = storeRest{}
		if all.sessions, err = memories(ctx, db); err != nil {
			return err
		}
		survey, err := db.Survey(ctx)
		if err != nil {
			return err
		}
		if all.replaced = db.Replaced(ctx); all.replaced != nil && !errors.Is(all.replaced, sqlite.ErrReplaced) {
			return all.replaced
		}
		for _, n := range slices.Sorted(maps.Keys(survey)) {
			if !survey[n].Spoken || listed[sources.FoldUUID(n)] {
				continue
			}
			if err := all.addRows(ctx, db, n, s.cfg.StoreOnly); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// addRows adds a session of which only rows are left; with told, what they tell.
func (x *storeRest) addRows(ctx context.Context, db *sqlite.Store, n string, told bool) error {
	id, reader := sessionID(n), rowsReader{db: db, name: n}
	if id != "" && !told {
		x.rowsOnly = append(x.rowsOnly, id)
		return nil
	}
	session, err := reader.session(ctx)
	if err != nil || session == nil {
		return err
	}
	if id == "" {
		id = namedID(n, createdAt(session.Created))
		session.Aka = otherIDs([]string{agentName + ":" + n}, id)
	}
	x.rowsOnly = append(x.rowsOnly, id)
	if !told {
		return nil
	}
	if err := reader.artifacts(ctx, session); err != nil {
		return err
	}
	session.Damage = []string{onlyRows}
	x.sessions = append(x.sessions, memorySession(id, layerStore, session))
	return nil
}

func memorySession(id, layer string, s *sources.Session) sources.SessionLayers {
	s.ID, s.Agent = id, agentName
	words.SetUpdated(s)
	return sources.SessionLayers{ID: id, Layers: []sources.Layer{{Name: layer, Rank: sources.RankStore, Session: s}}}
}

// memories reads dynamic_context_items, one session without turns for each
// repository. The counters of the table move by reading and are left out.
func memories(ctx context.Context, db *sqlite.Store) ([]sources.SessionLayers, error) {
	const table = "dynamic_context_items"
	columns, err := db.Columns(ctx, table)
	if err != nil || !columns["repository"] || !columns["content"] {
		return nil, err
	}
	byRepository := map[string]*sources.Session{}
	var order []string
	q := sqlite.Select(columns, table, "ORDER BY 1, 2, 3, 4", "repository", "branch", "src", "name", "description", "content")
	err = db.Each(ctx, q, func(c []string) {
		repo := byRepository[c[0]]
		if repo == nil {
			repo = &sources.Session{IsMemory: true, Title: c[0], TitleFrom: sources.TrustDerived, Place: sources.Place{Repository: c[0], HostType: "github"}}
			byRepository[c[0]] = repo
			order = append(order, c[0])
		}
		text := strings.TrimSpace(strings.TrimSpace(c[4]) + "\n\n" + strings.TrimSpace(c[5]))
		labels := slices.DeleteFunc([]string{c[1], c[2], c[3]}, func(l string) bool { return l == "" })
		repo.Artifacts = append(repo.Artifacts, sources.Artifact{
			Kind: sources.Memory, Name: strings.Join(labels, "/"), Text: text, Size: int64(len(text)),
		})
	})
	var all []sources.SessionLayers
	for _, r := range order {
		all = append(all, memorySession(agentName+":"+r, layerMemory, byRepository[r]))
	}
	return all, err
}

// listedNames are the sessions of the last List, which is made up for where
// there was none.
func (s *Source) listedNames(ctx context.Context) (map[string]bool, error) {
	s.mu.Lock()
	listed := s.listed
	s.mu.Unlock()
	if listed != nil {
		return listed, nil
	}
	if _, err := s.List(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed, nil
}
