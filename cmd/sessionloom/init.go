package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/extract"
)

type wishes struct {
	git, snippet bool
	anew         bool   // the old vault is gone and nothing was lost
	schedule     string // time of the timer; empty: none
}

func newInit(a *app) *cobra.Command {
	var w wishes
	cmd := &cobra.Command{
		Use:   "init",
		Short: "set sessionloom up: vault, configuration, git and timer",
		Long: "Set sessionloom up: prepare the vault and write a configuration file with every\n" +
			"setting, commented. On a terminal it asks; Enter takes the answer in brackets, Ctrl-C\n" +
			"leaves everything as it was. What a flag says is not asked, and is written into the\n" +
			"configuration where it is a setting. With --yes, or without a terminal, it takes the\n" +
			"vault that the current folder lies in, else the only one that Obsidian knows. A\n" +
			"configuration or vault that is there already stays as it is.",
		Example: "  sessionloom init\n  sessionloom init --vault ~/Vault --create --git --schedule 30m --yes",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd, w) },
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, flagCreate, "yes")
	cmd.Flags().BoolVar(&w.git, flagGit, false, "have git merge notes of several machines, in a new repository where there is none")
	cmd.Flags().StringVar(&w.schedule, flagSchedule, "", "set up the system's timer, each `TIME` (30m) or daily at one (09:00)")
	cmd.Flags().BoolVar(&w.snippet, "snippet", false, "put a CSS snippet into the vault that hides our comments and dims properties")
	return cmd
}

// prepare does the work of init. It writes nothing before all questions are answered.
func (a *app) prepare(cmd *cobra.Command, w wishes) error {
	_, err := scheduleFlagsOf(w.schedule, "--"+flagSchedule)
	if err != nil {
		return err
	}
	c, err := a.config(cmd)
	if err == nil {
		c, err = a.chooseVault(cmd, c)
	}
	if err == nil {
		w.anew, err = a.lookFirst(cmd, c)
	}
	if err != nil {
		return err
	}
	found, err := a.inventory(cmd.Context(), c)
	if err == nil {
		c, w, err = a.askRest(cmd, c, w)
	}
	if err != nil {
		return err
	}
	if w.anew {
		if err := registry.Leave(c.State, entryOf(c)); err != nil {
			return err
		}
	}
	missed, err := a.prepareVault(c)
	if err != nil {
		return err
	}
	a.print.Say(found.Brief(a.home)...)
	for _, key := range discover.KeepPrompts(found, c) {
		a.print.Say("some deleted sessions still have their prompts on disk: sessionloom config set " + key + " write makes notes of them")
	}
	return a.prepareRest(cmd, c, w, missed)
}

// prepareVault makes the vault. missed says what differs in an existing one.
func (a *app) prepareVault(c config.Config) (missed, err error) {
	p, err := openVault(c, extract.Mode{})
	if err != nil {
		return nil, explain(err)
	}
	zone := p.vault.Marker().Settings["timezone"]
	if err := p.close(); err != nil {
		return nil, err
	}
	at := a.short(c.Managed())
	if p.created {
		a.print.Say("created "+at, "times in "+zone)
		return nil, nil
	}
	a.print.Say(at + " is ready")
	if c.Gives("timezone") && c.Rendering.Timezone != zone {
		return exit.Failed("change timezone in "+a.short(c.Marker()), "the vault has the time zone %s, not %s", zone, c.Rendering.Timezone), nil
	}
	return nil, nil
}

// prepareRest does the rest. It reports a failed part and continues.
func (a *app) prepareRest(cmd *cobra.Command, c config.Config, w wishes, missed error) error {
	noRepo := gitvault.Prepare(cmd.Context(), c.Vault, c.Folder, a.short(c.Vault), w.git, a.print.Say)
	failed := []error{missed, noRepo, a.writeConfig(cmd)}
	if w.git && noRepo == nil {
		failed = append(failed, a.withRepo(cmd, c, (*app).gitInstall))
	}
	if w.snippet {
		failed = append(failed, a.writeSnippet(c))
	}
	if w.schedule != "" {
		failed = append(failed, a.installTimer(cmd, c, w.schedule))
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	a.offerSnippet(c)
	var err error
	for _, f := range failed {
		if f != nil {
			a.print.Fail(f)
			err = exit.Silent(exit.CodePartial)
		}
	}
	a.print.Say("next: " + a.command("sync", c))
	return err
}

func (a *app) writeConfig(cmd *cobra.Command) error {
	file, _ := config.File(a.configFlag, a.env, a.home)
	given := config.Given(cmd.Flags(), a.home)
	wrote, err := false, os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		wrote, err = a.writeFresh(file, config.Example(given))
	}
	if err == nil && !wrote && len(given) > 0 {
		a.print.Note("what the flags say is not in it: sessionloom config set KEY VALUE changes it")
	}
	if err != nil {
		return explain(fmt.Errorf("write config: %w", err))
	}
	return nil
}

// inventory lists the history of agents, as `sources` does.
func (a *app) inventory(ctx context.Context, c config.Config) (*present.Inventory, error) {
	read, err := a.history().Open(c)
	if err != nil {
		return nil, err
	}
	inv, err := discover.Look(ctx, read.Sources)
	return inv, errors.Join(err, read.Close())
}

// scheduleFlagsOf parses a time of init; flag is its origin for errors.
func scheduleFlagsOf(text, flag string) (scheduleFlags, error) {
	t := scheduleFlags{every: text, flag: flag}
	if strings.Contains(text, ":") {
		t = scheduleFlags{daily: text, flag: flag}
	}
	if text == "" {
		return t, nil
	}
	_, err := t.when()
	return t, err
}

// installTimer is schedule install with the configuration that init wrote.
func (a *app) installTimer(cmd *cobra.Command, c config.Config, when string) error {
	t, err := scheduleFlagsOf(when, "--"+flagSchedule)
	if err != nil {
		return err
	}
	install := newScheduleInstall(a)
	install.SetContext(cmd.Context())
	flags := install.Flags()
	flags.AddFlag(cmd.Flags().Lookup("config"))
	err = errors.Join(flags.Set("vault", c.Vault), flags.Set("folder", c.Folder))
	if bare, failed := a.bareConfig(); failed != nil || bare.State != c.State { // an existing configuration differs
		err = errors.Join(err, flags.Set("state", c.State))
	}
	if err != nil {
		return err
	}
	return a.scheduleInstall(install, t)
}

const (
	flagGit      = "git"
	flagSchedule = "schedule"
)

// chooseVault asks a person for a vault if none is named; else it uses the only one.
func (a *app) chooseVault(cmd *cobra.Command, c config.Config) (config.Config, error) {
	if c.Vault != "" {
		return a.mayCreate(cmd, c)
	}
	cwd, _ := os.Getwd() // a deleted folder is in no vault
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

func (a *app) askRest(cmd *cobra.Command, c config.Config, w wishes) (_ config.Config, _ wishes, err error) {
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
	r, err := gitvault.Find(c.Vault, c.Folder)
	switch {
	case err == nil && r == nil, errors.Is(err, fs.ErrNotExist):
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

// lookFirst rejects an unusable vault. If one is gone, it offers to start afresh.
func (a *app) lookFirst(cmd *cobra.Command, c config.Config) (anew bool, err error) {
	if err := setup.RefuseFolder(c.Vault, c.Folder); err != nil {
		return false, err
	}
	if lost := notLost(c); lost != nil {
		if !a.asks() {
			return false, explain(lost)
		}
		d := a.dialog(cmd)
		d.Tell("The vault that lay in " + a.short(c.Vault) + " is gone.")
		if anew, err = d.Yes("Begin anew there?", false); err != nil || !anew {
			return false, cmp.Or(err, explain(lost))
		}
	}
	return anew, nil
}

// switchOn says how to enable a snippet in Obsidian: the app's settings belong to the user.
const switchOn = "switch it on in Obsidian: Settings > Appearance > CSS snippets > sessionloom"

func (a *app) writeSnippet(c config.Config) error {
	file := obsidian.SnippetPath(c.Vault)
	if file == "" {
		return exit.Failed("open it in Obsidian, then call init --snippet again", "the vault has no folder .obsidian: Obsidian has not opened it yet")
	}
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		_, err = a.writeFresh(file, obsidian.Snippet)
	}
	if err != nil {
		return explain(fmt.Errorf("write snippet: %w", err))
	}
	a.print.Say(switchOn)
	return nil
}

// offerSnippet mentions the CSS snippet if the vault does not have it yet.
func (a *app) offerSnippet(c config.Config) {
	file := obsidian.SnippetPath(c.Vault)
	if _, err := os.Lstat(file); file != "" && errors.Is(err, os.ErrNotExist) {
		a.print.Say("sessionloom init --snippet writes a CSS snippet that hides our comments and dims properties")
	}
}
