package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

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
	for _, v := range present.Head(found, false) {
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
