package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault/repo"
)

const (
	flagGit      = "git"
	flagSchedule = "schedule"
)

// chooseVault finds the vault, where nobody named one, and gives the configuration with
// it. A person at a terminal is asked. Else the only one is taken; of several none is,
// and the command for each is told.
func (a *app) chooseVault(cmd *cobra.Command, c config.Config) (config.Config, error) {
	if c.Vault != "" {
		return a.mayCreate(cmd, c)
	}
	cwd, _ := os.Getwd() // a folder that was deleted lies in no vault
	found := a.vaults(cwd)
	switch {
	case a.asks():
		path, err := a.dialog(cmd).Vault(found, c.Folder)
		if err != nil {
			return c, err
		}
		return a.withVault(cmd, path)
	case len(found) == 1:
		a.print.Say("found the vault " + present.ShellPath(found[0].Path, a.home))
		return a.withVault(cmd, found[0].Path)
	case len(found) > 1:
		return c, exit.Usage(setup.Several(found, a.home), "%d vaults are on this machine", len(found))
	}
	return c, exit.Usage("name it: sessionloom init --vault DIR --create", "no vault named, and Obsidian has none on this machine")
}

func (a *app) askRest(cmd *cobra.Command, c config.Config, w wishes, found *present.Inventory) (_ config.Config, _ wishes, err error) {
	if !a.asks() {
		return c, w, nil
	}
	d := a.dialog(cmd)
	if notBegun(c) && c.Rendering.Timezone == "" {
		zone, err := d.Zone(system.Zone())
		if err == nil && zone != system.Zone() {
			err = cmd.Flags().Set("timezone", zone)
		}
		if err == nil {
			c, err = a.config(cmd)
		}
		if err != nil {
			return c, w, err
		}
	}
	if notBegun(c) && !cmd.Flags().Changed(config.FlagPromptOnly) {
		yes, err := d.Prompts(discover.KeepPrompts(found))
		if err := errors.Join(err, cmd.Flags().Set(config.FlagPromptOnly, strconv.FormatBool(yes))); err != nil {
			return c, w, err
		}
	}
	if !cmd.Flags().Changed(flagGit) {
		w.git, err = a.askGit(cmd.Context(), c, d)
	}
	if err == nil && !cmd.Flags().Changed(flagSchedule) {
		w.schedule, err = a.askTimer(cmd.Context(), c, d)
	}
	return c, w, err
}

func (a *app) askGit(ctx context.Context, c config.Config, d setup.Dialog) (bool, error) {
	if _, err := exec.LookPath("git"); err != nil {
		d.Tell("No git: it is not installed here.")
		return false, nil
	}
	_, err := gitvault.Find(c.Vault, c.Folder)
	switch {
	case errors.Is(err, repo.ErrNone), errors.Is(err, fs.ErrNotExist):
		return d.Yes("Make a git repository of the vault?", false)
	case err != nil:
		d.Tell("No git: " + err.Error() + ".")
	case driverMissing(ctx, c):
		d.Tell("The vault lies in a git repository.")
		return d.Yes("Have git merge notes of several machines?", true)
	}
	return false, nil
}

func (a *app) askTimer(ctx context.Context, c config.Config, d setup.Dialog) (string, error) {
	if state, _ := schedule.Find(ctx, a.kinds(c), timerName(c)); state.Backend != "" {
		return "", nil
	}
	if why := a.noTimer(ctx, c); why != "" {
		d.Tell("No timer: " + why + "; sessionloom watch keeps the notes new while it runs.")
		return "", nil
	}
	return d.Timer(func(text string) error {
		_, err := scheduleFlagsOf(text, "the timer")
		return err
	})
}

// lookFirst refuses, before anything is asked, a vault that cannot be opened or written. Where one
// is gone it asks a person whether to begin anew there.
func (a *app) lookFirst(cmd *cobra.Command, c config.Config) (anew bool, err error) {
	p, err := openVault(c, extract.Mode{DryRun: true})
	var lost *lostError
	switch {
	case errors.As(err, &lost) && a.asks():
		d := a.dialog(cmd)
		d.Tell("The vault that lay in " + a.short(c.Vault) + " is gone.")
		if anew, err = d.Yes("Begin anew there?", false); err != nil || !anew {
			return false, cmp.Or(err, explain(lost))
		}
	case err != nil:
		return false, explain(err)
	default:
		if err := p.close(); err != nil {
			return false, err
		}
	}
	if err := system.Makeable(c.Managed()); err != nil {
		return false, exit.Failed(exit.SystemHint(err), "no notes can be written: %w", err)
	}
	return anew, nil
}
