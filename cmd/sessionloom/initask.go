package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/sources/all"
)

// Flags of init that answer a question.
const (
	flagGit        = "git"
	flagPromptOnly = "prompt-only"
	flagSchedule   = "schedule"
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
func (a *app) askRest(cmd *cobra.Command, c config.Config, w wishes, found *present.Inventory) (config.Config, wishes, error) {
	if !a.asks() {
		return c, w, nil
	}
	d := a.dialog(cmd)
	if notBegun(c) && c.Rendering.Timezone == "" {
		usual := system.Zone()
		zone, err := d.Zone(usual)
		if err == nil && zone != usual {
			err = cmd.Flags().Set("timezone", zone)
		}
		if err == nil {
			c, err = a.config(cmd)
		}
		if err != nil {
			return c, w, err
		}
	}
	if agents := a.listPrompts(found); len(agents) > 0 && !cmd.Flags().Changed(flagPromptOnly) {
		d.Tell("Of sessions that were deleted, by age or by you, the typed prompts may be left: " + strings.Join(agents, ", ") + ".")
		yes, err := d.Yes("Write notes of these too?", false)
		if err != nil {
			return c, w, err
		}
		w.promptOnly = yes
	}
	todo := a.todo(cmd.Context(), c)
	if todo.Driver && !cmd.Flags().Changed(flagGit) {
		d.Tell("The vault lies in a git repository.")
		yes, err := d.Yes("Have git merge notes of several machines?", true)
		if err != nil {
			return c, w, err
		}
		w.git = yes
	}
	if todo.Timer && !cmd.Flags().Changed(flagSchedule) && a.timerPossible(cmd, c) {
		when, err := d.Timer(func(text string) error {
			_, err := scheduleFlagsOf(text, "the timer")
			return err
		})
		if err != nil {
			return c, w, err
		}
		w.schedule = when
	}
	return c, w, nil
}

// listPrompts gives the agents here that keep the prompts of deleted sessions, unless a
// configuration already says what becomes of them.
func (a *app) listPrompts(found *present.Inventory) (agents []string) {
	file, _ := config.File(a.configFlag, a.env, a.home)
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	for _, k := range all.Kinds() {
		if slices.ContainsFunc(found.Sources, func(s present.SourceRoot) bool { return s.Name == k.Name && s.Items > 0 }) {
			agents = append(agents, k.Title)
		}
	}
	return agents
}

// timerPossible tells whether a timer could be set up here.
func (a *app) timerPossible(cmd *cobra.Command, c config.Config) bool {
	if schedule.Sudoer(os.Getuid(), a.env("SUDO_USER")) != "" {
		return false
	}
	_, err := a.kindOf(cmd, a.kinds(c), "")
	return err == nil
}
