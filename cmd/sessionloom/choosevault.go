package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
)

// chooseVault finds the vault that nobody named and gives the configuration with
// it. Of several it takes none, and says by which command to name each. Where
// there is none, a person at a terminal is asked.
func (a *app) chooseVault(cmd *cobra.Command) (config, error) {
	cwd, _ := os.Getwd() // a folder that was deleted lies in no vault
	found := obsidian.Find(obsidian.Machine{Home: a.home, Cwd: cwd, GOOS: runtime.GOOS, Env: a.env})
	switch {
	case len(found) == 1:
		a.print.say("found the vault " + shellPath(found[0].Path, a.home))
		return a.withVault(cmd, found[0].Path)
	case len(found) > 1:
		return config{}, usage(severalVaults(found, a.home), "%d vaults are on this machine", len(found))
	case !a.print.interactive(a.stdin):
		return config{}, usage("name it: sessionloom init --vault DIR", "no vault named, and Obsidian has none on this machine")
	}
	answer, err := a.print.ask(cmd.Context(), a.stdin, "The folder of the vault: ")
	if err != nil {
		return config{}, err
	}
	return a.withVault(cmd, answer)
}

// withVault is the configuration as if the vault had been given as a flag.
func (a *app) withVault(cmd *cobra.Command, dir string) (config, error) {
	if err := cmd.Flags().Set("vault", dir); err != nil {
		return config{}, usage("", "%w", err)
	}
	return a.config(cmd)
}

// severalVaults gives the command for each of some vaults.
func severalVaults(found []obsidian.Vault, home string) string {
	var b strings.Builder
	b.WriteString("name one of them:")
	for _, v := range head(found, false) {
		b.WriteString("\n  sessionloom init --vault " + shellPath(v.Path, home))
		if v.Open {
			b.WriteString("  # open in Obsidian")
		}
	}
	if rest := len(found) - listed; rest > 0 {
		fmt.Fprintf(&b, "\n  … and %s more", commas(rest))
	}
	return b.String()
}
