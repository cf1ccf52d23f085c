package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/help"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/mcpserver"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
)

// newRoot builds the command tree.
func newRoot(p *terminal.Printer) (*cobra.Command, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, exit.Failed("set HOME", "find the home folder: %w", err)
	}
	p.Home = home
	a := &app{print: p, stdin: os.Stdin, env: os.Getenv, home: home, flags: config.NewFlags()}
	root := &cobra.Command{
		Use:   "sessionloom",
		Short: "keep the history of coding agents in an Obsidian vault",
		Long: "sessionloom reads the history that coding agents leave on this machine and writes\n" +
			"it as linked markdown notes into an Obsidian vault. What you write into the notes\n" +
			"stays; a second run changes nothing.",
		Version:       system.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return a.overview(cmd) },
	}
	help.Fit(root)
	root.Args = onlyCommands
	root.PersistentPreRunE = a.rightWords
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := cmd.CommandPath() + " --help lists the flags"
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) {
			if near := help.NearFlag(cmd, unknown.GetSpecifiedName()); near != "" {
				hint = fmt.Sprintf("did you mean %q?", "--"+near)
			}
		}
		return exit.Usage(hint, "%w", err)
	})
	f := root.PersistentFlags()
	f.StringVar(&a.configFlag, "config", "", "read this configuration `FILE`")
	f.BoolVar(&p.Quiet, "quiet", false, "say nothing when all went well")
	f.BoolVarP(&p.Verbose, "verbose", "v", false, "say more")
	root.AddCommand(
		newInit(a), newSync(a), newDiff(a), newApply(a), newStatus(a), newCheck(a), newDoctor(a), newSources(a), newWatch(a),
		newShow(a), newOpen(a), newResume(a), newRestore(a), newForget(a), newAccept(a), newDistil(a), newExport(a), newTemplates(a), newConfig(a), newGit(a), newSchedule(a), newVersion(a),
	)
	host := ask.Host{Print: p, Home: a.home, Known: a.withCatalog, Settings: a.addSettings, Open: a.openNote, Refresh: a.refresh}
	root.AddCommand(append(ask.Commands(host), mcpserver.Command(host))...)
	for _, cmd := range help.EveryCommand(root) {
		if cmd.RunE == nil { // a group of commands
			cmd.Args, cmd.RunE = onlyCommands, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		if cmd.Args == nil {
			cmd.Args = ask.Args(0, 0, cmd.CommandPath()+" takes no arguments")
		}
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range help.EveryCommand(root) { // the library's begin with a capital
		cmd.Short = strings.ToLower(cmd.Short[:1]) + cmd.Short[1:]
	}
	return root, nil
}

// mayMiss reports whether a command accepts a missing place of history.
func mayMiss(cmd *cobra.Command) bool {
	return cmd.Name() == "sources" || cmd.Name() == "watch" || cmd.Flags().Changed("scheduled")
}

// rightWords rejects conflicting flags, empty words, which come from unset variables, and missing places.
func (a *app) rightWords(cmd *cobra.Command, args []string) error {
	if strings.HasPrefix(cmd.Name(), cobra.ShellCompRequestCmd) {
		return nil
	}
	if slices.Contains(args, "") {
		return exit.Usage("is the variable set that it comes from?", "an argument is empty")
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !config.HasFlag(f.Name) && f.Value.String() == "" {
			err = exit.Usage("is the variable set that it comes from?", "--%s is empty", f.Name)
		}
	})
	if err == nil {
		err = fitTogether(cmd.Flags())
	}
	if err == nil && !mayMiss(cmd) {
		err = config.Absent(cmd.Flags(), a.home)
	}
	return err
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version",
		Long:    "Print the version, the commit it was built from, and the system it is for.",
		Example: "  sessionloom version",
		RunE: func(*cobra.Command, []string) error {
			a.print.Quiet = false
			a.print.Say(system.Version())
			return nil
		},
	}
}
