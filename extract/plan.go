package extract

import (
	"context"
	"fmt"
	"io"

	"github.com/sessionloom/sessionloom/extract/internal/planfile"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/vault"
)

type (
	// Plan is everything that one sync would write, see [planfile.Plan].
	Plan = planfile.Plan
	// PlannedSetting is a setting of the vault that a plan changes.
	PlannedSetting = vault.SettingChange
	// PlannedFile is a file of a plan.
	PlannedFile = vault.Target
	// NotPlanError says that a file is not a plan that can be carried out here.
	NotPlanError = planfile.NotPlanError
)

// ReadPlan reads a plan, see [planfile.Read].
func ReadPlan(r io.Reader) (Plan, error) { return planfile.Read(r) }

// Plan reads what is new, stores it in the ledger, and returns what a sync would write, without writing it.
// The vault must be open for a dry run.
func (s *Engine) Plan(ctx context.Context, program string) (Plan, Report, error) {
	first, rec := *s, s.recorder()
	first.Mode.NotesOff = true
	err := first.once(ctx, rec)
	var changes vault.Changes
	if err == nil {
		rec.Again()
		changes, err = s.foresee(ctx, rec)
	}
	r, err := s.finish(rec, err)
	m := s.Vault.Marker()
	return Plan{
		Schema: planfile.Schema, Program: program, Vault: m.ID, Layout: m.Layout, Folder: s.Folder,
		Scope: s.Scope, Force: s.Mode.Force, Changes: changes, Kept: r.Kept,
	}, r, err
}

// foresee returns what a run that reads no source would write. The vault must be open for a dry run.
func (s *Engine) foresee(ctx context.Context, rec *report.Recorder) (vault.Changes, error) {
	err := s.Ledger.Discard()
	if err == nil {
		dry := *s
		dry.Sources = nil
		err = dry.once(ctx, rec)
	}
	if err != nil {
		return vault.Changes{}, err
	}
	changes, err := s.Vault.Changes()
	if err != nil {
		return vault.Changes{}, fmt.Errorf("put the plan together: %w", err)
	}
	return changes, nil
}

// CheckPlan returns what [Engine.Apply] would do with a plan, or a [NotPlanError] if that is not what the plan says. The
// vault must be open for a dry run, with the settings of the plan.
func (s *Engine) CheckPlan(ctx context.Context, plan Plan) (Report, error) {
	if err := plan.CheckVault(s.Vault.Marker(), s.Folder); err != nil {
		return Report{}, err
	}
	if plan.Stands(s.Vault) {
		plan.Changes = vault.Changes{}
	}
	rec := s.recorder()
	s.Scope, s.Mode.Force = plan.Scope, plan.Force
	now, err := s.foresee(ctx, rec)
	if err == nil {
		err = plan.Compare(now)
	}
	return s.finish(rec, err)
}

// Apply carries out a plan after [Engine.CheckPlan]: it is a run that reads no source.
func (s *Engine) Apply(ctx context.Context, plan Plan) (Report, error) {
	s.Sources, s.Scope, s.Mode.Force = nil, plan.Scope, plan.Force
	return s.Run(ctx)
}
