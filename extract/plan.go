package extract

import (
	"context"
	"fmt"
	"io"

	"github.com/sessionloom/sessionloom/extract/internal/planfile"
)

type (
	// Plan is all that one sync would write, see [planfile.Plan].
	Plan = planfile.Plan
	// PlannedSetting is a setting that changes by a plan.
	PlannedSetting = planfile.PlannedSetting
	// PlannedFile is a file of a plan.
	PlannedFile = planfile.PlannedFile
	// NotPlanError says that a file holds no plan that can be applied here.
	NotPlanError = planfile.NotPlanError
)

// ReadPlan reads a plan, see [planfile.Read].
func ReadPlan(r io.Reader) (Plan, error) { return planfile.Read(r) }

// Plan reads what is new, keeps that in the ledger, and works out what a sync
// would write; nothing of it is written. The vault must be open for a dry run.
// Where templates or settings changed, what they make anew is a plan of its own,
// for which nothing is read: once it is carried out, the next plan is about what
// is new.
func (s *Sync) Plan(ctx context.Context, program string) (Plan, Report, error) {
	if plan, report, due, err := s.planAnew(ctx, program); due || err != nil {
		return plan, report, err
	}
	first := *s
	first.Mode.NotesOff = true
	read, err := first.Run(ctx)
	if err == nil {
		err = s.Ledger.Discard()
	}
	if err != nil {
		return Plan{}, read, err
	}
	report, err := s.Run(ctx)
	report.TakeIn(read)
	if err != nil {
		return Plan{}, report, err
	}
	plan, err := s.planned(program, report)
	return plan, report, err
}

// planned puts together what the dry run so far would have done.
func (s *Sync) planned(program string, r Report) (Plan, error) {
	done, err := s.Vault.Changes()
	if err != nil {
		return Plan{}, fmt.Errorf("put the plan together: %w", err)
	}
	m := s.Vault.Marker()
	plan := Plan{Schema: planfile.Schema, Program: program, Vault: m.ID, Layout: m.Layout, Folder: s.Folder, Kept: r.Kept}
	plan.Take(done)
	return plan, nil
}

// Apply does what a plan says and nothing else, see [planfile.Apply]. Only Ledger, Vault,
// Folder, Pages as they will be, Mode and Now need to be set.
func (s *Sync) Apply(ctx context.Context, plan Plan) (Report, error) {
	if err := s.checkRepoIdle(); err != nil {
		return Report{}, err
	}
	began := s.Now()
	r, err := planfile.Apply(ctx, planfile.Input{
		Vault: s.Vault, Ledger: s.Ledger, Folder: s.Folder, Templates: s.Pages, Jobs: max(s.Mode.Jobs, 2), DryRun: s.Mode.DryRun, Progress: s.Progress,
	}, plan)
	r.ElapsedMS = s.Now().Sub(began).Milliseconds()
	return r, err
}
