// Package extract decides: what changed in the sources, which layers make one
// session, what of it is worth a note, and which notes are due. It alone knows
// both sessions and notes.
package extract

import (
	"cmp"
	"context"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Sync is one run with all it needs.
type Sync struct {
	Sources  []sources.Source
	Ledger   *ledger.Ledger
	Vault    *vault.Vault // may be nil with Mode.NotesOff
	Folder   string       // the managed folder from the vault's root, for links; "." is the vault itself
	Pages    *templates.Set
	Masker   Masker
	Settings Settings
	WikiKept bool // a wiki stands at the vault's root that has an index and a hot page of its own
	Scope    Scope
	// Ignored tells whether a folder of this machine holds a file that says to
	// leave out the sessions at work there or below. nil: none does.
	Ignored func(folder string) bool
	Mode    Mode
	// Rerendered is told of a re-rendering before the run that follows it, so
	// that it can be committed apart; may be nil.
	Rerendered func(context.Context)
	Progress   Progress         // may be nil
	Now        func() time.Time // for the time a run took and for stamps too young to trust
	Git        Git              // the repository that the vault lies in; nil: it lies in none
	held       int              // most drafts of sessions kept at a time; 0: mostHeld
}

// Run looks at the vault, reads what changed and writes what is due. Where
// templates or settings changed, a run that renders anew what is kept goes
// before. Failed items and notes are in the report; an error means that the run
// as a whole could not be done.
func (s *Sync) Run(ctx context.Context) (Report, error) {
	rec := s.recorder()
	if s.Mode.DryRun || s.Mode.NotesOff || s.Mode.RenderOnly {
		return s.finish(rec, s.once(ctx, rec))
	}
	due, err := s.renderAnew(ctx, rec)
	if err != nil {
		return s.finish(rec, err)
	}
	if due {
		if s.Rerendered != nil {
			s.Rerendered(ctx)
		}
		rec.Again()
	}
	return s.finish(rec, s.once(ctx, rec))
}

// recorder begins the report of a run.
func (s *Sync) recorder() *report.Recorder {
	return report.NewRecorder(s.Folder, s.Mode.DryRun, s.Mode.Texts)
}

// finish gives the report of a run that ended in err.
func (s *Sync) finish(rec *report.Recorder, err error) (Report, error) {
	r := rec.Finish()
	r.HideSecrets(s.Masker)
	return r, err
}

// once does one pass over what is new, or over what is kept.
func (s *Sync) once(ctx context.Context, rec *report.Recorder) error {
	began := s.Now()
	st, err := s.stages(rec)
	if err != nil {
		return err
	}
	if s.Mode.RenderOnly {
		err = st.renderKept(ctx)
	} else {
		err = st.run(ctx)
	}
	ignored, failed := st.scope.Ignored()
	rec.Edit(func(r *Report) {
		r.ElapsedMS += s.Now().Sub(began).Milliseconds()
		r.Sessions.Excluded, r.Ignored = st.scope.Excluded(), ignored
	})
	rec.Merged(st.assign.Merges())
	return cmp.Or(err, failed)
}
