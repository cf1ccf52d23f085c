package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is what all commands share.
type app struct {
	print *printer
	stdin io.Reader
	env   func(string) string
	home  string // the user's home folder

	configFlag string
	noDefaults bool
	sample     bool

	timed *timedRun // that a timer began; nil: a person did
}

// helpWidth is how many columns help takes.
const helpWidth = 80

// newRoot builds the command tree. It fails where the system knows no home
// folder.
func newRoot(p *printer) (*cobra.Command, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, failed("set HOME", "find the home folder: %w", err)
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
		return usage(cmd.CommandPath()+" --help lists the flags", "%w", err)
	})
	f := root.PersistentFlags()
	f.StringVar(&a.configFlag, "config", "", "read this configuration `FILE`")
	f.BoolVar(&p.quiet, "quiet", false, "say nothing when all went well")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "say more")
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
		lines = append(lines, wrapTo(paragraph, 0, helpWidth)...)
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
		return usage("is the variable set that it comes from?", "an argument is empty")
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		isSetting := slices.ContainsFunc(settings(), func(s setting) bool { return s.flag == f.Name })
		if !isSetting && f.Value.String() == "" {
			err = usage("is the variable set that it comes from?", "--%s is empty", f.Name)
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
	return usage(hint, "unknown command %q", args[0])
}

// config reads the configuration as the flags of cmd have it.
func (a *app) config(cmd *cobra.Command) (config, error) {
	file, named := configFile(a.configFlag, a.env, a.home)
	named = named && cmd.Name() != "init" // which writes it
	return loadConfig(cmd.Flags(), file, named, a.home)
}

// addSettings gives a command the flags of all settings.
func (a *app) addSettings(cmd *cobra.Command) {
	addFlags(cmd, func(setting) bool { return true })
	cmd.Flags().BoolVar(&a.noDefaults, "no-defaults", false, "read no place that was not named by a flag or the configuration")
}

// addFlags gives a command the flags of some settings.
func addFlags(cmd *cobra.Command, of func(setting) bool) {
	f := cmd.Flags()
	for _, s := range settings() {
		if s.flag == "" || s.only != "" && s.only != cmd.Name() || !of(s) {
			continue
		}
		switch s.kind {
		case list, dirs:
			f.StringArray(s.flag, nil, s.help)
		case number:
			f.Int(s.flag, s.def.(int), s.help)
		default:
			def, _ := s.def.(string)
			f.String(s.flag, def, s.help)
		}
	}
}

// helpsWith leaves in the help of a command the flags of those settings that mean
// something to it. The others are taken too: one set of flags suits all commands.
func helpsWith(cmd *cobra.Command, meant func(setting) bool) {
	for _, s := range settings() {
		if f := cmd.Flags().Lookup(s.flag); f != nil && !meant(s) {
			f.Hidden = true
		}
	}
	cmd.Flags().Lookup("no-defaults").Hidden = !meant(setting{key: "sources.copilot_cli.homes"}) // it is about them
}

// ofKeys picks settings by key.
func ofKeys(keys ...string) func(setting) bool {
	return func(s setting) bool { return slices.Contains(keys, s.key) }
}

// ofSources picks the settings that say what is read.
func ofSources(s setting) bool { return s.key == "source" || strings.HasPrefix(s.key, "sources.") }

// noArgs refuses arguments with exit code 2.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(cmd.CommandPath()+" takes no arguments", "unexpected argument %q", args[0])
	}
	return nil
}
