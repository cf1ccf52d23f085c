package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
)

func newScheduleStatus(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "show the timer, and how its last runs went",
		Example: "  sessionloom schedule status\n  sessionloom schedule status --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.scheduleStatus(cmd, asJSON) },
	}
	a.addSettings(cmd)
	config.HelpWith(cmd, config.Keys("vault", "folder", "state"))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) scheduleStatus(cmd *cobra.Command, asJSON bool) error {
	c, err := a.withVaultNamed(cmd)
	if err != nil {
		return err
	}
	t, err := a.timer(cmd, c)
	if err != nil {
		return explainTimer(err)
	}
	if asJSON {
		return a.print.Object(t.Report())
	}
	if t.State.Backend == "" {
		a.print.Say("there is no timer for " + a.short(c.Vault))
		a.print.Advise("sessionloom schedule install sets one up")
	} else {
		a.print.Say(t.Lines(a.home)...)
		if !t.State.Active {
			a.print.Advise("sessionloom schedule install sets it right")
		}
	}
	if t.State.Backend != "" || len(t.Runs) > 0 {
		a.print.Say(t.RunLines(a.print.Verbose)...)
	}
	if hint := schedule.NoService(t.State.Backend); hint != "" {
		a.print.Advise(hint)
	} else if hint := t.Late(time.Now()); hint != "" {
		a.print.Advise(hint)
	}
	return nil
}
