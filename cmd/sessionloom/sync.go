package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/testdata"
)

func newSync(a *app) *cobra.Command {
	var planFile string
	var onTime bool
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "write what is new in the history into the vault, then stop",
		Long: "Write what is new in the history into the vault, then stop. With --plan nothing is\n" +
			"written but a FILE that says all that a sync would write; `apply` does it.",
		Example: "  sessionloom sync --dry-run --diff\n  sessionloom sync --plan week.json && sessionloom apply week.json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case onTime:
				return a.syncOnTime(cmd)
			case planFile != "":
				return a.plan(cmd, planFile)
			}
			return a.pass(cmd, nil)
		},
	}
	a.addSettings(cmd, config.AllBut())
	f := cmd.Flags()
	a.addOptions(cmd, "dry-run", "full", "force", "diff", "json", "commit", "sample", flagCreate)
	f.StringVar(&planFile, "plan", "", "write nothing but a plan into `FILE` (- for standard output)")
	f.BoolVar(&onTime, "scheduled", false, "say only what went wrong, and remember the run for schedule status: how a timer calls it")
	return cmd
}

func (a *app) nothingFound(ctx context.Context, e *engine) error {
	if a.print.Quiet {
		return nil // a machine that only reads notes, after each pull
	}
	inv, err := discover.Look(ctx, e.Sources)
	if err != nil || inv.Items() > 0 {
		return err
	}
	a.print.Note("no history found; looked at")
	for _, line := range inv.Table(a.home) {
		a.print.Note("%s", line)
	}
	a.print.Advise("sessionloom sync --sample --vault ~/Trial --create writes the built-in sample history into a vault of its own")
	return nil
}

// mayMix rejects writing the sample beside the user's history.
func (a *app) mayMix(e *engine) error {
	if !a.sample || e.Mode.DryRun || e.opened.scratch != "" {
		return nil
	}
	n, _, _ := e.Ledger.Count("session")
	if _, known := e.Ledger.Session(testdata.Session); known || n == 0 {
		return e.Ledger.Failed()
	}
	return exit.Usage("sessionloom sync --sample --vault ~/Trial --create", "%q holds notes of your own history, and the sample would mix with them", e.config.Managed())
}

// pass does one run from opening to report. run is nil for a sync.
func (a *app) pass(cmd *cobra.Command, run func(*extract.Engine, context.Context) (extract.Report, error)) error {
	c, err := a.config(cmd)
	if err == nil && !a.mode.DryRun {
		c, err = a.mayCreate(cmd, c)
	}
	if err == nil {
		err = a.ready(cmd.Context(), c)
	}
	if err != nil {
		return err
	}
	if run == nil {
		run = syncOf(c)
	}
	mode := a.mode
	mode.Texts = mode.Texts || mode.DryRun && a.print.Verbose && !a.json
	return a.withEngine(cmd, mode, func(e *engine) error {
		for _, line := range c.NoEffect(e.Vault.Marker().Settings, e.Vault.Marker().Unknown) {
			a.print.Note("%s", line)
		}
		if err := a.mayMix(e); err != nil {
			return err
		}
		first := e.noNotesYet()
		p, err := e.pass(cmd.Context(), run, a.options)
		report := &p.Report
		a.timed.Saw(report, present.Failures(report.Problems, ""))
		if report.Schema == 0 && err != nil {
			return explain(err)
		}
		if err == nil {
			err = ask.KnownProjects(catalog.New(e.Ledger, e.Folder), e.Scope.Projects)
		}
		if mode.Texts {
			a.showDiff(report, nil)
		}
		if a.json || err == nil || len(report.Changed) > 0 { // an interrupted run has not found "nothing new"
			lines := present.Summary(report, a.print.Verbose, a.home)
			if a.print.Verbose && !a.json {
				lines = append(lines, present.MissingLines(e.missing(report), a.home, a.print.LineWidth(), true)...)
			}
			err = errors.Join(err, a.printResult(&p, a.passLines(cmd.Context(), e, &p, lines, first)...))
		}
		a.print.Warn(p.Warnings()...)
		if report.Sessions.Listed == 0 && err == nil {
			err = a.nothingFound(cmd.Context(), e)
		}
		return a.end(report, err)
	})
}

// pass runs an open engine once, records the run and commits.
func (e *engine) pass(
	ctx context.Context, run func(*extract.Engine, context.Context) (extract.Report, error), o options,
) (p present.Pass, err error) {
	p.Report, err = run(&e.Engine, ctx)
	err = present.HideSecrets(e.Masker, err)
	var unknown *catalog.NameError
	if !e.Mode.DryRun && !errors.As(err, &unknown) { // an unknown name is not a failed run
		err = errors.Join(err, e.remember(ctx, p.Report, err))
	}
	if err == nil {
		p.Made, err = o.carryOut(ctx, e)
	}
	if why := p.Made.Unstaged; why != nil {
		p.Problems = append(p.Problems, extract.Problem{
			Error: "git's index does not show what is committed: " + why.Error(), Hint: "the next sync --commit does so; until then commit nothing else", Fatal: true})
	}
	return p, err
}

// ready rejects a run whose result could not be committed.
func (o options) ready(ctx context.Context, c config.Config) error {
	if !o.commit {
		return nil
	}
	r, err := vaultRepo(c)
	if err != nil {
		return err
	}
	return r.Ready(ctx)
}

// carryOut commits what runs wrote.
func (o options) carryOut(ctx context.Context, e *engine) (present.Commit, error) {
	if !o.commit {
		return present.Commit{}, nil
	}
	return e.repo.CommitPending(ctx, &e.Engine)
}

func (e *engine) remember(ctx context.Context, r extract.Report, err error) error {
	last := runlog.Last{At: e.Now().UTC(), ElapsedMS: r.ElapsedMS, Exit: exit.CodeOf(explain(err)), Sessions: r.Sessions, Notes: r.Notes}
	switch {
	case ctx.Err() != nil && err != nil:
		last.Exit = exit.CodeInterrupted
	case err == nil && r.Part():
		last.Exit = exit.CodePartial
	}
	if err != nil {
		last.Error = present.HideSecrets(e.Masker, err).Error()
	}
	return runlog.WriteLast(e.opened.state, last, r.Sources, e.Mode.Full && err == nil)
}

// end reports what a run left out, and returns [outcome].
func (a *app) end(r *extract.Report, err error) error {
	a.print.Troubles(r.Problems, a.home)
	return outcome(r, err)
}

// outcome returns the failure of a run: err, else that it was incomplete.
func outcome(r *extract.Report, err error) error {
	if err == nil && r.Part() {
		return exit.Silent(exit.CodePartial)
	}
	return explain(err)
}

// syncOnTime is a timer's sync: it only reports failures, and records the run.
func (a *app) syncOnTime(cmd *cobra.Command) error {
	a.print.Quiet = true
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	run := &runlog.Run{At: time.Now().UTC()}
	a.timed = run
	if folder, ok := registry.Known(c.State, entryOf(c)); ok {
		defer runlog.Begin(folder, run.At)()
	}
	if err = explain(notAnew(c)); err == nil {
		err = a.pass(cmd, nil)
	}
	code := exit.CodeOf(err)
	if cmd.Context().Err() != nil && err != nil {
		code = exit.CodeInterrupted
	}
	run.Ended(time.Now(), code, err)
	if folder, ok := registry.Known(c.State, entryOf(c)); ok { // it may exist by now
		if more := runlog.Add(folder, *run); more != nil { // the exit code is the run's
			a.print.Fail(more)
			err = cmp.Or(err, exit.Silent(exit.CodeFailed))
		}
	}
	return err
}

// homeNote is the id of the first note to open.
const homeNote = "home"

func (e *engine) noNotesYet() bool {
	if e.Mode.DryRun || e.opened.scratch != "" {
		return false
	}
	if _, err := os.Stat(filepath.Join(e.config.Managed(), "Home.md")); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	n, _, _ := e.Ledger.Count("session") // without Home, if that was deleted
	return n == 0
}

func (a *app) firstSync(ctx context.Context, e *engine, r *extract.Report) present.FirstSync {
	f := present.FirstSync{Missing: e.missing(r)}
	f.Sessions, _, _ = e.Ledger.Count("session")
	if home, ok := e.Ledger.Note(homeNote); ok {
		f.Home = filepath.Join(e.config.Managed(), filepath.FromSlash(home.Path))
		f.Link = obsidian.Link(f.Home)
	}
	f.Limits = e.config.Limits()
	if !a.sample && a.todo(ctx, e.config).Timer {
		f.Next = a.command("schedule install", e.config)
	}
	return f
}

// passLines returns the final lines of a run; first: the vault had no notes before.
func (a *app) passLines(ctx context.Context, e *engine, p *present.Pass, lines []string, first bool) []string {
	r := &p.Report
	if !first || r.Notes.Created == 0 || a.json || a.print.Quiet {
		return append(lines, p.CommitLines(a.home)...)
	}
	f := a.firstSync(ctx, e, r)
	if f.Sessions == 0 {
		return append(lines, p.CommitLines(a.home)...)
	}
	lines = append(f.Words(r, a.home), lines[1:]...)
	return append(append(lines, p.CommitLines(a.home)...), f.NextLine()...)
}
