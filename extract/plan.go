package extract

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/sessionloom/sessionloom/extract/internal/planfile"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

type (
	// Plan is everything that one sync would write, see [planfile.Plan].
	Plan = planfile.Plan
	// PlannedSetting is a setting of the vault that a plan changes.
	PlannedSetting = vault.SettingChange
	// PlannedFile is a file of a plan.
	PlannedFile = vault.Target
	// NotPlanError says that a file is not a plan that can be applied here.
	NotPlanError = planfile.NotPlanError
)

// ReadPlan reads a plan, see [planfile.Read].
func ReadPlan(r io.Reader) (Plan, error) { return planfile.Read(r) }

// Plan reads what is new, stores it in the ledger, and returns what a sync would write, without writing it.
// The vault must be open for a dry run.
func (s *Engine) Plan(ctx context.Context, program string) (Plan, Report, error) {
	if _, err := s.planKey(); err != nil { // before writes are discarded
		return Plan{}, Report{}, err
	}
	first, rec := *s, s.recorder()
	first.Mode.NotesOff = true
	err := first.once(ctx, rec)
	if err == nil {
		err = s.Ledger.Discard()
	}
	if err == nil {
		rec.Again()
		err = s.once(ctx, rec)
	}
	report, err := s.finish(rec, err)
	if err != nil {
		return Plan{}, report, err
	}
	plan, err := s.planned(program, report)
	return plan, report, err
}

// planned returns what the dry run so far would have done.
func (s *Engine) planned(program string, r Report) (Plan, error) {
	done, err := s.Vault.Changes()
	if err != nil {
		return Plan{}, fmt.Errorf("put the plan together: %w", err)
	}
	m := s.Vault.Marker()
	plan := Plan{Schema: planfile.Schema, Program: program, Vault: m.ID, Layout: m.Layout, Folder: s.Folder, Changes: done, Kept: r.Kept}
	key, err := s.planKey()
	if err != nil {
		return Plan{}, err
	}
	return plan, plan.Sign(key)
}

// planKey returns the key for seals of plans, made on first use.
func (s *Engine) planKey() ([]byte, error) {
	key := s.Ledger.Value(ledger.PlanKey)
	if len(key) > 0 {
		return key, nil
	}
	key = make([]byte, sha256.Size)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	s.Ledger.SetValue(ledger.PlanKey, key)
	return key, s.Ledger.Failed()
}

// Apply carries out a plan, see [planfile.Apply]. Only Ledger, Vault, Folder, Mode and Now need to be set.
func (s *Engine) Apply(ctx context.Context, plan Plan) (Report, error) {
	if err := s.beginWriting(); err != nil {
		return Report{}, err
	}
	began := s.Now()
	key, err := s.planKey()
	if err != nil {
		return Report{}, err
	}
	r, err := planfile.Apply(ctx, planfile.Input{
		Vault: s.Vault, Ledger: s.Ledger, Folder: s.Folder, Key: key, Jobs: max(s.Mode.Jobs, 2), DryRun: s.Mode.DryRun, Progress: s.progress(),
	}, plan)
	r.ElapsedMS = s.Now().Sub(began).Milliseconds()
	return r, err
}
