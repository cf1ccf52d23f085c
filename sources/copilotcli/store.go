package copilotcli

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// store is session-store.db during one pass: one snapshot, opened when first
// asked. The CLI derives it from the logs, a turn behind, and never deletes rows;
// it fills gaps and owns nothing (formats/copilot-cli.md, sections 0 and 1).
type store struct {
	path, tempDir string

	told atomic.Bool // that it cannot be read: one problem a pass is enough for all its sessions

	mu  sync.Mutex
	db  *sqlite.Store
	err error // why it cannot be read in this pass
}

// view gives the snapshot to fn, again from a new one where the file changed
// meanwhile; fn must start afresh each time. A store that cannot be read stays so
// for the pass.
func (s *store) view(ctx context.Context, fn func(*sqlite.Store) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	var err error
	for range 4 {
		if s.db == nil {
			if s.db, err = sqlite.OpenStore(ctx, s.path, s.tempDir); err != nil {
				break
			}
		}
		err = fn(s.db)
		if moved := s.db.Unchanged(); moved != nil {
			err = errors.Join(moved, s.closeLocked())
			continue
		}
		break
	}
	if err != nil && ctx.Err() == nil {
		s.err = errors.Join(err, s.closeLocked())
	}
	return err
}

func (s *store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeLocked()
}

func (s *store) closeLocked() (err error) {
	if s.db != nil {
		err = s.db.Close()
	}
	s.db = nil
	return err
}

// digest changes when what the store says of a session changes: beside a log
// what a survey tells, without a log all that is read of it. "" means no rows.
func (s *store) digest(ctx context.Context, name string, hasLog bool) (digest string, err error) {
	err = s.view(ctx, func(db *sqlite.Store) error {
		survey, err := db.Survey(ctx)
		rows, ok := survey[name]
		if digest = ""; err != nil || !ok {
			return err
		}
		if hasLog {
			digest = files.Hash(rows.Parts...)
			return nil
		}
		all, err := rowsOf(ctx, db, name, facts{}, nil)
		if err == nil {
			digest, err = digestOf(rows.Parts, all)
		}
		return err
	})
	return digest, err
}

// digestOf hashes what makes a digest.
func digestOf(values ...any) (string, error) {
	text, err := json.Marshal(values)
	return files.Hash(string(text)), err
}

// readRows fills gaps from the store.
func (r *reading) readRows(ctx context.Context) error {
	if r.store == nil {
		return nil
	}
	la := sources.Layer{Name: layerStore, Rank: sources.RankStore, Provisional: r.poorer}
	err := r.store.view(ctx, func(db *sqlite.Store) (err error) {
		la.Session, err = rowsOf(ctx, db, sessionName(r.Item), r.log, r.known)
		return err
	})
	if la.Failed = err != nil; la.Failed {
		la.Session = nil
		if ctx.Err() == nil && !r.store.told.Swap(true) {
			r.Problem(r.store.path, err)
		}
	}
	if la.Failed || la.Session != nil {
		r.Add(la)
	}
	return ctx.Err()
}

// rowsOf makes a session of its rows, nil where the store has none of it. Beside a log
// the rows may count turns as the log does not, after a rewind, a fork or a reindex.
// known are the checkpoints that log or files know.
func rowsOf(ctx context.Context, db *sqlite.Store, name string, log facts, known []int) (*sources.Session, error) {
	whole := log.read && log.whole
	s, err := db.Session(ctx, name, sqlite.Take{
		Turns:       !log.read || !log.whole && !log.rewound,
		Checkpoints: !log.rewound,
		// A fork's rows may be its parent's, and rows outlive what was rewound.
		Touches: !log.rewound && (!log.fork || !log.whole),
		// Beside a whole log only for the time and the sections a file may lack.
		Checkpoint: func(n int) bool { return !whole || slices.Contains(known, n) },
		File:       func(path string) bool { return !eventlog.InStateFolder(path) },
		Numbered:   !log.read,
	})
	if err != nil || s == nil {
		return nil, err
	}
	prompt := log.prompt
	if prompt == "" && len(s.Turns) > 0 {
		prompt = s.Turns[0].User
	}
	if s.Title != "" && isPrompt(prompt, s.Title) {
		s.TitleFrom = sources.TrustPrompt
	}
	return s, nil
}
