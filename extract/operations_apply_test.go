package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
)

// open returns a pass whose ledger is kept and whose vault is not written to where
// dry says so.
func (b *bench) open(src sources.Source, dry bool, do func(*Engine) error) error {
	b.t.Helper()
	l, err := ledger.Open(b.state, ledger.Options{})
	must(b.t, err)
	v := expect.Value(vault.Open(b.vault, "Agents", vault.Options{DryRun: dry, Texts: dry}))(b.t)
	err = do(&Engine{Sources: withWords(v, src), Ledger: l, Vault: v, Folder: "Agents", Pages: b.set,
		Masker: b.masker(), Settings: b.settings, Mode: Mode{Force: b.force, DryRun: dry, KeepRead: dry},
		Now: func() time.Time { return time.Unix(2e9, 0) }})
	must(b.t, errors.Join(l.Close(), v.Close()))
	return err
}

// plan makes a plan, as it comes back from its file, and sees that nothing else
// was written.
func (b *bench) plan(src sources.Source) (plan Plan, err error) {
	b.t.Helper()
	before := tree(b.t, b.vault)
	var file bytes.Buffer
	err = b.open(src, true, func(s *Engine) error {
		plan, _, err := s.Plan(context.Background(), "test")
		return errors.Join(err, plan.Write(&file))
	})
	if d := differences(before, tree(b.t, b.vault)); d != "" {
		b.t.Fatalf("making a plan wrote:\n%s", d)
	}
	if err != nil {
		return plan, err
	}
	return ReadPlan(&file)
}

func (b *bench) apply(plan Plan) (r Report, err error) {
	b.t.Helper()
	for _, dry := range []bool{true, false} {
		do := (*Engine).Apply
		if dry {
			do = (*Engine).CheckPlan
		}
		err = b.open(nil, dry, func(s *Engine) error {
			r, err = do(s, context.Background(), plan)
			return err
		})
		if err != nil {
			return r, err
		}
	}
	return r, err
}

// planAndApply does with a plan what a sync would do: the sync that comes after
// it finds all as it should be, and so does a second plan.
func planAndApply(b *bench, w *fakeSource, r *rand.Rand) string {
	plan, err := b.plan(w)
	var held *HeldError
	if errors.As(err, &held) {
		return fmt.Sprint("held: ", err)
	}
	must(b.t, err)
	report, err := b.apply(plan)
	if err != nil || report.Part() {
		b.t.Fatalf("apply: %v, %+v", err, report.Problems)
	}
	applied := tree(b.t, b.vault)
	if r.IntN(4) == 0 {
		must(b.t, os.RemoveAll(b.state))
	}
	after := b.mustSync(w)
	if d := differences(applied, tree(b.t, b.vault)); d != "" {
		for _, f := range plan.Targets {
			b.t.Logf("%s %s %s %s", f.Outcome, f.ID, f.From, f.Path)
		}
		b.t.Fatalf("a plan was applied, and then a sync made of it:\n%s%+v", d, after)
	}
	for _, c := range after.Changed {
		if strings.Contains(c.Note, "/kept/") || strings.Contains(c.Note, "/moved ") || strings.Contains(c.Note, "(copy)") {
			after.Notes.Moved-- // by hand: that is told until a sync took it in
		}
	}
	if n := after.Notes; n.Created+n.Updated+n.Merged+n.Moved+n.Removed+n.Tombstoned > 0 {
		b.t.Fatalf("a plan was applied, and then a sync did something: %+v %v", n, after.Changed)
	}
	if again, err := b.plan(w); err != nil || len(again.Targets) > 0 {
		b.t.Fatalf("a second plan has something to do: %v %+v", err, again)
	}
	return fmt.Sprintf("%d targets", len(plan.Targets))
}

// historyAndPlan lets the agent do something before a plan is made.
func historyAndPlan(b *bench, w *fakeSource, r *rand.Rand) string {
	growSome(w, r)
	for _, st := range w.living() {
		switch r.IntN(6) {
		case 0:
			st.rewind(w, r)
		case 1:
			st.checkpoint(w, r)
		case 2:
			st.rename(r)
		}
	}
	return planAndApply(b, w, r)
}

// handsAndPlan lets a human do something before a plan is made.
func handsAndPlan(b *bench, w *fakeSource, r *rand.Rand) string {
	hands := []func(*bench, string, *rand.Rand) error{
		func(_ *bench, path string, _ *rand.Rand) error { return os.Remove(path) },
		func(b *bench, path string, r *rand.Rand) error {
			to := filepath.Join(b.vault, "Agents", "kept", fmt.Sprintf("%d.md", r.IntN(1<<20)))
			return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(path, to))
		},
		func(_ *bench, path string, _ *rand.Rand) error {
			return edit(path, func(s string) string {
				return strings.Replace(s, "\ntitle: \"", "\ntitle: \"Mine, ", 1) + "\nadded by hand\n"
			})
		},
		func(_ *bench, path string, _ *rand.Rand) error {
			return edit(path, func(s string) string { return strings.Replace(s, "- [ ] ", "- [x] ", 1) })
		},
	}
	what := onNote(hands[r.IntN(len(hands))])(b, w, r)
	return what + " " + historyAndPlan(b, w, r)
}

// TestPlansDoWhatASyncDoes plays histories, with and without a human in them,
// that reach the vault by plans alone.
func TestPlansDoWhatASyncDoes(t *testing.T) {
	runs, steps := played()
	for seed := range uint64(runs) {
		t.Run(fmt.Sprintf("seed=%d", *modelSeed+seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*modelSeed+seed, 17))
			w, b := newFakeSource(), newBench(t)
			for step := range steps / 2 {
				do := historyAndPlan
				switch {
				case step < 3 || r.IntN(8) == 0:
					w.begin(r)
				case seed%2 == 0:
					do = handsAndPlan
				}
				t.Logf("step %d: %s", step, do(b, w, r))
			}
			checkStep(t, b, w, seed%2 == 1)
		})
	}
}

// Where a person saves something between plan and apply, nothing is written, and the next sync makes up for
// it. A plan that was carried out has nothing left to do.
func TestPlanRefusesWhatChangedSince(t *testing.T) {
	s := newStage(t, 3)
	for _, st := range s.w.living() {
		st.grow(s.w, s.r)
	}
	plan, err := s.plan(s.w)
	must(t, err)
	must(t, edit(s.find(names.SessionID(s.w.living()[0].s.ID)), func(text string) string { return text + "\nmine\n" }))
	before := tree(t, s.vault)
	var not *NotPlanError
	if _, err := s.apply(plan); !errors.As(err, &not) {
		t.Errorf("apply ends with %v", err)
	}
	if d := differences(before, tree(t, s.vault)); d != "" {
		t.Errorf("apply wrote:\n%s", d)
	}
	plan, err = s.plan(s.w)
	must(t, err)
	for range 2 {
		_, err = s.apply(plan)
		must(t, err)
		before = tree(t, s.vault)
	}
	s.mustSync(s.w)
	if d := differences(before, tree(t, s.vault)); d != "" {
		t.Errorf("a sync wrote after the plan:\n%s", d)
	}
	checkStep(t, s.bench, s.w, false)
}

// A plan for another vault, twice for one file, or about what is forgotten is not
// even begun.
func TestPlanIsForOneVault(t *testing.T) {
	s := newStage(t, 1)
	s.w.living()[0].grow(s.w, s.r)
	plan := expect.Value(s.plan(s.w))(t)
	for name, change := range map[string]func(*Plan){
		"vault":  func(p *Plan) { p.Vault = "ffffffffffffffff" },
		"layout": func(p *Plan) { p.Layout++ },
		"folder": func(p *Plan) { p.Folder = "Other" },
		"twice":  func(p *Plan) { p.Targets = append(p.Targets, p.Targets[0]) },
	} {
		other := plan
		change(&other)
		var not *NotPlanError
		if _, err := s.apply(other); !errors.As(err, &not) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
