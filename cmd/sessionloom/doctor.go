package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

func newDoctor(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "check the setup and suggest fixes",
		Long: "Check the setup: the history, the vault, the timer, git, the disk, the clock. Each\n" +
			"line is ok, or suggests a fix. Nothing is written. `check` looks at the notes\n" +
			"themselves. Exit code 4 where something is to be looked at.",
		Example: "  sessionloom doctor\n  sessionloom doctor --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &present.Diagnosis{Schema: 1}
			a.examineAll(cmd, d)
			err := a.printResult(d, d.Lines(a.print.LineWidth())...)
			if err == nil && d.Wrong() > 0 {
				err = exit.Silent(exit.CodeFound)
			}
			return err
		},
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, "json")
	return cmd
}

// examineAll runs all checks whose prerequisites exist.
func (a *app) examineAll(cmd *cobra.Command, d *present.Diagnosis) {
	d.Good("program", "%s", system.Version())
	c, err := a.config(cmd)
	if err != nil {
		d.Bad("settings", hintOf(err), "%v", err)
		return
	}
	a.examineSources(cmd.Context(), d, c)
	if v := obsidian.Version(obsidian.Machine{Home: a.home, GOOS: runtime.GOOS, Env: a.env}); v != "" {
		d.Good("Obsidian", "version %s", v)
	}
	if c.Vault == "" {
		d.Bad("vault", "sessionloom init", "none is set up")
		return
	}
	kept, ok := a.examineVault(d, c)
	if !ok {
		return
	}
	if odd := c.NoEffect(kept.Settings, kept.Unknown); len(odd) > 0 {
		for _, line := range odd {
			d.Bad("settings", "", "%s", line)
		}
	} else {
		file, _ := config.File(a.configFlag, a.env, a.home)
		d.Good("settings", "%s", a.short(file))
	}
	last := a.examineState(d, c)
	a.examineTimer(cmd, d, c)
	examineGit(cmd.Context(), d, c)
	a.examineSpace(d, c)
	if last != nil {
		d.Clock(last.At, time.Now())
	}
}

func hintOf(err error) string {
	var f *exit.Error
	if errors.As(explain(err), &f) {
		return f.Hint
	}
	return ""
}

func (a *app) examineSources(ctx context.Context, d *present.Diagnosis, c config.Config) {
	read, err := a.history().Open(c)
	if err != nil {
		d.Bad("history", hintOf(err), "%v", err)
		return
	}
	inv, err := discover.Examine(ctx, read.Sources, c.Redact)
	if err = errors.Join(err, read.Close()); err != nil {
		d.Bad("history", "", "%v", err)
		return
	}
	for _, at := range inv.Sources {
		if at.Items > 0 {
			d.Good("history", "%s", at.Diagnosis(a.home, time.Now()))
		}
	}
	for _, p := range inv.Problems {
		d.Bad("history", p.Hint, "%s: %s", p.Source, p.Error)
	}
	if inv.Items() == 0 && len(inv.Problems) == 0 {
		d.Bad("history", "sessionloom sources tells where it looks", "none was found")
	}
}

func (a *app) examineVault(d *present.Diagnosis, c config.Config) (kept vault.Marker, ok bool) {
	at := a.short(c.Managed())
	v, err := vault.Open(c.Vault, c.Folder, vault.Options{DryRun: true})
	if err != nil {
		if lost := notAnew(c); isMissing(err) && lost != nil {
			err = lost
		}
		d.Bad("vault", cmp.Or(hintOf(err), "sessionloom init"), "%v", err)
		return kept, false
	}
	kept = v.Marker()
	if err := v.Close(); err != nil {
		d.Bad("vault", "", "%v", err)
		return kept, true
	}
	if err := system.Writable(filepath.Join(c.Managed(), ".sessionloom")); err != nil {
		d.Bad("vault", exit.SystemHint(err), "%s cannot be written: %v", at, err)
		return kept, true
	}
	d.Good("vault", "%s, times in %s", at, kept.Settings["timezone"])
	return kept, true
}

// examineState checks the state, and returns the last run.
func (a *app) examineState(d *present.Diagnosis, c config.Config) *runlog.Last {
	state, known := registry.Known(c.State, entryOf(c))
	if !known {
		d.Bad("last run", "sessionloom sync", "none yet")
		return nil
	}
	l, err := ledger.Open(state, ledger.Options{Discard: true})
	switch {
	case errors.Is(err, ledger.ErrLocked):
		d.Good("state", "a run is at work")
	case err != nil:
		d.Bad("state", hintOf(err), "%v", err)
	default:
		kept, broken := len(l.NotesInState(ledger.Present)), len(l.NotesInState(ledger.Unwritable))
		if err := errors.Join(l.Failed(), l.Close()); err != nil {
			d.Bad("state", "sessionloom check --repair", "%v", err)
		} else {
			d.Good("state", "%s", a.short(state))
		}
		if broken > 0 {
			d.Bad("notes", "sessionloom status names them", "%s cannot be written", present.Count(broken, "note"))
		}
		if kept > 0 {
			d.Good("notes", "%s kept as you edited them", present.Count(kept, "note"))
		}
	}
	last := runlog.ReadLast(state)
	switch {
	case last == nil:
		d.Bad("last run", "sessionloom sync", "none yet")
	case last.Exit != exit.CodeDone:
		d.Bad("last run", "sessionloom sync shows why", "%s", cmp.Or(last.Error, "done in part"))
	default:
		d.Good("last run", "%s", humanize.RelTime(last.At, time.Now(), "ago", "from now"))
	}
	if last != nil && len(last.Unknown) > 0 {
		d.Good("history", "contains record types this version does not know; see sessionloom sources")
	}
	return last
}

func (a *app) examineTimer(cmd *cobra.Command, d *present.Diagnosis, c config.Config) {
	t, err := a.timer(cmd, c)
	brief := t.Brief()
	switch {
	case err != nil:
		d.Bad("timer", "sessionloom schedule status", "%v", err)
	case brief == nil || brief.Words == "":
		d.Bad("timer", a.timerHint(cmd.Context(), c), "there is none: the vault is as new as your last sync")
	case brief.Failing > 0:
		d.Bad("timer", "sessionloom schedule status", "%s, and the last %s failed: %s", brief.Words, present.Count(brief.Failing, "run"), brief.Error)
	case !t.State.Active:
		d.Bad("timer", "sessionloom schedule install", "%s", brief.Words)
	default:
		d.Good("timer", "%s", brief.Words)
	}
}

func examineGit(ctx context.Context, d *present.Diagnosis, c config.Config) {
	switch r, err := gitvault.Find(c.Vault, c.Folder); {
	case err != nil:
		d.Bad("git", hintOf(err), "%v", err)
	case r == nil: // none is required
	case driverMissing(ctx, c):
		d.Bad("git", "sessionloom git install", "the vault lies in a repository that does not merge its notes yet")
	default:
		d.Good("git", "notes of several machines merge")
	}
}

// leastSpace is less than a first sync of a large history may need.
const leastSpace = 500 << 20

func (a *app) examineSpace(d *present.Diagnosis, c config.Config) {
	for _, dir := range []string{c.Vault, c.State} {
		free, err := system.FreeSpace(dir)
		switch {
		case err != nil: // the folder does not exist yet, or the system does not say
		case free < leastSpace:
			d.Bad("disk", "free some space", "%s left for %s", humanize.Bytes(free), a.short(dir))
		default:
			d.Good("disk", "%s left for %s", humanize.Bytes(free), a.short(dir))
		}
	}
}
