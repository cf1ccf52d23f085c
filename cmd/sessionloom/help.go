package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
)

// manyFlags is how many flags of a command stand in one list.
const manyFlags = 15

// flagGroup is what help sets together. A flag belongs to the first group that has it.
type flagGroup struct {
	title string
	has   func(*pflag.Flag) bool
}

func flagGroups() []flagGroup {
	named := func(names ...string) func(*pflag.Flag) bool {
		return func(f *pflag.Flag) bool { return slices.Contains(names, f.Name) }
	}
	return []flagGroup{
		{"Flags", named("vault", "dry-run", "diff", "commit", "create", "project", "since", "json", "help", "git", "schedule", "yes", "every", "daily")},
		{"Where the history is", func(f *pflag.Flag) bool {
			return slices.Contains(config.SourceFlags(), f.Name) || f.Name == config.NoDefaults || f.Name == "sample"
		}},
		{"What of it counts", named("source", "exclude-project", config.FlagPromptOnly)},
		{"Vault and notes", named("folder", "state", "branch", "layout", "templates", "timezone", "transcript", "snippet")},
		{"How it runs", func(*pflag.Flag) bool { return true }},
	}
}

// flagUsages are the flags of a command for its help: many of them in groups.
func flagUsages(cmd *cobra.Command) string {
	all := cmd.LocalFlags()
	shown := 0
	all.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			shown++
		}
	})
	groups := flagGroups()
	if shown <= manyFlags {
		groups = []flagGroup{{"Flags", func(*pflag.Flag) bool { return true }}}
	}
	sets := make([]*pflag.FlagSet, len(groups))
	for i := range sets {
		sets[i] = pflag.NewFlagSet("", pflag.ContinueOnError)
	}
	all.VisitAll(func(f *pflag.Flag) {
		sets[slices.IndexFunc(groups, func(g flagGroup) bool { return g.has(f) })].AddFlag(f)
	})
	var parts []string
	for i, set := range sets {
		if set.HasAvailableFlags() {
			parts = append(parts, groups[i].title+":\n"+strings.TrimRight(set.FlagUsagesWrapped(helpWidth), " \n"))
		}
	}
	return strings.Join(parts, "\n\n")
}
