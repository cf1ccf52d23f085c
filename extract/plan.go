package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/vault"
)

type (
	// PlannedSetting is a setting of the vault that a plan changes.
	PlannedSetting = vault.SettingChange
	// PlannedFile is a file of a plan.
	PlannedFile = vault.Target
)

// Plan is everything that one sync would write (schema 1): made by a dry run, reviewed by a person. It has no
// time and no data of the machine: the same history and vault give the same plan.
type Plan struct {
	Schema  int    `json:"schema"`
	Program string `json:"program"` // program that made it, with its version
	Vault   string `json:"vault"`   // id of its vault
	Layout  int    `json:"layout"`  // version of names and places of the notes
	Folder  string `json:"folder"`  // the managed folder; paths are relative to it
	Scope   Scope  `json:"scope"`   // what the sync may touch
	Force   bool   `json:"force"`   // it may exceed the deletion limit

	vault.Changes // the targets in the order in which they are written
	// Kept lists notes that are not written because the user's version stays.
	Kept []KeptNote `json:"kept"`
}

// NotPlanError says that a file is not a plan that can be carried out here.
type NotPlanError struct{ What string }

func (e *NotPlanError) Error() string { return e.What }

// planSchema is the version of plans that this version makes and reads.
const planSchema = 1

// Write writes a plan as JSON.
func (pl Plan) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(pl); err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}

// ReadPlan reads a plan. For other files, or another schema, it returns a [NotPlanError].
func ReadPlan(r io.Reader) (Plan, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Plan{}, fmt.Errorf("read the plan: %w", err)
	}
	var pl Plan
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&pl); err != nil {
		var head struct{ Schema int }
		if json.Unmarshal(text, &head) != nil || head.Schema <= planSchema {
			return Plan{}, fmt.Errorf("read the plan: %w", err)
		}
		pl.Schema = head.Schema
	} else if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Plan{}, errors.New("read the plan: something follows it")
	}
	if pl.Schema != planSchema {
		return Plan{}, &NotPlanError{What: fmt.Sprintf("the plan has schema %d, not %d", pl.Schema, planSchema)}
	}
	return pl, nil
}

// Plan reads what is new, stores it in the ledger, and returns what a sync would write, without writing it.
// The vault must be open for a dry run.
func (s *Engine) Plan(ctx context.Context, program string) (Plan, Report, error) {
	first, rec := *s, s.recorder()
	first.Mode.NotesOff = true
	err := first.once(ctx, rec)
	var changes vault.Changes
	if err == nil {
		rec.Again()
		changes, err = s.wouldWrite(ctx, rec)
	}
	r, err := s.finish(rec, err)
	m := s.Vault.Marker()
	return Plan{
		Schema: planSchema, Program: program, Vault: m.ID, Layout: m.Layout, Folder: s.Folder,
		Scope: s.Scope, Force: s.Mode.Force, Changes: changes, Kept: r.Kept,
	}, r, err
}

// wouldWrite returns the changes of a run that reads no source. The vault must be open for a dry run.
func (s *Engine) wouldWrite(ctx context.Context, rec *report.Recorder) (vault.Changes, error) {
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
	if err := plan.checkVault(s.Vault.Marker(), s.Folder); err != nil {
		return Report{}, err
	}
	plan.Targets = slices.DeleteFunc(slices.Clone(plan.Targets), s.Vault.Stands) // an interrupted run wrote them
	rec := s.recorder()
	s.Scope, s.Mode.Force = plan.Scope, plan.Force
	now, err := s.wouldWrite(ctx, rec)
	if err == nil {
		err = plan.compare(now)
	}
	return s.finish(rec, err)
}

// Apply carries out a plan after [Engine.CheckPlan], which compares it with what a sync would write: it is a run
// that reads no source.
func (s *Engine) Apply(ctx context.Context, plan Plan) (Report, error) {
	s.Sources, s.Scope, s.Mode.Force = nil, plan.Scope, plan.Force
	return s.Run(ctx)
}

// checkVault returns a [NotPlanError] if the plan is for another vault or folder.
func (pl Plan) checkVault(m vault.Marker, folder string) error {
	switch {
	case pl.Vault != m.ID:
		return &NotPlanError{What: fmt.Sprintf("the plan is for the vault %q, this is %q", pl.Vault, m.ID)}
	case pl.Layout != m.Layout:
		return &NotPlanError{What: fmt.Sprintf("the plan is for layout %d, this vault has %d", pl.Layout, m.Layout)}
	case pl.Folder != folder:
		return &NotPlanError{What: fmt.Sprintf("the plan is for the folder %q, this is %q", pl.Folder, folder)}
	}
	return nil
}

// compare returns a [NotPlanError] if a plan is not what a sync would do now, with the settings of the plan.
func (pl Plan) compare(now vault.Changes) error {
	n := 0
	for n < min(len(pl.Targets), len(now.Targets)) && reflect.DeepEqual(pl.Targets[n], now.Targets[n]) {
		n++
	}
	if others := slices.Concat(pl.Targets[n:], now.Targets[n:]); len(others) > 0 {
		return &NotPlanError{What: fmt.Sprintf("the plan was changed, or the vault was since then: a sync would do something else now with %q", others[0].Path)}
	}
	return nil
}
