package copilotcli

import (
	"context"
	"sync"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// store is session-store.db during one pass: one snapshot, opened when first
// asked. The CLI derives it from the logs, a turn behind, and never deletes rows;
// it fills gaps and owns nothing (formats/copilot-cli.md, sections 0 and 1).
type store struct {
	path, tempDir string

	mu   sync.Mutex
	db   *sqlite.Store
	err  error // why it cannot be read in this pass
	told bool  // err was reported as a problem
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
		if uerr := s.db.Unchanged(); uerr == nil {
			break
		} else {
			err = uerr
		}
		_ = s.closeLocked()
	}
	if err != nil && ctx.Err() == nil {
		_ = s.closeLocked()
		s.err = err
	}
	return err
}

// digest changes when what the store says of a session changes: beside a log
// what a survey tells, without a log all that is read of it. "" means no rows.
func (s *store) digest(ctx context.Context, session string, hasLog bool) (string, error) {
	var d string
	err := s.view(ctx, func(db *sqlite.Store) error {
		d = ""
		survey, err := db.Survey(ctx)
		if err != nil {
			return err
		}
		facts, ok := survey[session]
		if !ok {
			return nil
		}
		d = files.Hash(facts.Parts...)
		if hasLog {
			return nil
		}
		all, err := rowsReader{db: db, name: session}.session(ctx)
		d = digestOf(d, all)
		return err
	})
	return d, err
}

// tell reports whether the store's error is still to be told: one problem a pass
// is enough for all its sessions.
func (s *store) tell() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil || s.told {
		return false
	}
	s.told = true
	return true
}

func (s *store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeLocked()
}

func (s *store) closeLocked() error {
	if s.db == nil {
		return nil
	}
	err := s.db.Close()
	s.db = nil
	return err
}
