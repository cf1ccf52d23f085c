package main

import (
	"context"
	"math"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

func newForget(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forget ID…",
		Short: "remove sessions or projects, and keep them out from then on",
		Long: "Remove sessions or projects: their notes, their pictures and all that was kept of\n" +
			"them. They stay out on every machine that writes to this vault, until restore ID.\n" +
			"The agent's own files are not touched.\n\n" +
			"An ID is that of a session, or project: with a project's key or name. A note in\n" +
			"which you wrote stays and is named; with --edited it goes too, into\n" +
			".sessionloom/rescued in the notes' folder, which Obsidian does not show.",
		Example: "  sessionloom forget 9f1c2d3e-0000-4000-8000-000000000000\n" +
			"  sessionloom forget --dry-run project:github.com/octo-org/widget\n" +
			"  sessionloom forget --force \"project:widget (octo-org)\"",
		Args: argsOf(1, math.MaxInt, "name a session by its id, or a project: project:github.com/octo-org/widget"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.pass(cmd, func(s *extract.Engine, ctx context.Context) (extract.Report, error) {
				return s.Forget(ctx, ids)
			})
		},
	}
	a.addSettings(cmd)
	a.addOptions(cmd, "dry-run", "force", "json", "sample")
	cmd.Flags().BoolVar(&a.mode.Edited, "edited", false, "also take away the notes you wrote in; they are put aside, not deleted")
	return cmd
}

func newRestore(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore ID…",
		Short: "bring deleted notes back",
		Long: "Bring notes back that were deleted from the vault. An ID is a note's property `id`,\n" +
			"as status lists it, or the id of a session for all of its notes. What was forgotten\n" +
			"comes back by the same ID, if its history is still there.",
		Example: "  sessionloom restore day:2026-11-03\n  sessionloom restore 7524f8de-6567-42a5-9569-07102f5d4c6c --dry-run",
		Args:    argsOf(1, math.MaxInt, "sessionloom status lists deleted notes"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.pass(cmd, func(s *extract.Engine, ctx context.Context) (extract.Report, error) {
				return s.Restore(ctx, ids)
			})
		},
	}
	a.addSettings(cmd)
	a.addOptions(cmd, "dry-run", "json", "sample")
	return cmd
}
