package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
)

func newSchedule(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schedule",
		Short: "have the system's own timer sync the vault",
		Long: "Have the system's own timer sync the vault: systemd, launchd, the Task Scheduler of\n" +
			"Windows, or cron where nothing else is. Each vault has a timer of its own. It runs as\n" +
			"you, without rights of its own, and says nothing while all goes well.",
		Example: "  sessionloom schedule install --every 30m\n  sessionloom schedule status",
	}
	cmd.AddCommand(newScheduleInstall(a), newSchedulePrint(a), newScheduleStatus(a), newScheduleRemove(a))
	return cmd
}

type scheduleFlags struct {
	every, daily, backend string
	flag                  string // flag that gave the time, or ""
}

func (t *scheduleFlags) addFlags(a *app, cmd *cobra.Command) {
	a.addSettings(cmd, config.AllBut())
	f := cmd.Flags()
	f.StringVar(&t.every, "every", "", "run each `TIME`: 10m, 30m, 2h (default 30m)")
	f.StringVar(&t.daily, "daily", "", "run once a day, at `TIME`: 09:00")
	f.StringVar(&t.backend, "backend", "", "use the timer `NAME`: systemd, launchd, windows or cron (default: what runs here)")
	a.addOptions(cmd, "commit")
}

func (t *scheduleFlags) when() (schedule.When, error) {
	how, value, flag := "every", t.every, "--every"
	switch {
	case t.daily != "":
		how, value, flag = "daily", t.daily, "--daily"
	case t.every == "":
		value = "30m"
	}
	w, err := schedule.ParseWhen(how, value)
	if t.flag != "" {
		flag = t.flag
	}
	if err != nil {
		return w, exit.Usage("sessionloom watch follows each change at once", "%s %w", flag, err)
	}
	return w, nil
}

func newScheduleInstall(a *app) *cobra.Command {
	var t scheduleFlags
	cmd := &cobra.Command{
		Use:   "install",
		Short: "set the timer up, or change it",
		Long: "Set the timer up, or change it. Settings given as flags or in the environment are\n" +
			"repeated in it; those of the configuration are read anew by each run.",
		Example: "  sessionloom schedule install --every 30m\n  sessionloom schedule install --daily 09:00 --commit",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.scheduleInstall(cmd, t) },
	}
	t.addFlags(a, cmd)
	return cmd
}

func newSchedulePrint(a *app) *cobra.Command {
	var t scheduleFlags
	cmd := &cobra.Command{
		Use:     "print",
		Short:   "show the files and commands of install, and change nothing",
		Example: "  sessionloom schedule print --every 2h\n  sessionloom schedule print --backend cron",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.schedulePrint(cmd, t) },
	}
	t.addFlags(a, cmd)
	return cmd
}

func newScheduleRemove(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "remove", Short: "remove the timer and everything that install made",
		Example: "  sessionloom schedule remove --vault ~/Vault",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.scheduleRemove(cmd) },
	}
	a.addSettings(cmd, config.Keys("vault", "folder", "state"))
	return cmd
}

func (a *app) scheduleInstall(cmd *cobra.Command, t scheduleFlags) error {
	c, spec, err := a.timerSpec(cmd, t)
	if err == nil {
		err = a.maySchedule(c)
	}
	if err != nil {
		return err
	}
	kinds := a.kinds(c)
	kind, err := kindOf(cmd.Context(), kinds, t.backend)
	if err != nil {
		return err
	}
	changed, err := kind.Install(cmd.Context(), spec)
	if err != nil {
		return explain(err)
	}
	for _, other := range kinds { // a vault has one timer
		if other.Name == kind.Name {
			continue
		}
		gone, err := other.Remove(cmd.Context(), spec.Name)
		if err != nil {
			return explain(err)
		}
		a.saidGone(gone)
	}
	installed := present.Timer{}
	installed.State, err = kind.Find(cmd.Context(), spec.Name)
	if err != nil {
		return explain(err)
	}
	word := "set up already: "
	if changed {
		word = "set up: "
	}
	lines := installed.Lines(a.home)
	lines[0] = word + lines[0]
	a.print.Say(lines...)
	a.adviseTimer(kind, spec)
	return nil
}

func (a *app) adviseTimer(kind schedule.Kind, spec schedule.TimerSpec) {
	if at := schedule.Transient(spec.Program); at != "" {
		a.print.Warn(fmt.Sprintf("the timer calls %q, in a folder that %s", spec.Program, at))
		a.print.Advise("install the program, then run this again")
	}
	if len(spec.Env) > 0 && !kind.Keeps {
		a.print.Warn("set in this shell, and not seen by the timer: " + strings.Join(spec.Env, " "))
		a.print.Advise("setx makes them last")
	}
	if !a.print.Quiet {
		a.print.Advise(schedule.LoggedOutHint(kind.Name))
	}
}

func (a *app) schedulePrint(cmd *cobra.Command, t scheduleFlags) error {
	c, spec, err := a.timerSpec(cmd, t)
	if err != nil {
		return err
	}
	kind, err := kindOf(cmd.Context(), a.kinds(c), t.backend)
	if err != nil {
		return err
	}
	steps, err := kind.InstallPlan(spec)
	if err != nil {
		return explain(err)
	}
	for _, f := range steps.Files {
		a.print.Say("# " + a.short(f.Path))
		a.print.Say(strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n")...)
	}
	a.print.Say("# then")
	for _, c := range steps.Commands {
		words := make([]string, 0, len(c))
		for _, w := range c {
			words = append(words, homepath.ShellWord(w))
		}
		a.print.Say(strings.Join(words, " "))
	}
	return nil
}

func (a *app) scheduleRemove(cmd *cobra.Command) error {
	c, err := a.withVaultNamed(cmd)
	if err != nil {
		return err
	}
	var all []string
	var failures []error
	for _, kind := range a.kinds(c) {
		gone, err := kind.Remove(cmd.Context(), timerName(c))
		all, failures = append(all, gone...), append(failures, err)
	}
	a.saidGone(all)
	if err := errors.Join(failures...); err != nil {
		return explain(err)
	}
	if len(all) == 0 {
		a.print.Say("there was no timer for " + a.short(c.Vault))
	}
	folder, ok := registry.Known(c.State, entryOf(c))
	if !ok {
		return nil
	}
	gone, err := runlog.Forget(folder)
	a.saidGone(gone)
	return err
}

func (a *app) saidGone(gone []string) {
	for _, g := range gone {
		a.print.Say("took out " + a.short(g))
	}
}

func kindOf(ctx context.Context, kinds []schedule.Kind, name string) (schedule.Kind, error) {
	k, err := schedule.Choose(ctx, kinds, name)
	if err != nil && name != "" {
		err = exit.Usage("known timers: "+strings.Join(schedule.Names(kinds), ", "), "%w", err)
	}
	return k, explain(err)
}

func newScheduleStatus(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "show the timer, and how its last runs went",
		Example: "  sessionloom schedule status\n  sessionloom schedule status --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.scheduleStatus(cmd) },
	}
	a.addSettings(cmd, config.Keys("vault", "folder", "state"))
	a.addOptions(cmd, "json")
	return cmd
}

func (a *app) scheduleStatus(cmd *cobra.Command) error {
	c, err := a.withVaultNamed(cmd)
	if err != nil {
		return err
	}
	t, err := a.timer(cmd, c)
	if err != nil {
		return explain(err)
	}
	if a.json {
		return a.print.Object(t.Report())
	}
	if t.State.Backend == "" {
		a.print.Say("there is no timer for " + a.short(c.Vault))
		a.print.Advise(a.timerHint(cmd.Context(), c))
	} else {
		a.print.Say(t.Lines(a.home)...)
		bound := t.State.Bound && c.Distil.AfterSync
		if bound {
			a.print.Warn("it was set up before distil.after_sync: its runs reach no network, and no agent answers")
		}
		if bound || !t.State.Active {
			a.print.Advise("sessionloom schedule install sets it right")
		}
	}
	if t.State.Backend != "" || len(t.Runs) > 0 {
		a.print.Say(t.RunLines(a.print.Verbose)...)
	}
	a.print.Advise(t.Late(time.Now()))
	return nil
}
