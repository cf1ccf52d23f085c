package main

import (
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract/resume"
)

func newResume(a *app) *cobra.Command {
	var run, yes bool
	cmd := &cobra.Command{
		Use:   "resume SESSION",
		Short: "print the command that takes a session up again",
		Long: "Print the command by which the agent itself takes a session up again, with its\n" +
			"folder. With --run it is run, after a question. A SESSION is an id or the beginning\n" +
			"of it, the name or title of a note, or a project for its latest session.",
		Example:           "  sessionloom resume 7524f8de\n  sessionloom resume 7524f8de --run",
		Args:              argsOf(1, 1, "sessionloom list shows the sessions"),
		ValidArgsFunction: a.completing(offerSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			var way resume.Way
			err := a.withCatalog(cmd, func(k ask.Known) error {
				e, err := k.Resumable(homepath.InVault(args[0], k.Config.Vault))
				if way = e.Way(); err == nil {
					a.print.Note("%s (%s, %s, %s)", e.Title, e.Short(), e.Name, e.Updated.In(k.Zone).Format(time.DateOnly))
				}
				return err
			})
			if err != nil {
				return err
			}
			switch {
			case way.Command() == nil: // nothing that a shell could take for a command goes to standard output
				return exit.Failed(way.Line(), "this session cannot be taken up from a command line")
			case run:
				return a.resume(cmd, way, yes)
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

// resume runs the agent's own command in the folder of its session: as a list of arguments, no
// shell reads it.
func (a *app) resume(cmd *cobra.Command, way resume.Way, yes bool) error {
	command := way.Command()
	folder := homepath.Expand(way.Folder, a.home, "")
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return exit.Failed("the command is: "+way.Line(), "the folder %q is not there", way.Folder)
	}
	if err := a.confirm(cmd, yes, fmt.Sprintf("Run %s?", way.Line())); err != nil {
		return err
	}
	c := exec.CommandContext(cmd.Context(), command[0], command[1:]...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = folder, os.Stdin, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return exit.Failed("is the agent installed?", "run %s: %w", command[0], err)
	}
	return nil
}
