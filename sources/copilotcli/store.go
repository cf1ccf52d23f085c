package copilotcli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// store is session-store.db during one pass. The CLI derives it from the logs, a turn behind, and never
// deletes rows; it only fills gaps.
type store struct {
	sqlite.Snapshot
	told atomic.Bool // a failure was reported: one problem a pass is enough
}

// digest changes if the store's data about the session changes. "" means no rows.
func (s *store) digest(ctx context.Context, name string) (digest string, err error) {
	err = s.View(ctx, func(db *sqlite.DB) error {
		scanned, err := db.Scan(ctx)
		digest = ""
		if rows, ok := scanned[name]; ok {
			digest = files.Hash(rows.Parts...)
		}
		return err
	})
	return digest, err
}

func (r *reading) readRows(ctx context.Context) error {
	if r.store == nil {
		return nil
	}
	la := sources.Layer{Name: layerStore, Rank: sources.RankStore, Provisional: r.poorer}
	err := r.store.View(ctx, func(db *sqlite.DB) (err error) {
		la.Session, err = rowsOf(ctx, db, sessionName(r.Item), r.log, r.known)
		return err
	})
	if la.Failed = err != nil; la.Failed {
		la.Session = nil
		if ctx.Err() == nil && !r.store.told.Swap(true) {
			r.Problem(r.store.Path, err)
		}
	}
	if la.Failed || la.Session != nil {
		r.Add(la)
	}
	return ctx.Err()
}

// rowsOf builds a session from its rows, or returns nil if there are none. known are checkpoints of log or files.
func rowsOf(ctx context.Context, db *sqlite.DB, name string, log facts, known []int) (*sources.Session, error) {
	whole := log.read && log.whole
	var without []string
	if whole || log.rewound {
		without = append(without, sqlite.Turns)
	}
	if log.rewound { // rows outlive a rewind
		without = append(without, sqlite.Checkpoints)
	}
	if log.rewound || log.fork && whole { // a fork's rows may be its parent's
		without = append(without, sqlite.Files, sqlite.Refs)
	}
	s, err := db.Session(ctx, name, without...)
	if err != nil || s == nil {
		return nil, err
	}
	s.Files = slices.DeleteFunc(s.Files, func(f sources.FileTouch) bool { return eventlog.InStateFolder(f.Path) })
	if whole { // only for the time and the sections that a file may lack
		s.Checkpoints = slices.DeleteFunc(s.Checkpoints, func(c sources.Checkpoint) bool { return !slices.Contains(known, c.Number) })
	}
	if log.read { // after a rewind, a fork or a reindex the rows number turns differently
		for i := range s.Files {
			s.Files[i].Turn = -1
		}
		for i := range s.Refs {
			s.Refs[i].Turn = -1
		}
	}
	prompt := log.prompt
	if prompt == "" && len(s.Turns) > 0 {
		prompt = s.Turns[0].User
	}
	if s.Title != "" && words.IsPrompt(prompt, s.Title, storeCut) {
		s.TitleFrom = sources.TrustPrompt
	}
	return s, nil
}

// readStore reads a store as a whole: its memory of repositories, and the sessions of which only rows
// are left. The user may have deleted those, so they are named, and returned only if Config.StoreOnly
// is set.
func (s *Source) readStore(ctx context.Context, item sources.Item) (out sources.Reading, err error) {
	p, ok := item.Part(partStore)
	if !ok {
		return out, fmt.Errorf("read %q: no store among its parts", item.Key)
	}
	_, listed := s.found()
	st := s.store(p.Path)
	err = st.View(ctx, func(db *sqlite.DB) error {
		out = sources.Reading{BytesRead: p.Stamp.Size}
		repos, err := db.Memories(ctx)
		for _, repo := range repos {
			out.Sessions = append(out.Sessions, storeSession(bareID(repo.Title), layerMemory, repo))
		}
		scanned, serr := db.Scan(ctx)
		replaced, rerr := db.Replaced(ctx)
		if err = errors.Join(err, serr, rerr); err != nil {
			return err
		}
		if replaced != "" {
			err := fmt.Errorf("a view or virtual table stands in place of a table, and is not read: %s", replaced)
			out.Problems = []sources.Problem{files.Problem(agentName, s.Program, item.Key, p.Path, err)}
		}
		for _, name := range slices.Sorted(maps.Keys(scanned)) {
			if scanned[name].Spoken && !listed[sources.FoldUUID(name)] {
				err = errors.Join(err, s.addRows(ctx, db, name, &out))
			}
		}
		return err
	})
	if err != nil {
		st.told.Store(true) // the returned error reports it
		return sources.Reading{}, err
	}
	return out, nil
}

// addRows adds a session of which only rows are left, or only its id.
func (s *Source) addRows(ctx context.Context, db *sqlite.DB, name string, out *sources.Reading) error {
	id := sessionID(name)
	if id == "" || s.StoreOnly {
		rows, err := rowsOf(ctx, db, name, facts{}, nil)
		if err != nil || rows == nil {
			return err
		}
		if id == "" {
			id = namedID(name, createdAt(rows.Created))
			rows.Aliases = otherIDs([]string{bareID(name)}, id)
		}
		if s.StoreOnly {
			err := db.Indexed(ctx, name, func(path, text string) {
				if kind, file := eventlog.ArtifactAt(path); kind != "" {
					rows.Artifacts = append(rows.Artifacts, sources.Artifact{Kind: kind, Name: file, Text: text, Size: int64(len(text))})
				}
			})
			if err != nil {
				return err
			}
			rows.Damage = []string{"only the store's rows are left"}
			out.Sessions = append(out.Sessions, storeSession(id, layerStore, rows))
		}
	}
	out.RowsOnly = append(out.RowsOnly, id)
	return nil
}

func storeSession(id, layer string, s *sources.Session) sources.SessionLayers {
	s.ID, s.Agent = id, agentName
	files.SetUpdated(s)
	return sources.SessionLayers{ID: id, Layers: []sources.Layer{{Name: layer, Rank: sources.RankStore, Session: s}}}
}
