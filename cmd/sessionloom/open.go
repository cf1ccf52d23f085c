package main

import (
	"path/filepath"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

func newOpen(a *app) *cobra.Command {
	var latest, onlyPrint bool
	cmd := &cobra.Command{
		Use:   "open [NOTE]",
		Short: "open a note in Obsidian",
		Long: "Open a note in Obsidian; Home where none is named. A NOTE is the id of a session or\n" +
			"the beginning of it, a note's path, its name or its title.",
		Example:           "  sessionloom open\n  sessionloom open --latest\n  sessionloom open widget --print",
		Args:              argsOf(0, 1, "one note at a time"),
		ValidArgsFunction: a.completing(offerNotes),
		RunE: func(cmd *cobra.Command, args []string) error {
			if latest && len(args) > 0 {
				return exit.Usage("leave one of them out", "--latest and a note exclude each other")
			}
			return a.withCatalog(cmd, func(k ask.Known) error { return a.open(k, args, latest, onlyPrint) })
		},
	}
	a.flags.Add(cmd, config.Keys("vault", "folder", "state"))
	cmd.Flags().BoolVar(&latest, "latest", false, "the session that changed last")
	cmd.Flags().BoolVar(&onlyPrint, "print", false, "print the address instead of opening it")
	return cmd
}

func (a *app) open(k ask.Known, names []string, latest, onlyPrint bool) error {
	e, err := a.toOpen(k, names, latest)
	if err != nil {
		return err
	}
	if onlyPrint {
		a.print.Say(addressOf(k, e))
		return nil
	}
	return a.openNote(k, e)
}

func addressOf(k ask.Known, e catalog.Entry) string {
	return obsidian.Link(filepath.Join(k.Config.Vault, filepath.FromSlash(e.Path)))
}

func (a *app) openNote(k ask.Known, e catalog.Entry) error {
	if e.Path == "" {
		return exit.Failed("sessionloom export "+e.Short()+" prints it", "the session %q has no note", e.Short())
	}
	address := addressOf(k, e)
	if err := browser.OpenURL(address); err != nil {
		return exit.Failed("is Obsidian installed? the address is "+address, "open %q: %w", e.Path, err)
	}
	a.print.Note("opened %s", e.Path)
	return nil
}

func (a *app) toOpen(k ask.Known, names []string, latest bool) (catalog.Entry, error) {
	if latest {
		for _, e := range k.Sessions() {
			if e.Path != "" {
				return e, nil
			}
		}
		return catalog.Entry{}, exit.Failed("sessionloom sync reads the history", "there is no session yet")
	}
	return k.NoteNamed(append(names, "home")[0], a.home)
}
