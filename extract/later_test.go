package extract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// A run that is killed between notes whose drafts were not kept wrote some that no
// commit would hold, had it forgotten by then what it was about to write.
func TestKilledAmongManyNotesLeavesNoneToBeCommitted(t *testing.T) {
	s := newStage(t, 0)
	for range 4 {
		s.w.begin(s.r)
	}
	killed := filepath.Join(t.TempDir(), "state")
	_, err := s.run(func(y *Engine) (Report, error) {
		y.maxDrafts, y.Git = 1, checkedOut("")
		y.Progress = &copyAt{stage: "writing notes", after: 3, copy: func() { must(t, os.CopyFS(killed, os.DirFS(filepath.Dir(s.state)))) }}
		return y.Run(t.Context())
	})
	must(t, err)
	s.state = filepath.Join(killed, filepath.Base(s.state))
	_, err = s.run(func(y *Engine) (Report, error) {
		y.Git = checkedOut("")
		rows := y.Ledger.NotesOfType(names.TypeSession)
		must(t, err)
		if len(rows) != 4 {
			t.Fatalf("%d notes of sessions were planned", len(rows))
		}
		y.newWritten().Begin()
		left, err := y.Pending()
		must(t, err)
		for _, n := range rows {
			if !slices.Contains(left.Paths, n.Path) {
				t.Errorf("%s is in no commit", n.Path)
			}
		}
		return Report{}, y.Ledger.Rollback(errors.New("killed"))
	})
	must(t, err)
}

// copyAt copies the state as a kill would leave it, after so many notes of a stage.
type copyAt struct {
	stage, at string
	after     int
	copy      func()
}

func (c *copyAt) Step(stage string, _ int) { c.at = stage }

func (c *copyAt) Advance(int) {
	if c.at != c.stage {
		return
	}
	if c.after--; c.after == 0 {
		c.copy()
	}
}

// runUntil does a run that is cancelled when it comes to a stage.
func (s *stage) runUntil(name string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	_, err := s.run(func(y *Engine) (Report, error) {
		y.Progress = cancelAt{name, cancel}
		return y.Run(ctx)
	})
	if !errors.Is(err, context.Canceled) {
		s.t.Fatalf("the run was not cancelled at %q: %v", name, err)
	}
}

// cancelAt cancels a run at a stage of it.
type cancelAt struct {
	stage  string
	cancel func()
}

func (c cancelAt) Step(stage string, _ int) {
	if stage == c.stage {
		c.cancel()
	}
}

func (cancelAt) Advance(int) {}
