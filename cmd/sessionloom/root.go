package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
)

// app is what all commands share.
type app struct {
	print *terminal.Printer
	stdin io.Reader
	env   func(string) string
	home  string // the user's home folder

	configFlag string
	noDefaults bool
	sample     bool

	timed *runlog.Run // that a timer began; nil: a person did
}

// helpWidth is how many columns help takes.
const helpWidth = 80

// newRoot builds the command tree. It fails where the system knows no home
// folder.
func newRoot(p *terminal.Printer) (*cobra.Command, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, exit.Failed("set HOME", "find the home folder: %w", err)
	}
	a := &app{print: p, stdin: os.Stdin, env: os.Getenv, home: home}
	root := &cobra.Command{
		Use:   "sessionloom",
		Short: "weave the history of coding agents into an Obsidian vault",
		Long: "sessionloom reads the history that coding agents leave on this machine and writes\n" +
			"it as linked markdown notes into an Obsidian vault. What you write into the notes\n" +
			"stays; a second run changes nothing.",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", helpWidth)))
	root.Args = onlyCommands
	root.PersistentPreRunE = noEmptyWords
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return exit.Usage(cmd.CommandPath()+" --help lists the flags", "%w", err)
	})
	f := root.PersistentFlags()
	f.StringVar(&a.configFlag, "config", "", "read this configuration `FILE`")
	f.BoolVar(&p.Quiet, "quiet", false, "say nothing when all went well")
	f.BoolVarP(&p.Verbose, "verbose", "v", false, "say more")
	root.AddCommand(
		newInit(a), newSync(a), newDiff(a), newApply(a), newStatus(a), newCheck(a), newSources(a), newWatch(a),
		newRestore(a), newForget(a), newExport(a), newTemplates(a), newGit(a), newSchedule(a), newVersion(a),
	)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() { // those of the library begin with a capital
		cmd.Short = strings.ToLower(cmd.Short[:1]) + cmd.Short[1:]
	}
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		fitHelp(cmd)
		help(cmd, args)
	})
	return root, nil
}

// fitHelp breaks the lines of what a command says of itself. Lines that are indented
// stay.
func fitHelp(cmd *cobra.Command) {
	var lines []string
	for _, paragraph := range strings.Split(cmd.Long, "\n\n") {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		if strings.Contains(paragraph, "\t") || strings.Contains("\n"+paragraph, "\n ") {
			lines = append(lines, paragraph)
			continue
		}
		lines = append(lines, present.WrapTo(paragraph, 0, helpWidth)...)
	}
	cmd.Long = strings.Join(lines, "\n")
}

// noEmptyWords refuses an empty word where a name is to stand. It comes from a variable
// that is not set, and doing without it would be something else than was asked for.
// A setting may be empty.
func noEmptyWords(cmd *cobra.Command, args []string) error {
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
	return err
}

// onlyCommands refuses what is no command of the group cmd.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := cmd.CommandPath() + " --help lists the commands"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return exit.Usage(hint, "unknown command %q", args[0])
}

// config reads the configuration as the flags of cmd have it.
func (a *app) config(cmd *cobra.Command) (config.Config, error) {
	file, named := config.File(a.configFlag, a.env, a.home)
	named = named && cmd.Name() != "init" // which writes it
	return config.Load(cmd.Flags(), file, named, a.home)
}

// addSettings gives a command the flags of all settings.
func (a *app) addSettings(cmd *cobra.Command) {
	config.AddFlags(cmd, config.AllBut())
	cmd.Flags().BoolVar(&a.noDefaults, config.NoDefaults, false, "read no place that was not named by a flag or the configuration")
}

// short is a path with the home folder in its short form.
func (a *app) short(path string) string { return homepath.Tilde(path, a.home) }

// tell prints what a command found: one JSON object, or lines.
func (a *app) tell(asJSON bool, object any, lines ...string) error {
	if asJSON {
		return a.print.Object(object)
	}
	a.print.Say(lines...)
	return nil
}

// writeFresh writes a file and says so. One that stands there stays.
func (a *app) writeFresh(file, text string) (wrote bool, err error) {
	err = atomicfile.File{Path: file, Mode: 0o644, Fresh: true, Lasting: true}.PutText([]byte(text))
	switch {
	case errors.Is(err, fs.ErrExist):
		a.print.Say(a.short(file) + " stays as it is")
		return false, nil
	case err != nil:
		return false, err
	}
	a.print.Say("wrote " + a.short(file))
	return true, nil
}

// history is where the history of agents is looked for.
func (a *app) history() discover.Machine {
	return discover.Machine{Env: a.env, Home: a.home, NoDefaults: a.noDefaults, Sample: a.sample}
}

// someArgs refuses a command without an argument, with exit code 2.
func someArgs(hint, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exit.Usage(hint, "no %s given", what)
		}
		return nil
	}
}

// noArgs refuses arguments with exit code 2.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return exit.Usage(cmd.CommandPath()+" takes no arguments", "unexpected argument %q", args[0])
	}
	return nil
}

// addSample gives a command the flag for the built-in history.
func (a *app) addSample(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.sample, "sample", false, "read the built-in sample history instead of this machine's")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		for _, name := range []string{"copilot-home", "vscode-user", "vscode-export"} {
			if a.sample && cmd.Flags().Changed(name) {
				return exit.Usage("name one of them", "--sample and --%s exclude each other", name)
			}
		}
		return nil
	}
}
