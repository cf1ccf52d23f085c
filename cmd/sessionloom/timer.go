package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/vault/repo"
)

func (a *app) timerSpec(cmd *cobra.Command, t scheduleFlags) (c config.Config, spec schedule.TimerSpec, err error) {
	when, err := t.when()
	if err != nil {
		return c, spec, err
	}
	if c, err = a.withVaultNamed(cmd); err != nil {
		return c, spec, err
	}
	program, err := system.OwnPath()
	if err != nil {
		return c, spec, err
	}
	spec = schedule.TimerSpec{
		Name: timerName(c), Title: "sessionloom: keep " + a.short(c.Vault) + " up to date",
		Program: program, When: when, Env: schedule.Environment(config.EnvPrefix, a.commit || c.Distil.AfterSync),
		Args: []string{"sync", "--scheduled", "--vault=" + c.Vault, "--folder=" + c.Folder},
	}
	if a.commit {
		spec.Args = append(spec.Args, "--commit")
	}
	if !a.commit && !c.Distil.AfterSync { // hooks, signing and agents write anywhere and use the network
		spec.Writes = writtenTo(c)
	}
	// The state folder only if it was given: if the configuration named another one later, two runs could
	// work on one vault.
	spec.Args = append(spec.Args, config.Repeated(cmd.Flags(), a.home, "vault", "folder")...)
	return c, spec, nil
}

// writtenTo lists the folders that a sync writes to; reading may refresh git's index.
func writtenTo(c config.Config) []string {
	dirs := []string{c.Vault, c.State}
	if r, err := repo.Find(c.Vault); err == nil {
		dirs = append(dirs, r.Folders()...)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// maySchedule rejects a timer that would run as root, or for a missing vault.
func (a *app) maySchedule(c config.Config) error {
	if err := notAnew(c); err != nil {
		return explain(err)
	}
	if who := schedule.Sudoer(os.Getuid(), a.env("SUDO_USER")); who != "" {
		return exit.Failed("run it as "+who+", without sudo", "the timer would run as root")
	}
	if err := os.MkdirAll(c.State, 0o700); err != nil { // a confined run could not make it
		return exit.Failed(exit.SystemHint(err), "make the state folder: %w", err)
	}
	return nil
}

func (a *app) withVaultNamed(cmd *cobra.Command) (config.Config, error) {
	c, err := a.config(cmd)
	if err == nil && c.Vault == "" {
		err = config.NoVault()
	}
	return c, err
}

func timerName(c config.Config) string { return schedule.Name(registry.Resolved(c.Vault), c.Folder) }

func (a *app) kinds(c config.Config) []schedule.Kind {
	return schedule.Kinds(schedule.Local(a.home, c.State))
}

func (a *app) noTimer(ctx context.Context, c config.Config) string {
	return schedule.None(ctx, a.kinds(c), os.Getuid(), a.env("SUDO_USER"))
}

func (a *app) timerHint(ctx context.Context, c config.Config) string {
	if why := a.noTimer(ctx, c); why != "" {
		return "sessionloom watch keeps the notes new while it runs (" + why + ")"
	}
	return "sessionloom schedule install --every 30m"
}

// timer returns the data of a timer, and of its runs even if the timer cannot be queried.
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

// todo returns the open steps of the setup.
func (a *app) todo(ctx context.Context, c config.Config) (t setup.Todo) {
	_, err := schedule.Find(ctx, a.kinds(c), timerName(c))
	t.Timer = errors.Is(err, schedule.ErrNone) && a.noTimer(ctx, c) == ""
	t.Driver = driverMissing(ctx, c)
	return t
}

// driverMissing reports whether the vault's repository lacks the merge driver.
func driverMissing(ctx context.Context, c config.Config) bool {
	self, err := system.OwnPath()
	return err == nil && gitvault.DriverMissing(ctx, c.Vault, c.Folder, self)
}
