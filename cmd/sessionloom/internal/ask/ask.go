// Package ask has the commands that query the history: they read the data of the last sync and write nothing,
// without Obsidian and without a network.
package ask

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// Host is the part of the program that these commands use.
type Host struct {
	Print *terminal.Printer
	Home  string // the user's home folder
	// Known opens the last sync's data about the vault that a command's flags and configuration name, for the
	// duration of the call.
	Known    func(*cobra.Command, func(Known) error) error
	Settings func(*cobra.Command, config.Pick) // adds the flags of all settings to a command, and shows some in its help
	Open     func(Known, catalog.Entry) error  // opens a note in Obsidian
	Refresh  func(*cobra.Command) error        // reads what changed, and writes no note
}

// Known is the last sync's data about a vault, open for queries.
type Known struct {
	*catalog.Catalog
	Ledger *ledger.Ledger
	Config config.Config
	Zone   *time.Location    // zone of the vault
	Kept   map[string]string // settings that the vault keeps
}

// Commands returns the commands that query the history.
func Commands(h Host) []*cobra.Command {
	return []*cobra.Command{newList(h), newSearch(h), newSQL(h), newBrief(h), newStandup(h)}
}

// filtering picks the settings that limit an answer.
var filtering = config.Keys("vault", "folder", "state", "source", "project", "exclude_project", "since")

// Args returns a check for the number of arguments, which fails with exit code 2.
func Args(least, most int, hint string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return exit.Usage(hint, "%d arguments given, %d needed", len(args), least)
		case len(args) > most:
			return exit.Usage(hint, "unexpected argument %q", args[most])
		}
		return nil
	}
}

func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print one JSON object")
}

// Texts is Known for commands that show texts: stored data is masked by the rules of the last sync.
func (h Host) Texts(cmd *cobra.Command, use func(Known) error) error {
	return h.Known(cmd, func(k Known) error {
		m, err := redact.New(k.Ledger.Value(ledger.MaskKey), k.Config.Redact)
		if err != nil {
			return exit.Usage("look at the section redact of the configuration", "%w", err)
		}
		if string(k.Ledger.Value(ledger.Rules)) != m.Fingerprint() {
			return exit.Failed("sessionloom sync masks what is kept by the new ones", "the rules for secrets changed since the last sync")
		}
		return use(k)
	})
}

// NoteNamed returns a note by a name or the path of its file.
func (k Known) NoteNamed(name, home string) (catalog.Entry, error) {
	e, err := k.Note(homepath.InVault(name, k.Config.Vault))
	var unknown *catalog.NameError
	if errors.As(err, &unknown) && len(unknown.Found) == 0 {
		err = cmp.Or(k.noNote(name, home), err)
	}
	return e, err
}

func (k Known) noNote(name, home string) error {
	for _, m := range k.Missing(nil) {
		if len(name) > 1 && strings.HasPrefix(m.Session, name) {
			return exit.Failed("", "the session %s has no note: %s", m.Session, present.WhyMissing(m, home))
		}
	}
	return nil
}

// NearName returns the hint for an unknown name.
func NearName(err *catalog.NameError) string {
	var known []string
	for _, e := range err.Known {
		known = append(known, e.Title, e.Name, strings.TrimSuffix(path.Base(e.Path), ".md"))
	}
	if near := config.Nearest(err.Name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if strings.HasPrefix(err.Of, "deleted") {
		return "sessionloom status lists what you deleted"
	}
	return "sessionloom list shows the sessions, list notes all notes"
}
