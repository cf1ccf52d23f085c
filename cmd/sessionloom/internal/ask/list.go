package ask

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/search"
)

// lists are what `list` can list, the first one by default.
var lists = []string{"sessions", "projects", "threads", "notes"}

func newList(h Host) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [sessions|projects|threads|notes] [WORDS…]",
		Short: "list sessions, projects, open threads or notes",
		Long: "List the sessions in the vault, the latest first; or its projects, what is open in\n" +
			"them (threads, or open), or all notes. With WORDS, those that have all of them in title, name or project.\n" +
			"It shows what the last sync knew. --since takes a date, yesterday, or an age such as\n" +
			"7d or 2w.",
		Example:   "  sessionloom list --since 7d\n  sessionloom list rate limit\n  sessionloom list threads --project widget --json",
		Args:      cobra.ArbitraryArgs,
		ValidArgs: lists,
		RunE: func(cmd *cobra.Command, args []string) error {
			return h.Known(cmd, func(k Known) error {
				what, words := lists[0], args
				if len(args) > 0 && (slices.Contains(lists, args[0]) || slices.Contains(lists, args[0]+"s")) {
					what, words = strings.TrimSuffix(args[0], "s")+"s", args[1:]
				} else if len(args) == 1 && args[0] == "open" {
					what, words = "threads", nil
				}
				all, err := k.list(what, words)
				switch {
				case err != nil:
					return err
				case asJSON:
					return h.Print.Object(all)
				case all.Empty() && len(words) > 0:
					h.Print.Note("no %s has %q in its title, name or project", strings.TrimSuffix(what, "s"), strings.Join(words, " "))
					h.Print.Advise(otherwise(words))
				}
				return h.Print.Page(all.Lines(k.Zone, h.Print.LineWidth(), h.Print.Verbose))
			})
		},
	}
	h.Settings(cmd, filtering)
	addJSON(cmd, &asJSON)
	return cmd
}

// Filter returns the configured filter.
func (k Known) Filter() (catalog.Filter, error) {
	f := catalog.Filter{Sources: k.Config.Source, Projects: k.Config.Project, Excluded: k.Config.ExcludeProject, Since: k.Config.Since}
	return f, KnownProjects(k.Catalog, f.Projects)
}

// Narrowed returns the configured filter, narrowed by a question's.
func (k Known) Narrowed(asked search.Filter) (catalog.Filter, error) {
	f, err := k.Filter()
	if err == nil && asked.Project != "" {
		var key string
		if key, err = k.ProjectNamed(asked.Project); err == nil {
			f.Projects = []string{key}
		} else if like := f.ProjectsLike(k.Catalog, asked.Project); len(like) > 0 {
			f.Projects, err = like, nil
		}
	}
	for _, limit := range []struct {
		name, text string
		at         *time.Time
	}{{"since", asked.Since, &f.Since}, {"before", asked.Before, &f.Before}} {
		if err != nil || limit.text == "" {
			continue
		}
		if *limit.at, err = config.Moment(limit.text, time.Now().In(k.Zone)); err != nil {
			err = exit.Usage("7d, 2w, 2026-01-31", "%s %w", limit.name, err)
		}
	}
	return f, err
}

// KnownProjects rejects a pattern that matches no project at all.
func KnownProjects(c *catalog.Catalog, globs []string) error {
	if odd := c.Strangers(globs); len(odd) > 0 {
		return exit.Usage("the projects are "+strings.Join(c.Projects(), ", "), "no project matches %q", odd[0])
	}
	return nil
}

func otherwise(words []string) string {
	if near := config.Nearest(words[0], lists); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "sessionloom search " + homepath.ShellWord(strings.Join(words, " ")) + " looks into what was said and done"
}

func (k Known) list(what string, words []string) (all present.List, err error) {
	f, err := k.Filter()
	if err != nil {
		return all, err
	}
	all.Schema = 1
	lacks := func(texts ...string) bool {
		text := strings.ToLower(strings.Join(texts, "\n"))
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, strings.ToLower(w)) })
	}
	having := func(of []catalog.Entry) []catalog.Entry {
		return slices.DeleteFunc(f.Of(k.Catalog, of), func(e catalog.Entry) bool { return lacks(e.Title, path.Base(e.Path), e.Name, e.Project) })
	}
	switch what {
	case "sessions":
		all.Sessions = having(k.Sessions())
	case "projects":
		all.Projects = having(k.OfType("project"))
	case "threads":
		all.Threads = slices.DeleteFunc(k.Threads(f), func(t catalog.Thread) bool { return lacks(t.Text, t.Name, t.Project) })
	default:
		all.Notes = having(k.Notes())
	}
	return all, nil
}
