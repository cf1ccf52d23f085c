package planfile

import (
	"cmp"
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/publish"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Input says where a plan is carried out.
type Input struct {
	Vault    *vault.Vault
	Ledger   *ledger.Ledger
	Folder   string // the managed folder, relative to the vault's root
	Key      []byte // key that seals plans here
	Jobs     int    // concurrent writers; at least one
	DryRun   bool   // for the report
	Progress report.Progress
}

type application struct {
	in     Input
	plan   Plan
	mu     sync.Mutex // guards the following fields
	report report.Report
	stands map[string]bool // files that are as planned, by path
}

// newPlan is the hint if a target is not as the plan saw it.
const newPlan = "make a new plan with sync --plan, which takes it in"

// Apply carries out a plan. A file that is not as the plan saw it is left alone and reported; the rest is
// done. It returns a [NotPlanError] if the plan is for another vault, or not sealed for this one.
//
// The ledger does not record what was written: the next sync finds the notes as they should be, as after a
// lost ledger. It only records that the program, and not a person, moved and removed notes.
func Apply(ctx context.Context, in Input, plan Plan) (report.Report, error) {
	a := &application{in: in, plan: plan, report: report.New(in.DryRun), stands: map[string]bool{}}
	if err := a.check(); err != nil {
		return report.Report{}, err
	}
	err := a.run(ctx)
	a.report.Sort()
	return a.report, err
}

func (a *application) check() error {
	m := a.in.Vault.Marker()
	switch {
	case a.plan.Vault != m.ID:
		return &NotPlanError{What: fmt.Sprintf("the plan is for the vault %q, this is %q", a.plan.Vault, m.ID)}
	case a.plan.Layout != m.Layout:
		return &NotPlanError{What: fmt.Sprintf("the plan is for layout %d, this vault has %d", a.plan.Layout, m.Layout)}
	case a.plan.Folder != a.in.Folder:
		return &NotPlanError{What: fmt.Sprintf("the plan is for the folder %q, this is %q", a.plan.Folder, a.in.Folder)}
	}
	seal, err := a.plan.sealBy(a.in.Key)
	if err == nil && !hmac.Equal([]byte(seal), []byte(a.plan.Seal)) {
		err = &NotPlanError{What: "the plan was changed since it was made, or not made with this state folder"}
	}
	return err
}

func (a *application) run(ctx context.Context) error {
	for _, step := range []func() error{a.set, a.addTombstones, a.removeTombstones, a.in.Vault.Flush, a.leave} {
		if err := step(); err != nil {
			return err
		}
	}
	err := a.writeAll(ctx)
	if _, err := a.in.Vault.Tidy(); err != nil {
		a.report.Problems = append(a.report.Problems, report.Problem{Error: err.Error(), Hint: "sync tries it again", Fatal: true})
	}
	if err = errors.Join(err, a.in.Vault.Flush()); err != nil {
		return err
	}
	a.recordApplied()
	return a.in.Ledger.Commit()
}

func (a *application) set() error {
	now, next := a.in.Vault.Marker().Settings, map[string]string{}
	for _, s := range a.plan.Settings {
		if have := now[s.Key]; have != s.Was && have != s.Value {
			a.refuse(report.Problem{Item: s.Key, Error: fmt.Sprintf("the setting %q of the vault is %q now", s.Key, have)})
			continue
		}
		next[s.Key] = s.Value
	}
	return a.in.Vault.SetSettings(next)
}

// addTombstones sets tombstones. A note that exists again was restored.
func (a *application) addTombstones() error {
	for _, id := range a.plan.AddTombstone {
		row, known := a.in.Ledger.Note(id)
		if known && row.State.IsInFolder() {
			if n, err := a.in.Vault.Load(row.Path); err == nil && n.ID == id {
				a.refuse(report.Problem{Item: id, Path: a.in.Folder + "/" + row.Path, Error: "the deleted note is there again"})
				continue
			}
		}
		if !a.in.Vault.HasTombstone(id) {
			a.report.Notes.Tombstoned++
		}
		if known {
			a.in.Ledger.AddTombstone(ledger.Tombstone{ID: id, Path: row.Path})
		}
		if err := a.in.Vault.AddTombstone(id); err != nil {
			return err
		}
	}
	return nil
}

func (a *application) removeTombstones() error {
	for _, id := range a.plan.RemoveTombstone {
		if err := index.LiftTombstone(a.in.Vault, a.in.Ledger, id); err != nil {
			return err
		}
	}
	return nil
}

// leave records durably which notes are about to go (see [ledger.Removing]), and their folders.
func (a *application) leave() error {
	for _, f := range a.plan.Targets {
		if !f.Remove && f.From == "" {
			continue
		}
		a.in.Ledger.MarkDue(ledger.DueFolder, path.Dir(cmp.Or(f.From, f.Path)))
		row, known := a.in.Ledger.Note(f.ID)
		if f.Remove && known && row.State == ledger.Present { // wherever its user moved it meanwhile
			a.in.Ledger.SetState(f.ID, ledger.Removing)
		}
		if file, known := a.in.Ledger.OwnedAt(f.Path); f.Remove && known {
			file.Reason = owned.Removing
			a.in.Ledger.PutOwned(file)
		}
	}
	if err := a.in.Ledger.Commit(); err != nil {
		return err
	}
	return a.in.Ledger.Last()
}

// recordApplied records moved notes and the merged text of edited ones, and resets notes that were about to
// go but still exist.
func (a *application) recordApplied() {
	for _, f := range a.plan.Targets {
		if f.Remove {
			row, known := a.in.Ledger.Note(f.ID)
			if !known || row.State != ledger.Removing {
				continue
			}
			if _, err := a.in.Vault.Text(f.Path); !errors.Is(err, fs.ErrNotExist) {
				a.in.Ledger.SetState(f.ID, ledger.Present)
			}
		} else if f.ID != "" && a.stands[f.Path] {
			if f.From != "" {
				a.in.Ledger.Expect(f.ID, f.Path)
			}
			a.in.Ledger.PutBases(f.ID, f.BaseBody, f.BaseNav)
		}
	}
}

// writeAll writes the targets in order, targets of one kind concurrently.
func (a *application) writeAll(ctx context.Context) error {
	a.in.Progress.Step("writing notes", len(a.plan.Targets))
	for rest := a.plan.Targets; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Order() == rest[0].Order() {
			n++
		}
		if err := contain.Each(ctx, a.in.Jobs*publish.WritersPerJob, rest[:n], a.write); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// write writes one target. Files that notes show come first: after a failure nothing more is written, as a
// missing picture would count as deleted by its user.
func (a *application) write(ctx context.Context, f vault.Target) error {
	r, err := a.in.Vault.Apply(ctx, f)
	if ctx.Err() != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.in.Progress.Advance(1)
	at := a.in.Folder + "/" + f.Path
	switch {
	case err == nil:
		a.count(f, r, at)
	case errors.Is(err, vault.ErrChanged):
		a.refuse(report.Problem{Item: f.ID, Path: at, Error: err.Error()})
	case f.ID == "":
		return err
	default:
		a.report.Notes.Failed++
		a.report.Problems = append(a.report.Problems, report.Problem{Item: f.ID, Path: at, Error: err.Error(), Fatal: true})
	}
	return nil
}

// refuse reports a target that is left alone. The caller holds the lock if others write too.
func (a *application) refuse(q report.Problem) {
	q.Hint, q.Fatal = newPlan, true
	if q.Path != "" {
		a.report.Notes.Failed++
	}
	a.report.Problems = append(a.report.Problems, q)
}

func (a *application) count(f vault.Target, r vault.Result, at string) {
	a.stands[f.Path] = true
	counts := &a.report.Notes
	if !strings.HasSuffix(f.Path, ".md") {
		counts = &a.report.Files
	}
	counts.Count(map[string]vault.Outcome{f.ID: r.Outcome})
	if r.Outcome == vault.Unchanged {
		return
	}
	c := report.Change{Note: at, ID: f.ID, Outcome: string(r.Outcome), Old: r.Old, New: r.New}
	if f.From != "" {
		c.From = a.in.Folder + "/" + f.From
		if r.Outcome != vault.Moved {
			counts.Moved++
		}
	}
	a.report.Changed = append(a.report.Changed, c)
}
