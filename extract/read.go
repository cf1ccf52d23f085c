package extract

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/distil"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/outcome"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Kept is a session or memory in the ledger, merged and masked. Derived data is computed on request.
type Kept struct {
	Session *sources.Session
	Project ExportedProject
	st      *stages
	open    *openEnds
}

// Selected limits what is read, besides the scope of the engine.
type Selected struct {
	Names    []string // names of sessions; empty: all
	Sources  []string // names of sources that have them; empty: all
	Memories bool     // also memories of projects and persons
}

// Read passes every session in the ledger, or the selected ones, to found, in order of ids. It reads no
// source and writes nothing. Failed merges are among the problems. It returns a [*catalog.NameError] if a
// name stands for no session, or for several.
func (s *Engine) Read(ctx context.Context, in Selected, found func(*Kept) error) (problems []Problem, err error) {
	s.Mode.NotesOff = true
	st, err := s.stages(s.recorder())
	if err != nil {
		return nil, err
	}
	asked, err := s.sessionsNamed(in.Names)
	if err != nil {
		return nil, err
	}
	open := &openEnds{st: st}
	for _, record := range s.Ledger.Sessions() {
		if err := ctx.Err(); err != nil {
			return problems, err
		}
		if len(asked) > 0 && !asked[record.ID] || !st.selects(in, record) {
			continue
		}
		var k *Kept
		err := contain.Failure(ctx, s.Ledger, func() error {
			k = st.kept(record, open)
			return nil
		}, func(err error) {
			problems = append(problems, Problem{Item: "session:" + record.ID, Error: err.Error(), Hint: "the others are printed", Fatal: true})
		})
		if err == nil && k != nil {
			err = found(k)
		}
		if err != nil {
			return problems, err
		}
	}
	return problems, s.Ledger.Failed()
}

func (s *Engine) sessionsNamed(names []string) (map[string]bool, error) {
	ids := map[string]bool{}
	for _, name := range names {
		e, err := catalog.New(s.Ledger, s.Folder).Session(name)
		if err != nil {
			return nil, cmp.Or(s.Ledger.Failed(), err)
		}
		ids[e.Session] = true
	}
	return ids, nil
}

func (st *stages) selects(in Selected, record ledger.SessionRecord) bool {
	holds := st.scope.Holds(record.ID, identity.ProjectFromKey(record.Project), record.Updated)
	if record.Kind == string(sources.KindMemory) {
		holds = in.Memories && st.scope.HoldsAny([]ledger.SessionRecord{record})
	}
	if !holds || index.Forgotten(st.engine.Vault, record) {
		return false
	}
	return len(in.Sources) == 0 || slices.ContainsFunc(st.engine.Ledger.LayersOf(record.ID), func(l ledger.KeptLayer) bool {
		source, _, _ := strings.Cut(l.Name, "/")
		return slices.Contains(in.Sources, source)
	})
}

// kept merges a session; nil if it has nothing to show or is excluded.
func (st *stages) kept(record ledger.SessionRecord, open *openEnds) *Kept {
	m := st.loader.Merged(record.ID)
	if st.loader.HasNothing(&m.Session) || st.scope.IgnoredBy(m.Session.Place) != "" {
		return nil
	}
	k := &Kept{Session: &m.Session, st: st, open: open}
	if record.Project != "" || !m.Session.IsMemory { // else it is a person's
		pr := identity.ProjectFromKey(record.Project)
		k.Project = ExportedProject{Key: pr.Key, Name: pr.Name}
	}
	return k
}

// Repository returns the repository of its project, else the recorded one.
func (k *Kept) Repository() string {
	if pr := identity.ProjectFromKey(k.Project.Key); pr.Owner != "" {
		return pr.Owner + "/" + pr.Repo
	}
	return k.Session.Place.Repository
}

// Outcome returns its outcome.
func (k *Kept) Outcome() ExportedOutcome {
	came := outcome.Of(k.Session)
	return ExportedOutcome{Text: came.Text, From: string(came.From), Turn: came.Turn}
}

// OpenEnds returns its open and closed items.
func (k *Kept) OpenEnds() []ExportedEnd { return k.open.of(k.Session, k.Project.Key) }

// Decisions returns its decisions.
func (k *Kept) Decisions() (out []ExportedDecision) {
	for _, d := range decisions.Of(k.Session) {
		out = append(out, ExportedDecision{Text: d.Text, Kind: string(d.Kind), Turn: d.Turn})
	}
	return out
}

// Distilled returns agents' answers about it, as far as their quotations are found.
func (k *Kept) Distilled() []sources.Distillate { return distil.Shown(k.Session) }

// Provenance returns its layers.
func (k *Kept) Provenance() (out []Provenance) {
	for _, r := range k.st.engine.Ledger.LayersOf(k.Session.ID) {
		out = append(out, Provenance{Source: r.Name, Item: r.Item})
	}
	return out
}
