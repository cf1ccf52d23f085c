package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/resume"
)

func newOpen(a *app) *cobra.Command {
	var latest, onlyPrint bool
	cmd := &cobra.Command{
		Use:   "open [NOTE]",
		Short: "open a note in Obsidian",
		Long: "Open a note in Obsidian; Home where none is named. A NOTE is the id of a session or\n" +
			"the beginning of it, a note's path, its name or its title.",
		Example:           "  sessionloom open\n  sessionloom open --latest\n  sessionloom open widget --print",
		Args:              ask.Args(0, 1, "one note at a time"),
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
	err := browser.OpenURL(address)
	if errors.Is(err, exec.ErrNotFound) {
		return exit.Failed("open this address by hand, or the note itself: "+address, "no program here opens addresses of Obsidian")
	}
	if err != nil {
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

func newShow(a *app) *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:   "show NOTE",
		Short: "show a note in the terminal",
		Long: "Show a note in the terminal, without the marks that Obsidian hides. A NOTE is the id\n" +
			"of a session or the beginning of it, a note's path, its name or its title.",
		Example:           "  sessionloom show 7524f8de\n  sessionloom show \"Open threads\"\n  sessionloom show widget --raw",
		Args:              ask.Args(1, 1, "sessionloom list shows the sessions"),
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
	return a.print.Page(present.NoteText(string(text), a.print.LineWidth(), !a.print.OutTTY))
}

func newResume(a *app) *cobra.Command {
	var run, yes bool
	cmd := &cobra.Command{
		Use:   "resume SESSION",
		Short: "print the command that takes a session up again",
		Long: "Print the command by which the agent itself takes a session up again, with its\n" +
			"folder. With --run it is run, after a question. A SESSION is an id or the beginning\n" +
			"of it, the name or title of a note, or a project for its latest session.",
		Example:           "  sessionloom resume 7524f8de\n  sessionloom resume 7524f8de --run",
		Args:              ask.Args(1, 1, "sessionloom list shows the sessions"),
		ValidArgsFunction: a.completing(offerSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			var way resume.Way
			err := a.withCatalog(cmd, func(k ask.Known) error {
				e, err := k.Resumable(homepath.InVault(args[0], k.Config.Vault))
				if way = e.Way(); err != nil {
					return err
				}
				a.print.Note("%s (%s, %s, %s)", e.Title, e.Short(), e.Name, e.Updated.In(k.Zone).Format(time.DateOnly))
				if !k.IsHere(e) {
					return exit.Failed("there: "+way.Line(), "the session %q is of another machine, this one has never read it", e.Short())
				}
				return nil
			})
			if err != nil {
				return err
			}
			if way.Command() == nil { // standard output gets nothing that a shell could take for a command
				return exit.Failed(way.Line(), "this session cannot be taken up from a command line")
			}
			folder := homepath.Expand(way.Folder, a.home, "")
			info, err := os.Stat(folder)
			switch missing := err != nil || !info.IsDir(); {
			case missing && run:
				return exit.Failed("the command is: "+way.Line(), "the folder %q is not on this machine", way.Folder)
			case missing && folder != "":
				a.print.Note("the folder %s is not on this machine", way.Folder)
			case run:
				return a.resume(cmd, way, folder, yes)
			}
			a.print.Say(way.Line())
			return nil
		},
	}
	a.flags.Add(cmd, config.Keys("vault", "folder", "state"))
	cmd.Flags().BoolVar(&run, "run", false, "run the command here, after a question")
	a.addYes(cmd, &yes)
	return cmd
}

// resume runs the agent's command in the session's folder, without a shell.
func (a *app) resume(cmd *cobra.Command, way resume.Way, folder string, yes bool) error {
	if err := a.confirm(cmd, yes, fmt.Sprintf("Run %s?", way.Line())); err != nil {
		return err
	}
	command := way.Command()
	c := exec.CommandContext(cmd.Context(), command[0], command[1:]...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = folder, os.Stdin, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return exit.Failed("is the agent installed?", "run %s: %w", command[0], err)
	}
	return nil
}
