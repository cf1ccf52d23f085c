// Package help formats the help of commands: for a screen of 80 columns, with many flags in groups, and with
// suggestions for misspelt flags.
package help

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

// Width is the width of help in columns.
const Width = 80

// addFlagGroups adds the groups of flags to the functions of all templates.
var addFlagGroups = sync.OnceFunc(func() { cobra.AddTemplateFunc("flagGroups", flagUsages) })

// Fit makes all commands below a root show their help this way.
func Fit(root *cobra.Command) {
	addFlagGroups()
	usage := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", Width))
	local := regexp.MustCompile(`Flags:\n\{\{\.LocalFlags[^}]*\}\}`)
	root.SetUsageTemplate(local.ReplaceAllLiteralString(usage, "{{flagGroups .}}"))
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		Wrap(cmd)
		show(cmd, args)
	})
}

const manyFlags = 15

// flagGroup is a group of flags in help. A flag belongs to the first group that has it.
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
		{"What of it counts", named("source", "exclude-project")},
		{"Vault and notes", named("folder", "state", "templates", "timezone", "transcript", "snippet")},
		{"How it runs", func(*pflag.Flag) bool { return true }},
	}
}

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
			parts = append(parts, groups[i].title+":\n"+strings.TrimRight(set.FlagUsagesWrapped(Width), " \n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

// NearFlag suggests a flag for a misspelt one.
func NearFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return config.Nearest(name, names)
}

// EveryCommand lists a command and all below it.
func EveryCommand(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		all = append(all, EveryCommand(below)...)
	}
	return all
}

// Wrap breaks the lines of a description; indented ones stay.
func Wrap(cmd *cobra.Command) {
	var lines []string
	for _, paragraph := range strings.Split(cmd.Long, "\n\n") {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		if strings.Contains(paragraph, "\t") || strings.Contains("\n"+paragraph, "\n ") {
			lines = append(lines, paragraph)
			continue
		}
		lines = append(lines, present.WrapTo(paragraph, 0, Width)...)
	}
	cmd.Long = strings.Join(lines, "\n")
}
