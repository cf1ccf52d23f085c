package main

import (
	"context"
	"math"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

func newForget(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "forget NAME…",
		Short: "remove sessions or projects, and keep them out from then on",
		Long: "Remove sessions or projects: their notes, their pictures and all that was kept of\n" +
			"them. They stay out on every machine that writes to this vault, until restore NAME.\n" +
			"The agent's own files are not touched.\n\n" +
			"A NAME is a session's id or the beginning of it, or its title; or a project's name or\n" +
			"key, with \"project:\" before it where a session has that name too. It shows what\n" +
			"goes and asks. A note in which you wrote stays and is named; with --edited it goes\n" +
			"too, into .sessionloom/rescued in the notes' folder, which Obsidian does not show.",
		Example: "  sessionloom forget 9f1c2d3e\n" +
			"  sessionloom forget --dry-run project:widget\n" +
			"  sessionloom forget --force --yes \"project:widget (octo-org)\"",
		Args:              ask.Args(1, math.MaxInt, "name a session by its id, or a project: project:widget"),
		ValidArgsFunction: a.completing(offerForgettable),
		RunE: func(cmd *cobra.Command, names []string) error {
			names, err := a.inVault(cmd, names)
			if err != nil {
				return err
			}
			forget := func(s *extract.Engine, ctx context.Context) (extract.Report, error) { return s.Forget(ctx, names) }
			if !yes && !a.mode.DryRun {
				if err := a.askToForget(cmd, forget); err != nil {
					return err
				}
			}
			return a.pass(cmd, forget)
		},
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, "dry-run", "force", "json", "sample")
	a.addYes(cmd, &yes)
	cmd.Flags().BoolVar(&a.mode.Edited, "edited", false, "also take away the notes you wrote in; they are put aside, not deleted")
	return cmd
}

func (a *app) askToForget(cmd *cobra.Command, forget func(*extract.Engine, context.Context) (extract.Report, error)) error {
	if !a.print.Interactive(a.stdin) {
		return a.confirm(cmd, false, "")
	}
	mode := a.mode
	mode.DryRun = true
	return a.withEngine(cmd, mode, func(e *engine) error {
		report, err := forget(&e.Engine, cmd.Context())
		if err != nil {
			return explain(err)
		}
		for _, line := range present.Going(&report, a.print.Verbose) {
			a.print.Note("%s", line)
		}
		return a.confirm(cmd, false, "Forget "+present.Count(report.Notes.Removed, "note")+"?")
	})
}

func newRestore(a *app) *cobra.Command {
	var last bool
	cmd := &cobra.Command{
		Use:   "restore [NAME…]",
		Short: "bring deleted notes back",
		Long: "Bring notes back that were deleted from the vault. A NAME is a note's property `id`,\n" +
			"its path or name, or the id of a session or the beginning of it for all of its notes.\n" +
			"With --last it is what was deleted last. What was forgotten comes back by the same\n" +
			"name, if its history is still there.",
		Example: "  sessionloom restore --last\n  sessionloom restore day:2026-11-03\n  sessionloom restore 7524f8de --dry-run",
		Args: func(cmd *cobra.Command, args []string) error {
			if last == (len(args) > 0) {
				return exit.Usage("sessionloom status lists deleted notes; --last takes what was deleted last", "name a note, or give --last")
			}
			return nil
		},
		ValidArgsFunction: a.completing(func(k ask.Known) []string { return present.Offers(k.Deleted()) }),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.passNamed(cmd, names, func(s *extract.Engine, ctx context.Context) (extract.Report, error) {
				if last {
					return s.RestoreLast(ctx)
				}
				return s.Restore(ctx, names)
			})
		},
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, "dry-run", "json", "sample")
	cmd.Flags().BoolVar(&last, "last", false, "what was deleted last")
	return cmd
}

func newAccept(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accept NOTE…",
		Short: "take sessionloom's text for a note you edited",
		Long: "Write a note as though you had never edited it: its text, links and properties. What\n" +
			"you wrote outside of these stays. A copy of the edited note is kept in\n" +
			".sessionloom/rescued in the notes' folder. A NOTE is a path, a name, a title, or the\n" +
			"id of a session or the beginning of it.",
		Example:           "  sessionloom accept Home --dry-run --diff\n  sessionloom accept 7524f8de",
		Args:              ask.Args(1, math.MaxInt, "sessionloom status lists the notes that are kept as you edited them"),
		ValidArgsFunction: a.completing(offerNotes),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.passNamed(cmd, names, func(s *extract.Engine, ctx context.Context) (extract.Report, error) {
				return s.Accept(ctx, names)
			})
		},
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, "dry-run", "diff", "json", "commit", "sample")
	return cmd
}

// passNamed runs a pass about names, some of which may be paths.
func (a *app) passNamed(cmd *cobra.Command, names []string, run func(*extract.Engine, context.Context) (extract.Report, error)) error {
	if _, err := a.inVault(cmd, names); err != nil {
		return err
	}
	return a.pass(cmd, run)
}

// inVault makes names that are paths of files relative to the vault's root.
func (a *app) inVault(cmd *cobra.Command, names []string) ([]string, error) {
	c, err := a.config(cmd)
	for i := range names {
		names[i] = homepath.InVault(names[i], c.Vault)
	}
	return names, err
}
