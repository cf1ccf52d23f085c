package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
)

type options struct {
	mode   extract.Mode
	json   bool
	sample bool // the built-in history instead of this machine's
	commit bool
	create bool // a missing vault may be made
	yes    bool // ask nothing
}

const flagCreate = "create"

func (a *app) addOptions(cmd *cobra.Command, names ...string) {
	f := cmd.Flags()
	for _, name := range names {
		switch name {
		case "dry-run":
			f.BoolVarP(&a.mode.DryRun, name, "n", false, "write nothing, say what would be done")
		case "full":
			f.BoolVar(&a.mode.Full, name, false, "read everything again, not only what changed")
		case "force":
			f.BoolVar(&a.mode.Force, name, false, "go on although many notes are missing or would be removed")
		case "diff":
			f.BoolVar(&a.mode.Texts, name, false, "show what changes as a unified diff; so does --dry-run with -v")
		case "json":
			f.BoolVar(&a.json, name, false, "print one JSON object")
		case "sample":
			f.BoolVar(&a.sample, name, false, "read the built-in sample history instead of this machine's")
		case flagCreate:
			f.BoolVar(&a.create, name, false, "make the vault where there is none")
		case "yes":
			f.BoolVarP(&a.yes, name, "y", false, "ask nothing, take what is found")
		case "commit":
			f.BoolVar(&a.commit, name, false, "make a git commit of what was written")
		}
	}
}

var conflicting = [][2]string{
	{"json", "diff"}, {"commit", "dry-run"}, {"commit", "plan"}, {"every", "daily"},
	{"scheduled", "json"}, {"scheduled", "plan"}, {"scheduled", "diff"}, {"scheduled", "dry-run"}, {"scheduled", "full"}, {"scheduled", "force"},
}

func fitTogether(f *pflag.FlagSet) error {
	pairs := slices.Clone(conflicting)
	for _, flag := range config.SourceFlags() {
		pairs = append(pairs, [2]string{"sample", flag})
	}
	for _, pair := range pairs {
		if f.Changed(pair[0]) && f.Changed(pair[1]) {
			return exit.Usage("leave one of them out", "--%s and --%s exclude each other", pair[0], pair[1])
		}
	}
	return nil
}
