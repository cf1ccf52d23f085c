package extract

import (
	"context"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/export"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Exported is one session as `export` prints it (schema 1).
type Exported = export.Session

// Provenance names a layer a session was made of.
type Provenance = export.Provenance

// Export brings the ledger up to date, writes no note, and hands every session,
// or those with the given ids, to write, in order of their ids.
func (s *Sync) Export(ctx context.Context, ids []string, write func(Exported) error) (Report, error) {
	s.Mode.NotesOff = true
	report, err := s.Run(ctx)
	if err != nil {
		return report, err
	}
	st, err := s.stages(s.recorder())
	if err != nil {
		return report, err
	}
	records, err := s.Ledger.Sessions()
	if err != nil {
		return report, err
	}
	for i := range ids {
		home, err := s.Ledger.CanonicalID(ids[i])
		if err != nil {
			return report, err
		}
		ids = append(ids, home)
	}
	for _, record := range records {
		if len(ids) > 0 && !slices.Contains(ids, record.ID) {
			continue
		}
		if record.Kind == string(sources.KindMemory) || index.Forgotten(s.Vault, record) {
			continue
		}
		pr := identity.ProjectFromKey(record.Project)
		if !st.scope.Holds(record.ID, pr, record.Updated) {
			continue
		}
		var e *Exported
		err := contain.Failure(ctx, s.Ledger, func() (err error) {
			e, err = st.export(record.ID, pr)
			return err
		}, func(err error) {
			report.Problems = append(report.Problems, Problem{Item: names.SessionID(record.ID), Error: err.Error(), Hint: "the others are printed", Fatal: true})
		})
		if err == nil && e != nil {
			err = write(*e)
		}
		if err != nil {
			return report, err
		}
	}
	return report, nil
}

// export gives one session, nil where it has nothing to tell or is left out.
func (st *stages) export(id string, pr identity.Project) (*Exported, error) {
	m, err := st.loader.Merged(id)
	if err != nil || session.IsEmpty(&m.Session) || st.scope.IgnoredBy(m.Session.Place) != "" {
		return nil, err
	}
	e := export.Of(m, pr)
	e.Provenance, err = provenance(st.engine.Ledger, id)
	return &e, err
}

func provenance(l *ledger.Ledger, id string) ([]Provenance, error) {
	refs, err := l.LayersOf(id)
	if err != nil {
		return nil, err
	}
	var out []Provenance
	for _, r := range refs {
		out = append(out, Provenance{Source: r.Name, Item: r.Item})
	}
	return out, nil
}
