package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

func newSync(a *app) *cobra.Command {
	var mode extract.Mode
	var asJSON bool
	var order commitOrder
	var planFile string
	var listMasks, onTime bool
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "write what is new in the history into the vault, then stop",
		Long: "Write what is new in the history into the vault, then stop. With --plan nothing is\n" +
			"written but a FILE that says all that a sync would write; `apply` does it.",
		Example: "  sessionloom sync --dry-run --diff\n  sessionloom sync --plan week.json && sessionloom apply week.json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := order.verify(mode); err != nil {
				return err
			}
			if asJSON && mode.Texts {
				return usage("leave one of them out", "--json and --diff exclude each other")
			}
			if listMasks {
				if planFile != "" || order.commit || mode.Texts {
					return usage("give it alone", "--redactions writes nothing and goes with --json only")
				}
				return a.listRedactions(cmd, asJSON)
			}
			if onTime {
				if asJSON || planFile != "" || mode != (extract.Mode{}) {
					return usage("give it alone, or with --commit", "--scheduled is how a timer calls sync")
				}
				return a.syncOnTime(cmd, mode, order)
			}
			if planFile != "" && order.commit {
				return usage("apply the plan, then commit", "--commit and --plan exclude each other")
			}
			if planFile != "" {
				return a.plan(cmd, mode, asJSON, planFile)
			}
			return a.passAndCommit(cmd, mode, asJSON, (*extract.Sync).Run, order)
		},
	}
	a.addSettings(cmd)
	f := cmd.Flags()
	f.BoolVarP(&mode.DryRun, "dry-run", "n", false, "write nothing, say what would be done")
	f.BoolVar(&mode.Full, "full", false, "read everything, whatever was remembered of it")
	f.BoolVar(&mode.Force, "force", false, "go on although many notes are missing at once")
	f.BoolVar(&mode.Texts, "diff", false, "show what changes as a unified diff; so does --dry-run with -v")
	f.StringVar(&planFile, "plan", "", "write nothing but a plan into `FILE` (- for standard output)")
	f.BoolVar(&listMasks, "redactions", false, "write nothing, list the places where secrets are masked")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.BoolVar(&onTime, "scheduled", false, "say only what went wrong, and remember the run for schedule status: how a timer calls it")
	order.addFlags(f)
	a.addSample(cmd)
	return cmd
}

// addSample gives a command the flag for the built-in history.
func (a *app) addSample(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.sample, "sample", false, "read the built-in sample history instead of this machine's")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		for _, name := range []string{"copilot-home", "vscode-user", "vscode-export"} {
			if a.sample && cmd.Flags().Changed(name) {
				return usage("name one of them", "--sample and --%s exclude each other", name)
			}
		}
		return nil
	}
}

// pass opens everything, does one pass and reports it.
func (a *app) pass(
	cmd *cobra.Command, mode extract.Mode, asJSON bool, run func(*extract.Sync, context.Context) (extract.Report, error),
) error {
	return a.passAndCommit(cmd, mode, asJSON, run, commitOrder{})
}

// passAndCommit is pass with a commit of what it wrote, where that was ordered.
func (a *app) passAndCommit(
	cmd *cobra.Command, mode extract.Mode, asJSON bool, run func(*extract.Sync, context.Context) (extract.Report, error), order commitOrder,
) (err error) {
	if err := order.ready(a, cmd); err != nil {
		return err
	}
	mode.Texts = mode.Texts || mode.DryRun && a.print.verbose && !asJSON
	l, err := a.loom(cmd, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	passed, err := l.pass(cmd.Context(), run, order)
	report, anew, made := passed.report, passed.anew, passed.made
	a.timed.saw(&report)
	if report.Schema == 0 && err != nil {
		return explain(err)
	}
	if mode.Texts {
		a.showDiff(&report, diffOptions{})
	}
	switch {
	case asJSON:
		err = errors.Join(err, a.print.object(passed.object()))
	case err == nil || len(report.Changed) > 0: // a run that was stopped has not found "nothing new"
		a.print.say(summary(&report, a.print.verbose, a.home)...)
		a.print.say(append(anew.lines(), made.lines()...)...)
	}
	a.print.warn(append(anew.warnings(), made.warnings()...)...)
	if report.Sessions.Listed == 0 && err == nil {
		err = a.nothingFound(cmd.Context(), l)
	}
	a.print.troubles(report.Problems, a.home)
	if err == nil && report.Part() {
		return silent(exitPartial)
	}
	return explain(err)
}

// nothingFound says where was looked, where there was nothing at all to read.
func (a *app) nothingFound(ctx context.Context, l *loom) error {
	if a.print.quiet {
		return nil // a machine that reads notes alone, after each pull
	}
	inv, err := takeInventory(ctx, l.Sources)
	if err != nil || inv.items() > 0 {
		return err
	}
	a.print.note("no history found; looked at")
	for _, line := range inv.table(a.home) {
		a.print.note("%s", line)
	}
	a.print.advise("sessionloom sync --sample --vault " + tilde(l.config.vault, a.home) + " weaves the built-in sample history")
	return nil
}
