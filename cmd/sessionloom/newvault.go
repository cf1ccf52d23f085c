package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
)

// mayCreate allows making a vault if that was requested or is harmless, and returns the configuration with
// the agreed vault.
func (a *app) mayCreate(cmd *cobra.Command, c config.Config) (config.Config, error) {
	switch {
	case c.Vault == "" || a.create || !notBegun(c):
		return c, nil
	case cmd.Flags().Lookup(flagCreate) == nil:
		return c, explain(notAnew(c))
	}
	if other := setup.OtherFolder(c.Vault, c.Folder); other != "" {
		return c, exit.Usage("--folder "+homepath.ShellWord(other)+" names it; --create makes a second folder of notes", "the notes of the vault %q are in its folder %q", c.Vault, other)
	}
	if _, ok := registry.Known(c.State, entryOf(c)); ok { // it is gone, as openVault reports
		return c, nil
	}
	if a.asks() {
		agreed, ok, err := a.dialog(cmd).Agree(c.Vault, c.Folder, false)
		if err != nil {
			return c, err
		}
		if ok {
			return a.withVault(cmd, agreed)
		}
	}
	return c, setup.Refuse(c.Vault, c.Folder, a.home)
}

func notBegun(c config.Config) bool {
	_, err := os.Stat(c.Marker())
	return errors.Is(err, fs.ErrNotExist)
}

func (a *app) asks() bool {
	return !a.yes && !a.json && !a.print.Quiet && a.print.Interactive(a.stdin)
}

func (a *app) dialog(cmd *cobra.Command) setup.Dialog {
	return setup.Dialog{
		Home: a.home,
		Ask:  func(question string) (string, error) { return a.answer(cmd.Context(), question) },
		Tell: func(line string) { a.print.Warn(line) },
	}
}

func (a *app) answer(ctx context.Context, question string) (string, error) {
	line, err := a.print.Ask(ctx, a.stdin, question)
	switch {
	case ctx.Err() != nil:
		a.print.Warn("stopped: nothing was changed")
	case errors.Is(err, terminal.ErrNoAnswer):
		err = exit.Usage("", "%w: nothing was changed", err)
	}
	return line, err
}

// vaults returns the vaults that Obsidian knows, or the one around the folder cwd.
func (a *app) vaults(cwd string) []obsidian.Vault {
	return obsidian.Find(obsidian.Machine{Home: a.home, Cwd: cwd, GOOS: runtime.GOOS, Env: a.env})
}

func (a *app) withVault(cmd *cobra.Command, dir string) (config.Config, error) {
	if err := cmd.Flags().Set("vault", dir); err != nil {
		return config.Config{}, exit.Usage("", "%w", err)
	}
	return a.config(cmd)
}

func (a *app) addYes(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "answer the question with yes")
}

// confirm asks a person whether to continue, or requires --yes.
func (a *app) confirm(cmd *cobra.Command, yes bool, question string) error {
	if yes {
		return nil
	}
	if !a.print.Interactive(a.stdin) {
		return exit.Usage("--yes answers the question", "%s asks before it goes on, and nobody is here to answer", cmd.CommandPath())
	}
	agreed, err := a.dialog(cmd).Yes(question, false)
	if err == nil && !agreed {
		a.print.Note("nothing was done")
		err = exit.Silent(exit.CodeFailed)
	}
	return err
}
