package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

func newRestore(a *app) *cobra.Command {
	var mode extract.Mode
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore ID…",
		Short: "bring deleted notes back",
		Long: "Bring notes back that were deleted from the vault. An ID is a note's property `id`,\n" +
			"as status lists it, or the id of a session for all of its notes. What was forgotten\n" +
			"comes back by the same ID, if its history is still there.",
		Example: "  sessionloom restore day:2026-11-03\n  sessionloom restore 7524f8de-6567-42a5-9569-07102f5d4c6c --dry-run",
		Args:    someArgs("sessionloom status lists deleted notes", "ID"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.pass(cmd, mode, asJSON, func(s *extract.Sync, ctx context.Context) (extract.Report, error) {
				return s.Restore(ctx, ids)
			}, commitOrder{})
		},
	}
	a.addSettings(cmd)
	cmd.Flags().BoolVarP(&mode.DryRun, "dry-run", "n", false, "write nothing, say what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	a.addSample(cmd)
	return cmd
}
