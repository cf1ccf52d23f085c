package main

import (
	"errors"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
)

// Flags of init that answer a question.
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

// askRest asks a person at a terminal what no flag said and what is not set up yet.
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
	todo := a.todo(cmd.Context(), c)
	if todo.Driver && !cmd.Flags().Changed(flagGit) {
		d.Tell("The vault lies in a git repository.")
		if w.git, err = d.Yes("Have git merge notes of several machines?", true); err != nil {
			return c, w, err
		}
	}
	if todo.Timer && !cmd.Flags().Changed(flagSchedule) && a.timerPossible(cmd, c) {
		w.schedule, err = d.Timer(func(text string) error {
			_, err := scheduleFlagsOf(text, "the timer")
			return err
		})
	}
	return c, w, err
}

// timerPossible tells whether a timer could be set up here.
func (a *app) timerPossible(cmd *cobra.Command, c config.Config) bool {
	if schedule.Sudoer(os.Getuid(), a.env("SUDO_USER")) != "" {
		return false
	}
	_, err := a.kindOf(cmd, a.kinds(c), "")
	return err == nil
}
