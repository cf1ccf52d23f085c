// Package ask holds the commands that ask the history and change nothing: they read what the
// last sync left, without Obsidian and without a network.
package ask

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Host is the program whose commands these are.
type Host struct {
	Print *terminal.Printer
	Home  string // the user's home folder
	// Known opens what the last sync knew of the vault that flags and configuration of a
	// command name, for as long as it is asked.
	Known    func(*cobra.Command, func(Known) error) error
	Settings func(*cobra.Command)             // gives a command the flags of all settings
	Open     func(Known, catalog.Entry) error // opens a note in Obsidian
	Refresh  func(*cobra.Command) error       // takes in what moved, and writes no note
}

// Known is what the last sync left of a vault, open to be asked.
type Known struct {
	*catalog.Catalog
	Ledger *ledger.Ledger
	Config config.Config
	Zone   *time.Location    // of the vault
	Kept   map[string]string // settings that the vault keeps
}

// Commands are those that ask.
func Commands(h Host) []*cobra.Command {
	return []*cobra.Command{newList(h), newSearch(h), newSQL(h), newBrief(h), newStandup(h)}
}

func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print one JSON object")
}
