package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// lists are what `list` can list, the first one by default.
var lists = []string{"sessions", "projects", "threads", "notes"}

func newList(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [sessions|projects|threads|notes]",
		Short: "list sessions, projects, open threads or notes",
		Long: "List the sessions in the vault, the latest first; or its projects, what is open in\n" +
			"them, or all notes. It shows what the last sync knew. --since takes a date,\n" +
			"yesterday, or an age such as 7d or 2w.",
		Example: "  sessionloom list --since 7d\n  sessionloom list threads --project widget\n  sessionloom list --json",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return exit.Usage("one list at a time", "unexpected argument %q", args[1])
			case len(args) == 1 && !slices.Contains(lists, args[0]) && !slices.Contains(lists, args[0]+"s"):
				return exit.Usage("it lists "+strings.Join(lists, ", "), "unknown list %q", args[0])
			}
			return nil
		},
		ValidArgs: lists,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withCatalog(cmd, func(k known) error { return a.list(k, strings.TrimSuffix(append(args, lists[0])[0], "s")+"s") })
		},
	}
	a.addSettings(cmd)
	config.HelpWith(cmd, config.Keys("vault", "folder", "state", "source", "project", "exclude_project", "since"))
	a.addOptions(cmd, "json")
	return cmd
}

// list prints one of the lists.
func (a *app) list(k known, what string) error {
	f := catalog.Filter{Sources: k.config.Source, Projects: k.config.Project, Excluded: k.config.ExcludeProject, Since: k.config.Since}
	if err := knownProjects(k.Catalog, f.Projects); err != nil {
		return err
	}
	all := present.List{Schema: 1}
	switch what {
	case "sessions":
		all.Sessions = f.Of(k.Catalog, k.Sessions())
	case "projects":
		all.Projects = f.Of(k.Catalog, k.OfType("project"))
	case "threads":
		all.Threads = k.Threads(f)
	default:
		all.Notes = f.Of(k.Catalog, k.Notes())
	}
	if a.json {
		return a.print.Object(all)
	}
	return a.print.Page(all.Lines(k.zone, a.print.LineWidth(), a.print.Verbose))
}

// knownProjects refuses a pattern that matches no project at all.
func knownProjects(c *catalog.Catalog, globs []string) error {
	if odd := c.Strangers(globs); len(odd) > 0 {
		return exit.Usage("the projects are "+strings.Join(c.Projects(), ", "), "no project matches %q", odd[0])
	}
	return nil
}
