package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

func newShow(a *app) *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:   "show NOTE",
		Short: "show a note in the terminal",
		Long: "Show a note in the terminal, without the marks that Obsidian hides. A NOTE is the id\n" +
			"of a session or the beginning of it, a note's path, its name or its title.",
		Example:           "  sessionloom show 7524f8de\n  sessionloom show \"Open threads\"\n  sessionloom show widget --raw",
		Args:              argsOf(1, 1, "sessionloom list shows the sessions"),
		ValidArgsFunction: a.completing(offerNotes),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withCatalog(cmd, func(k ask.Known) error { return a.show(k, args[0], raw) })
		},
	}
	a.flags.Add(cmd, config.Keys("vault", "folder", "state"))
	cmd.Flags().BoolVar(&raw, "raw", false, "print the file as it is")
	return cmd
}

func (a *app) show(k ask.Known, name string, raw bool) error {
	e, err := k.NoteNamed(name, a.home)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(k.Config.Vault, filepath.FromSlash(e.Path)))
	if errors.Is(err, fs.ErrNotExist) {
		return exit.Failed("sessionloom restore "+homepath.ShellWord(name)+" brings it back", "the note %q is gone since the last sync", e.Path)
	}
	if err != nil {
		return fmt.Errorf("read the note: %w", err)
	}
	if raw {
		return a.print.Page([]string{string(text)})
	}
	return a.print.Page(present.NoteText(string(text), a.print.LineWidth()))
}
