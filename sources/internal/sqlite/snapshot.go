package sqlite

import (
	"context"
	"errors"
	"sync"
)

// Snapshot is a database at one moment, opened when it is first asked. It is safe for
// concurrent use.
type Snapshot struct {
	Path    string
	TempDir string // for copies; "" means the system's

	mu  sync.Mutex
	db  *DB
	err error // why it cannot be read
}

// rereads bounds how often a database that is being written is read anew.
const rereads = 4

// View gives the database to fn, again at a later moment where the file changed
// meanwhile; fn must start afresh each time. One that cannot be read stays so.
func (s *Snapshot) View(ctx context.Context, fn func(*DB) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	var err error
	for range rereads {
		if s.db == nil {
			if s.db, err = Open(ctx, s.Path, s.TempDir); err != nil {
				break
			}
		}
		err = fn(s.db)
		moved := s.db.Unchanged()
		if moved == nil {
			break
		}
		err = errors.Join(moved, s.closeLocked())
	}
	if err != nil && ctx.Err() == nil {
		s.err = errors.Join(err, s.closeLocked())
	}
	return err
}

// Close gives the database up.
func (s *Snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeLocked()
}

func (s *Snapshot) closeLocked() (err error) {
	if s.db != nil {
		err = s.db.Close()
	}
	s.db = nil
	return err
}
