package ask

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract/brief"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// fewestTokens is the smallest budget: a title and the line that says how to continue.
const fewestTokens = 50

func newBrief(h Host) *cobra.Command {
	var asJSON bool
	var tokens int
	var until string
	cmd := &cobra.Command{
		Use:   "brief [PROJECT|.]",
		Short: "say what matters in a project, for you or for an agent",
		Long: "Say what matters in a project in so many tokens, as markdown: where the work stands,\n" +
			"decisions, what is open, commands that worked, hot files, latest outcomes; the most\n" +
			"valuable lines first. A PROJECT is a key, a name, a pattern, or the id or note of one of\n" +
			"its sessions; without one it is that of the current folder. It shows what the last sync\n" +
			"knew. Outcomes older than --since are few.",
		Example: "  sessionloom brief\n  sessionloom brief widget --tokens 800\n  sessionloom brief widget --since 4w --until 2026-11-15 --json",
		Args:    Args(0, 1, "one project at a time"),
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) (words []string, _ cobra.ShellCompDirective) {
			_ = h.Known(cmd, func(k Known) error { // failures do not matter for completion
				words = k.Projects()
				return nil
			})
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if tokens < fewestTokens {
				return exit.Usage("the default is 2000", "--tokens wants a number from %d, got %d", fewestTokens, tokens)
			}
			return h.Texts(cmd, func(k Known) error {
				history, err := k.History(cmd, "14d", until, time.Now())
				if err != nil {
					return err
				}
				key, err := k.ProjectNamed(strings.Join(args, ""))
				if err != nil {
					return err
				}
				b := history.Project(key)
				if asJSON {
					return h.Print.Object(b)
				}
				return h.Print.Page(b.Lines(tokens))
			})
		},
	}
	h.addPeriod(cmd, &until, &asJSON)
	cmd.Flags().IntVar(&tokens, "tokens", 2000, "print at most `N` tokens, counted with caution")
	return cmd
}

func newStandup(h Host) *cobra.Command {
	var asJSON bool
	var until string
	cmd := &cobra.Command{
		Use:   "standup [DAY]",
		Short: "say what was done since yesterday, by project",
		Long: "Say what was done since yesterday, or another day, by project: outcomes, commits, pull\n" +
			"requests, and what is newly open, one line each. DAY is one day alone, such as\n" +
			"2026-11-09 or yesterday. Days are those of the vault's zone,\n" +
			"from the first one on. It shows what the last sync knew.",
		Example: "  sessionloom standup\n  sessionloom standup --since 7d --project widget\n  sessionloom standup --since 2026-11-09 --until 2026-11-13 --json",
		Args:    Args(0, 1, "one day, or --since and --until"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return h.Texts(cmd, func(k Known) error {
				since := "yesterday"
				for _, day := range args {
					since, until = day, day
				}
				history, err := k.History(cmd, since, until, time.Now())
				if err != nil {
					return err
				}
				s := history.Standup()
				if asJSON {
					return h.Print.Object(s)
				}
				return h.Print.Page(s.Lines(0))
			})
		},
	}
	h.addPeriod(cmd, &until, &asJSON)
	return cmd
}

func (h Host) addPeriod(cmd *cobra.Command, until *string, asJSON *bool) {
	h.Settings(cmd, filtering)
	cmd.Flags().StringVar(until, "until", "now", "say what was known on `DATE`, at its end")
	addJSON(cmd, asJSON)
}

// History returns the data at the end of a period, within the configured filter.
func (k Known) History(cmd *cobra.Command, since, until string, now time.Time) (*brief.History, error) {
	f, err := k.Filter()
	if err != nil {
		return nil, err
	}
	settings, err := config.Rendering(k.Kept, k.Config.Marker())
	if err != nil {
		return nil, err
	}
	f.Since = time.Time{}
	o := brief.Options{Zone: k.Zone, HotFiles: settings.HotFiles, Filter: f}
	if o.Until, err = lastSecond(until, now.In(k.Zone)); err != nil {
		return nil, exit.Usage("", "--until %w", err)
	}
	if f := cmd.Flags().Lookup("since"); f.Changed {
		since = f.Value.String()
	}
	if o.Since, err = config.Moment(since, o.Until.In(k.Zone)); err != nil {
		return nil, exit.Usage("7d, 2w, 2026-01-31", "since %w", err)
	}
	return brief.From(k.Ledger, k.Catalog, o), nil
}

// lastSecond returns the end of a period: of the day if the text names one.
func lastSecond(text string, now time.Time) (time.Time, error) {
	if text == "now" {
		return now, nil
	}
	at, err := config.Moment(text, now)
	if err != nil {
		return at, err
	}
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	y, month, day := at.In(now.Location()).Date()
	return time.Date(y, month, day+1, 0, 0, 0, 0, now.Location()).Add(-time.Second), nil
}

// ProjectNamed returns the key of a project that the filter allows; "." and "" stand for the current folder's.
func (k Known) ProjectNamed(name string) (string, error) {
	f, err := k.Filter()
	if err != nil {
		return "", err
	}
	hint := "the projects are " + strings.Join(f.ProjectNames(k.Catalog), ", ")
	if name == "" || name == "." {
		return k.projectHere(f, hint)
	}
	key, err := k.Project(homepath.InVault(name, k.Config.Vault))
	if err == nil && f.Holds(k.Catalog, key, "") {
		return key, nil
	}
	switch like := f.ProjectsLike(k.Catalog, name); len(like) {
	case 0:
		return "", exit.Failed(hint, "no project is called %q", name)
	case 1:
		return like[0], nil
	default:
		return "", exit.Failed("name one of these: "+strings.Join(like, ", "), "%q stands for %d projects", name, len(like))
	}
}

func (k Known) projectHere(f catalog.Filter, hint string) (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the current folder: %w", err)
	}
	folders := []string{folder}
	if real, err := filepath.EvalSymlinks(folder); err == nil && real != folder { // an agent may know it by this name
		folders = append(folders, real)
	}
	for _, at := range folders {
		root, remote := discover.Repository(at)
		if key := k.Here(at, root, remote); key != "" && f.Holds(k.Catalog, key, "") {
			return key, nil
		}
	}
	return "", exit.Failed(hint, "no project of the vault has sessions in %q", folder)
}
