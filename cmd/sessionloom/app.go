package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

type app struct {
	print *terminal.Printer
	stdin io.Reader
	env   func(string) string
	home  string       // the user's home folder
	flags config.Flags // flags of the settings

	options
	configFlag string
	noDefaults bool

	timed *runlog.Run // started by a timer; nil: by a person
}

func (a *app) config(cmd *cobra.Command) (config.Config, error) {
	file, named := config.File(a.configFlag, a.env, a.home)
	named = named && cmd.Name() != "init" // init writes it
	return config.Load(cmd.Flags(), file, named, a.home, time.Now())
}

// addSettings adds the flags of all settings to a command. Its help shows those that mean something to it.
func (a *app) addSettings(cmd *cobra.Command, meant config.Pick) {
	a.flags.Add(cmd, config.AllBut())
	cmd.Flags().BoolVar(&a.noDefaults, config.NoDefaults, false, "read only places that a flag or the configuration names")
	projects := a.completing(func(k ask.Known) []string { return k.Projects() })
	for flag, offer := range map[string]cobra.CompletionFunc{
		"project": projects, "exclude-project": projects,
		"source":     cobra.FixedCompletions(discover.Names(), cobra.ShellCompDirectiveNoFileComp),
		"transcript": cobra.FixedCompletions([]string{"full", "digest", "none"}, cobra.ShellCompDirectiveNoFileComp),
		"since":      cobra.FixedCompletions([]string{"today", "yesterday", "7d", "2w"}, cobra.ShellCompDirectiveNoFileComp),
	} {
		_ = cmd.RegisterFlagCompletionFunc(flag, offer) // each is a setting
	}
	config.HelpWith(cmd, meant)
}

// short returns a path with the home folder abbreviated.
func (a *app) short(path string) string { return homepath.Tilde(path, a.home) }

func (a *app) printResult(object any, lines ...string) error {
	if a.json {
		return a.print.Object(object)
	}
	a.print.Say(lines...)
	return nil
}

// writeFresh writes a new file and reports it. An existing one stays.
func (a *app) writeFresh(file, text string) (wrote bool, err error) {
	err = atomicfile.File{Path: file, Mode: 0o644, Fresh: true, Lasting: true}.Put([]byte(text))
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

func (a *app) history() discover.Machine {
	return discover.Machine{Env: a.env, Home: a.home, NoDefaults: a.noDefaults, Sample: a.sample}
}

// onlyCommands rejects arguments that are not commands of the group cmd.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := cmd.CommandPath() + " --help lists the commands"
	cmd.SuggestionsMinimumDistance = 2
	if len(args[0]) < 5 { // a short word is near any other
		cmd.SuggestionsMinimumDistance = 1
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return exit.Usage(hint, "unknown command %q", args[0])
}

// explain adds the program's exit code and hint to errors.
func explain(err error) error {
	var f *exit.Error
	var held *extract.HeldError
	var not *extract.NotPlanError
	var name *catalog.NameError
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.As(err, &name):
		return named(name)
	case errors.Is(err, ledger.ErrLocked):
		return &exit.Error{Code: exit.CodeLocked, Err: err, Hint: "wait until it is done, then try again"}
	case errors.Is(err, ledger.ErrNoLocks):
		return exit.Failed("name a folder on a local disk with --state: without a lock two runs could write at once", "%w", err)
	case errors.As(err, &held):
		return &exit.Error{Code: exit.CodeFailed, Err: err, Hint: held.Hint}
	case errors.As(err, &not):
		return exit.Usage("sessionloom sync --plan FILE makes one for this vault", "%w", err)
	case errors.Is(err, ledger.ErrDamaged):
		return exit.Failed("it is set aside: run again, the next run reads everything anew", "%w", err)
	case errors.Is(err, vault.ErrNewer):
		return exit.Failed("update sessionloom on this machine: another one has a newer version", "%w", err)
	case errors.Is(err, vault.ErrNoMarker), errors.Is(err, vault.ErrNoVault):
		return exit.Failed("was the vault unmounted meanwhile?", "%w", err)
	case errors.Is(err, schedule.ErrNoKind):
		return exit.Failed("sessionloom watch keeps the vault up to date while it runs; sessionloom schedule print --backend cron has a line for a crontab", "no timer of the system was found: %w", err)
	case errors.Is(err, schedule.ErrInexpressible):
		return exit.Failed("another kind of timer may take it (--backend); else write a small script and have that called", "%w", err)
	case exit.SystemHint(err) != "":
		return exit.Failed(exit.SystemHint(err), "%w", err)
	}
	return err
}

func (a *app) bareConfig() (config.Config, error) {
	file, named := config.File(a.configFlag, a.env, a.home)
	return config.Load(new(pflag.FlagSet), file, named, a.home, time.Now())
}

func (a *app) command(name string, c config.Config) string {
	line := "sessionloom " + name
	bare, err := a.bareConfig()
	if err != nil || bare.Vault != c.Vault {
		line += " --vault " + present.ShellPath(c.Vault, a.home)
	}
	if err == nil && bare.Folder != c.Folder {
		line += " --folder " + homepath.ShellWord(c.Folder)
	}
	if a.configFlag != "" {
		line += " --config " + present.ShellPath(a.configFlag, a.home)
	}
	return line
}

// options are flags that several commands share.
