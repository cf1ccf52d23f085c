package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/vault/merge"
)

// newGitMerge is the merge driver that git calls.
func newGitMerge(_ *app) *cobra.Command {
	return &cobra.Command{
		Use:   "merge BASE OURS THEIRS PATH",
		Short: "merge two versions of a note, as git asks for it",
		Long: "Merge two versions of a note into OURS. git calls this for the notes of a vault\n" +
			"where sessionloom git install was run. Exit code 1 says that two people changed\n" +
			"the same lines: both stand in OURS then, between conflict markers.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 4 {
				return exit.Usage("git calls this command; sessionloom git install sets it up", "%d arguments given, 4 needed", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var texts [3][]byte
			for i, file := range args[:3] {
				var err error
				if texts[i], err = os.ReadFile(file); err != nil {
					return fmt.Errorf("merge %q: %w", args[3], err)
				}
			}
			if len(texts[0]) == 0 {
				texts[0] = nil // both sides are new
			}
			merged, clean := merge.Versions(texts[0], texts[1], texts[2])
			if err := os.WriteFile(args[1], merged, 0o600); err != nil {
				return fmt.Errorf("merge %q: %w", args[3], err)
			}
			if !clean {
				return exit.Silent(exit.CodeFailed)
			}
			return nil
		},
	}
}
