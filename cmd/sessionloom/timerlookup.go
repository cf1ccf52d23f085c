package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
)

// withVaultNamed is the configuration of cmd, which has to name a vault.
func (a *app) withVaultNamed(cmd *cobra.Command) (config.Config, error) {
	c, err := a.config(cmd)
	if err == nil && c.Vault == "" {
		err = config.NoVault()
	}
	return c, err
}

// timerName is the name of the timer of a vault.
func timerName(c config.Config) string { return schedule.Name(registry.Resolved(c.Vault), c.Folder) }

// kinds are the timers that systems have, for this one.
func (a *app) kinds(c config.Config) []schedule.Kind {
	return schedule.Kinds(schedule.Local(a.home, c.State))
}

// timer is what is known of the timer of a vault, and of its runs. Those are told
// even where the system cannot be asked for the timer.
func (a *app) timer(cmd *cobra.Command, c config.Config) (present.Timer, error) {
	t := present.Timer{Name: timerName(c)}
	if folder, ok := registry.Known(c.State, entryOf(c)); ok {
		t.Runs = runlog.Read(folder)
	}
	state, err := schedule.Find(cmd.Context(), a.kinds(c), t.Name)
	if errors.Is(err, schedule.ErrNone) {
		return t, nil
	}
	if err == nil {
		t.State = state
	}
	return t, err
}
