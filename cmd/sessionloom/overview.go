package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
)

// overview is what the program says when it is called without a command: where one
// stands, and how to go on.
func (a *app) overview(cmd *cobra.Command) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	if c.Vault == "" {
		return a.welcome(cmd.Context(), c)
	}
	if err := explain(notAnew(c)); err != nil {
		a.sayKnown(cmd, c)
		return err
	}
	s := &present.StatusReport{Vault: c.Managed()}
	if folder, ok := registry.Known(c.State, entryOf(c)); ok {
		s.Last = runlog.ReadLast(folder)
	}
	a.print.Say(s.LastLines(a.home, a.print.LineWidth())...)
	if s.Last != nil { // else there is time for that
		a.print.Say(a.todo(cmd.Context(), c).Lines(func(name string) string { return a.command(name, c) })...)
	}
	a.print.Say("next: " + a.command("sync", c))
	return nil
}

func (a *app) welcome(ctx context.Context, c config.Config) error {
	found, err := a.inventory(ctx, c)
	if err != nil {
		return err
	}
	a.print.Say(found.Welcome(a.knownVaults(), a.home)...)
	return nil
}
