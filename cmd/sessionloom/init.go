package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

func newInit(a *app) *cobra.Command {
	var git, snippet bool
	var every string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "write a commented configuration and prepare the vault",
		Long: "Write a configuration file with every setting, commented, and prepare the vault.\n" +
			"Settings given as flags are written into it. Without --vault it takes the vault that\n" +
			"the current folder lies in, else the only one that Obsidian knows. A configuration or\n" +
			"vault that is there already stays as it is.",
		Example: "  sessionloom init\n  sessionloom init --vault ~/Vault --folder Coding/Agents --layout wiki",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd, git, snippet, every) },
	}
	a.addSettings(cmd)
	cmd.Flags().BoolVar(&git, "git", false, "set up what merges notes in the vault's git repository, as git install does")
	cmd.Flags().StringVar(&every, "schedule", "", "set up the system's timer, each `TIME` (30m) or daily at one (09:00)")
	cmd.Flags().BoolVar(&snippet, "snippet", false, "put a CSS snippet into the vault that hides our comments and dims properties")
	return cmd
}

// prepare is the work of init.
func (a *app) prepare(cmd *cobra.Command, git, snippet bool, schedule string) error {
	timer, err := scheduleFlagsOf(schedule)
	if err != nil {
		return err
	}
	c, err := a.config(cmd)
	if err == nil && c.Vault == "" {
		c, err = a.chooseVault(cmd)
	}
	if err != nil {
		return err
	}
	found, err := a.inventory(cmd.Context(), c)
	if err != nil {
		return err
	}
	p, err := openVault(c, extract.Mode{})
	if err != nil {
		return explain(err)
	}
	zone := p.vault.Marker().Settings["timezone"]
	if err := p.close(); err != nil {
		return err
	}
	at := a.short(c.Managed())
	if p.created {
		a.print.Say("created "+at, "times in "+zone)
	} else {
		a.print.Say(at + " is ready")
	}
	a.print.Say(found.Brief(a.home)...)
	err = errors.Join(a.tellRepo(c, git), a.writeConfig(cmd))
	if err == nil && git {
		err = a.withRepo(cmd, c, (*app).gitInstall)
	}
	if err == nil && snippet {
		err = a.writeSnippet(c)
	}
	if err == nil && schedule != "" {
		err = a.installTimer(cmd, c, timer)
	}
	if err == nil {
		a.offerSnippet(c)
		a.print.Say(a.nextStep(c))
	}
	return err
}

// writeConfig writes the configuration file where there is none yet.
func (a *app) writeConfig(cmd *cobra.Command) error {
	file, _ := config.File(a.configFlag, a.env, a.home)
	text := config.Example(config.Given(cmd.Flags(), a.home))
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		_, err = a.writeFresh(file, text)
	}
	if err != nil {
		return explain(fmt.Errorf("write config: %w", err))
	}
	return nil
}

// nextStep is the command to go on with, and what it would not know by itself.
func (a *app) nextStep(c config.Config) string {
	next := "next: sessionloom sync"
	if bare, err := a.config(newSync(a)); err != nil || bare.Vault != c.Vault {
		next += " --vault " + present.ShellPath(c.Vault, a.home)
	} else if bare.Folder != c.Folder {
		next += " --folder " + homepath.ShellWord(c.Folder)
	}
	if a.configFlag != "" {
		next += " --config " + present.ShellPath(a.configFlag, a.home)
	}
	return next
}

// inventory looks where the history of agents lies, as `sources` does.
func (a *app) inventory(ctx context.Context, c config.Config) (*present.Inventory, error) {
	read, err := a.history().Open(c)
	if err != nil {
		return nil, err
	}
	inv, err := discover.Look(ctx, read.Sources)
	return inv, errors.Join(err, read.Close())
}

// tellRepo says whether the vault lies in a git repository. wanted tells that it
// has to.
func (a *app) tellRepo(c config.Config, wanted bool) error {
	r, err := vaultRepo(c)
	var none *exit.Error
	switch {
	case errors.As(err, &none) && !wanted:
		return nil
	case err != nil:
		return err
	}
	if r.Born(context.Background()) {
		a.print.Say("the vault lies in a git repository: sync --commit commits what it writes")
	} else {
		a.print.Say("the vault lies in a git repository without a commit: make one before the first sync")
	}
	return nil
}

// scheduleFlagsOf reads when init is to have the timer run; empty: there is to be none.
func scheduleFlagsOf(text string) (scheduleFlags, error) {
	t := scheduleFlags{every: text, flag: "--schedule"}
	if strings.Contains(text, ":") {
		t = scheduleFlags{daily: text, flag: "--schedule"}
	}
	if text == "" {
		return t, nil
	}
	_, err := t.when()
	return t, err
}

// installTimer does what schedule install does, with the configuration that init
// wrote.
func (a *app) installTimer(cmd *cobra.Command, c config.Config, t scheduleFlags) error {
	install := newScheduleInstall(a)
	install.SetContext(cmd.Context())
	flags := install.Flags()
	flags.AddFlag(cmd.Flags().Lookup("config"))
	err := errors.Join(flags.Set("vault", c.Vault), flags.Set("folder", c.Folder))
	if bare, failed := a.config(newSync(a)); failed != nil || bare.State != c.State { // a configuration that stays says otherwise
		err = errors.Join(err, flags.Set("state", c.State))
	}
	if err != nil {
		return err
	}
	return a.scheduleInstall(install, t)
}

// chooseVault finds the vault that nobody named and gives the configuration with
// it. Of several it takes none, and says by which command to name each. Where
// there is none, a person at a terminal is asked.
func (a *app) chooseVault(cmd *cobra.Command) (config.Config, error) {
	cwd, _ := os.Getwd() // a folder that was deleted lies in no vault
	found := obsidian.Find(obsidian.Machine{Home: a.home, Cwd: cwd, GOOS: runtime.GOOS, Env: a.env})
	switch {
	case len(found) == 1:
		a.print.Say("found the vault " + present.ShellPath(found[0].Path, a.home))
		return a.withVault(cmd, found[0].Path)
	case len(found) > 1:
		return config.Config{}, exit.Usage(severalVaults(found, a.home), "%d vaults are on this machine", len(found))
	case !a.print.Interactive(a.stdin):
		return config.Config{}, exit.Usage("name it: sessionloom init --vault DIR", "no vault named, and Obsidian has none on this machine")
	}
	answer, err := a.print.Ask(cmd.Context(), a.stdin, "The folder of the vault: ")
	if err != nil {
		return config.Config{}, err
	}
	return a.withVault(cmd, answer)
}

// withVault is the configuration as if the vault had been given as a flag.
func (a *app) withVault(cmd *cobra.Command, dir string) (config.Config, error) {
	if err := cmd.Flags().Set("vault", dir); err != nil {
		return config.Config{}, exit.Usage("", "%w", err)
	}
	return a.config(cmd)
}

// severalVaults gives the command for each of some vaults.
func severalVaults(found []obsidian.Vault, home string) string {
	var b strings.Builder
	b.WriteString("name one of them:")
	for _, v := range found[:min(len(found), present.Listed)] {
		b.WriteString("\n  sessionloom init --vault " + present.ShellPath(v.Path, home))
		if v.Open {
			b.WriteString("  # open in Obsidian")
		}
	}
	if rest := len(found) - present.Listed; rest > 0 {
		fmt.Fprintf(&b, "\n  … and %s more", present.Commas(rest))
	}
	return b.String()
}
