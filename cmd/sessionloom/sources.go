package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

func newSources(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sources",
		Short: "show where it looks for history and what it finds there",
		Long: "Show where it looks for history and what it finds there: the folders of each\n" +
			"source, how much is in them, why something is left out, sessions that only an index\n" +
			"still knows, the sessions without a note and why, and kinds that no reader knew in\n" +
			"the last run. Needs no vault and writes nothing.",
		Example: "  sessionloom sources\n  sessionloom sources --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			inv, err := a.examine(cmd)
			if err != nil {
				return err
			}
			inv.Missing = a.missingNow(cmd)
			lines := append(inv.Table(a.home), present.MissingLines(inv.Missing, a.home, a.print.LineWidth(), a.print.Verbose)...)
			err = a.printResult(inv, lines...)
			a.print.Troubles(inv.Problems, a.home)
			if err == nil && inv.Failed {
				return exit.Silent(exit.CodePartial)
			}
			return err
		},
	}
	a.addSettings(cmd, config.Sources)
	a.addOptions(cmd, "json")
	return cmd
}

func (a *app) missingNow(cmd *cobra.Command) []catalog.Missing {
	missing := []catalog.Missing{}
	_ = a.withCatalog(cmd, func(k ask.Known) error { // without a vault, or during a run, nothing is known
		missing = k.Missing(nil)
		return nil
	})
	return missing
}

func (a *app) examine(cmd *cobra.Command) (*present.Inventory, error) {
	c, err := a.config(cmd)
	if err != nil {
		return nil, err
	}
	read, err := a.history().Open(c)
	if err != nil {
		return nil, err
	}
	inv, err := discover.Examine(cmd.Context(), read.Sources, c.Redact)
	if err := errors.Join(err, read.Close()); err != nil {
		return nil, err
	}
	if folder, ok := registry.Known(c.State, entryOf(c)); ok {
		if last := runlog.ReadLast(folder); last != nil {
			inv.AddMet(last.Unknown)
		}
	}
	return inv, nil
}
