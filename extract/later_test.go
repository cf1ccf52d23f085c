package extract

import (
	"context"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// A run that is killed between notes whose drafts were not kept wrote some that
// no commit would hold, had it forgotten by then what it was about to write.
func TestKilledAmongManyNotesLeavesNoneToBeCommitted(t *testing.T) {
	s := newStage(t, 0)
	for range 4 {
		s.w.begin(s.r)
	}
	s.held = 1
	var planned []string
	_, err := s.run(func(y *Sync) (Report, error) {
		y.held, y.Git = 1, checkedOut("")
		p, err := y.newPass()
		must(t, err)
		must(t, p.written.Begin())
		_, err = p.readSources(t.Context(), ingest.List(t.Context(), p.Sources, p.Now()), false)
		must(t, err)
		r, err := p.planAll(t.Context())
		must(t, err)
		must(t, p.notes.Commit())
		if len(r.later) == 0 {
			t.Fatal("all drafts are kept")
		}
		rows, err := p.Ledger.NotesOfType(names.TypeSession)
		must(t, err)
		for _, n := range rows {
			planned = append(planned, n.Path)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.writeLater(ctx, r.later); err == nil {
			t.Fatal("the pass went on")
		}
		return Report{}, p.Ledger.Rollback()
	})
	must(t, err)
	_, err = s.run(func(y *Sync) (Report, error) {
		y.Git = checkedOut("")
		p, err := y.newPass()
		must(t, err)
		must(t, p.written.Begin())
		left, err := y.Pending()
		must(t, err)
		for _, path := range planned {
			if !slices.Contains(left.Paths, path) {
				t.Errorf("%s is in no commit", path)
			}
		}
		return Report{}, p.Ledger.Rollback()
	})
	must(t, err)
}
