package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
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
				return exit.Usage("leave one of them out", "--json and --diff exclude each other")
			}
			if listMasks {
				if planFile != "" || order.commit || mode.Texts {
					return exit.Usage("give it alone", "--redactions writes nothing and goes with --json only")
				}
				return a.listRedactions(cmd, asJSON)
			}
			if onTime {
				if asJSON || planFile != "" || mode != (extract.Mode{}) {
					return exit.Usage("give it alone, or with --commit", "--scheduled is how a timer calls sync")
				}
				return a.syncOnTime(cmd, mode, order)
			}
			if planFile != "" && order.commit {
				return exit.Usage("apply the plan, then commit", "--commit and --plan exclude each other")
			}
			if planFile != "" {
				return a.plan(cmd, mode, asJSON, planFile)
			}
			return a.pass(cmd, mode, asJSON, (*extract.Sync).Run, order)
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

// nothingFound says where was looked, where there was nothing at all to read.
func (a *app) nothingFound(ctx context.Context, e *engine) error {
	if a.print.Quiet {
		return nil // a machine that reads notes alone, after each pull
	}
	inv, err := discover.Look(ctx, e.Sources)
	if err != nil || inv.Items() > 0 {
		return err
	}
	a.print.Note("no history found; looked at")
	for _, line := range inv.Table(a.home) {
		a.print.Note("%s", line)
	}
	a.print.Advise("sessionloom sync --sample --vault " + a.short(e.config.Vault) + " weaves the built-in sample history")
	return nil
}
