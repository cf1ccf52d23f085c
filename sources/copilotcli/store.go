package copilotcli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources/internal/snapshot"
)

// store is session-store.db during one pass: one snapshot, opened when first
// asked. The CLI derives it from the logs, a turn behind, and never deletes rows;
// it fills gaps and owns nothing (formats/copilot-cli.md, sections 0 and 1).
type store struct {
	path, tempDir string

	mu      sync.Mutex
	db      *snapshot.DB
	columns map[string]map[string]bool // of each table, empty where it is missing
	rows    map[string]*rowsOf         // by session id as the store writes it
	err     error                      // why it cannot be read in this pass
	told    bool                       // err was reported as a problem
}

// rowsOf says what the store has of a session without holding it.
type rowsOf struct {
	parts  []string // what the digest is made of
	spoken bool     // a turn or checkpoint is there
}

// storeTables are the tables that are read.
var storeTables = [...]string{"sessions", "turns", "checkpoints", "session_files", "session_refs", "dynamic_context_items"}

// view gives the snapshot to fn, again from a new one where the file changed
// meanwhile; fn must start afresh each time. A store that cannot be read stays so
// for the pass.
func (s *store) view(ctx context.Context, fn func(*snapshot.DB) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	var err error
	for range 4 {
		if err = s.open(ctx); err != nil {
			break
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

// open opens the snapshot and learns its tables.
func (s *store) open(ctx context.Context) error {
	if s.db != nil {
		return nil
	}
	db, err := snapshot.Open(ctx, s.path, s.tempDir)
	if err != nil {
		return err
	}
	s.db, s.rows, s.columns = db, nil, map[string]map[string]bool{}
	for _, t := range storeTables {
		if s.columns[t], err = db.Columns(ctx, t); err != nil {
			return errors.Join(err, s.closeLocked())
		}
	}
	return nil
}

// digest changes when what the store says of a session changes. Beside a log the
// session's own row counts by content, checkpoints by number, newest id and
// length, other rows by number and newest id, which indexes tell without reading
// the rows; without a log all that is read of it counts. "" means no rows.
func (s *store) digest(ctx context.Context, session string, hasLog bool) (string, error) {
	var d string
	err := s.view(ctx, func(db *snapshot.DB) error {
		if err := s.survey(ctx, db); err != nil {
			return err
		}
		d = ""
		r := s.rows[session]
		if r == nil {
			return nil
		}
		d = digestOf(r.parts...)
		if hasLog {
			return nil
		}
		all, err := (&rowsReader{store: s, db: db, name: session}).session(ctx)
		d = basisOf(d, all)
		return err
	})
	return d, err
}

// spoken names the sessions that have at least a turn or a checkpoint, sorted.
func (s *store) spoken(ctx context.Context, db *snapshot.DB) ([]string, error) {
	if err := s.survey(ctx, db); err != nil {
		return nil, err
	}
	var names []string
	for _, n := range slices.Sorted(maps.Keys(s.rows)) {
		if s.rows[n].spoken {
			names = append(names, n)
		}
	}
	return names, nil
}

// survey reads what the digests need, of all sessions at once.
func (s *store) survey(ctx context.Context, db *snapshot.DB) error {
	if s.rows != nil {
		return nil
	}
	rows := map[string]*rowsOf{}
	at := func(id string) *rowsOf {
		if rows[id] == nil {
			rows[id] = &rowsOf{}
		}
		return rows[id]
	}
	if s.columns["sessions"]["id"] {
		q := snapshot.Select(s.columns["sessions"], "sessions", "", sessionColumns...)
		if err := eachRow(ctx, db, q, func(c []string) {
			at(c[0]).parts = append(at(c[0]).parts, strings.Join(c[1:], "\x00"))
		}); err != nil {
			return err
		}
	}
	for table, texts := range map[string][]string{
		"turns": nil, "checkpoints": checkpointColumns[1:], "session_files": nil, "session_refs": nil,
	} {
		if !s.columns[table]["session_id"] {
			continue
		}
		if err := eachRow(ctx, db, s.sums(table, texts), func(c []string) {
			r := at(c[0])
			r.parts = append(r.parts, table+":"+c[1])
			r.spoken = r.spoken || table == "turns" || table == "checkpoints"
		}); err != nil {
			return err
		}
	}
	for _, r := range rows {
		slices.Sort(r.parts)
	}
	s.rows = rows
	return nil
}

// sums builds the query for count, newest id and length of text per session.
func (s *store) sums(table string, texts []string) string {
	terms := []string{"count(*)"}
	if s.columns[table]["id"] {
		terms = append(terms, "max(id)")
	}
	for _, t := range texts {
		if s.columns[table][t] {
			terms = append(terms, "total(octet_length("+t+"))")
		}
	}
	return "SELECT session_id, " + strings.Join(terms, " || ':' || ") + " FROM " + table +
		" WHERE session_id IS NOT NULL GROUP BY session_id"
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
	s.db, s.rows = nil, nil
	return err
}
