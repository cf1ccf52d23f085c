package copilotcli

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// store is session-store.db during one pass. The CLI derives it from the logs, a turn
// behind, and never deletes rows; it fills gaps and owns nothing
// (formats/copilot-cli.md, sections 0 and 1).
type store struct {
	sqlite.Snapshot
	told atomic.Bool // that it cannot be read: one problem a pass is enough for all its sessions
}

// digest changes when what the store says of a session changes. "" means no rows.
func (s *store) digest(ctx context.Context, name string) (digest string, err error) {
	err = s.View(ctx, func(db *sqlite.DB) error {
		survey, err := db.Survey(ctx)
		digest = ""
		if rows, ok := survey[name]; ok {
			digest = files.Hash(rows.Parts...)
		}
		return err
	})
	return digest, err
}

// readRows fills gaps from the store.
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

// rowsOf makes a session of its rows, nil where the store has none of it. known are the
// checkpoints that log or files know.
func rowsOf(ctx context.Context, db *sqlite.DB, name string, log facts, known []int) (*sources.Session, error) {
	whole := log.read && log.whole
	var without []string
	if whole || log.rewound {
		without = append(without, sqlite.Turns)
	}
	if log.rewound { // rows outlive it
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
	if whole { // only for the time and the sections a file may lack
		s.Checkpoints = slices.DeleteFunc(s.Checkpoints, func(c sources.Checkpoint) bool { return !slices.Contains(known, c.Number) })
	}
	if log.read { // after a rewind, a fork or a reindex the rows count turns as the log does not
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
	if s.Title != "" && isPrompt(prompt, s.Title) {
		s.TitleFrom = sources.TrustPrompt
	}
	return s, nil
}
