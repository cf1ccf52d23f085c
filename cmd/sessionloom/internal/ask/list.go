package ask

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

func newList(h Host) *cobra.Command {
	var asJSON bool
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
			return h.Known(cmd, func(k Known) error {
				all, err := k.list(strings.TrimSuffix(append(args, lists[0])[0], "s") + "s")
				switch {
				case err != nil:
					return err
				case asJSON:
					return h.Print.Object(all)
				}
				return h.Print.Page(all.Lines(k.Zone, h.Print.LineWidth(), h.Print.Verbose))
			})
		},
	}
	h.Settings(cmd)
	config.HelpWith(cmd, config.Keys("vault", "folder", "state", "source", "project", "exclude_project", "since"))
	addJSON(cmd, &asJSON)
	return cmd
}

// Filter is what the configuration leaves of lists.
func (k Known) Filter() (catalog.Filter, error) {
	f := catalog.Filter{Sources: k.Config.Source, Projects: k.Config.Project, Excluded: k.Config.ExcludeProject, Since: k.Config.Since}
	return f, KnownProjects(k.Catalog, f.Projects)
}

// KnownProjects refuses a pattern that matches no project at all.
func KnownProjects(c *catalog.Catalog, globs []string) error {
	if odd := c.Strangers(globs); len(odd) > 0 {
		return exit.Usage("the projects are "+strings.Join(c.Projects(), ", "), "no project matches %q", odd[0])
	}
	return nil
}

// list gives one of the lists.
func (k Known) list(what string) (all present.List, err error) {
	f, err := k.Filter()
	if err != nil {
		return all, err
	}
	all.Schema = 1
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
	return all, nil
}
