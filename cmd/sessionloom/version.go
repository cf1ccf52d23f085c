package main

import (
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version",
		Long:    "Print the version, the commit it was built from, and the system it is for.",
		Example: "  sessionloom version",
		RunE: func(*cobra.Command, []string) error {
			a.print.Quiet = false
			a.print.Say(system.Version())
			return nil
		},
	}
}
