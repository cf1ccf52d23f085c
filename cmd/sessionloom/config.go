package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
)

func newConfig(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "show and change settings, and where each comes from",
		Long: "Show and change settings. Most stand in the configuration file of this machine; those\n" +
			"that change what notes look like stand in the vault, so that all machines render\n" +
			"alike: `set` changes them there.",
		Example: "  sessionloom config list\n  sessionloom config get timezone\n  sessionloom config set timezone Europe/Berlin",
	}
	cmd.AddCommand(newConfigList(a), newConfigGet(a), newConfigSet(a))
	return cmd
}

func newConfigList(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "list all settings with their values, and where each comes from",
		Long:    "List all settings with their values, and where each comes from.",
		Example: "  sessionloom config list\n  sessionloom config list --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := a.inForce(cmd)
			if err != nil {
				return err
			}
			var rows [][]string
			for _, v := range all {
				rows = append(rows, []string{v.Key, v.Value, a.short(v.From)})
			}
			return a.printResult(settingsReport{Schema: 1, Settings: all}, present.Aligned(rows)...)
		},
	}
	a.flags.Add(cmd, config.Keys("vault", "folder"))
	a.addOptions(cmd, "json")
	return cmd
}

// settingsReport is what `config list --json` prints (schema 1).
type settingsReport struct {
	Schema   int              `json:"schema"`
	Settings []config.InForce `json:"settings"`
}

func newConfigGet(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:       "get KEY",
		Short:     "print the value of a setting",
		Long:      "Print the value of a setting as it holds now.",
		Example:   "  sessionloom config get timezone",
		Args:      ask.Args(1, 1, "sessionloom config list shows all keys"),
		ValidArgs: config.AllKeys(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := config.Known(args[0]); err != nil {
				return err
			}
			all, err := a.inForce(cmd)
			if err != nil {
				return err
			}
			one := all[slices.IndexFunc(all, func(v config.InForce) bool { return v.Key == args[0] })]
			return a.printResult(one, one.Value)
		},
	}
	a.flags.Add(cmd, config.Keys("vault", "folder"))
	a.addOptions(cmd, "json")
	return cmd
}

func newConfigSet(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "set KEY VALUE…",
		Short: "change a setting",
		Long: "Change a setting, in the configuration file or, where the vault keeps it, there. A list\n" +
			"takes several values, and '[]' for none. Comments in the file stay. The next sync\n" +
			"takes it in.",
		Example:   "  sessionloom config set vault ~/Vault\n  sessionloom config set exclude_project 'secret-*' scratch\n  sessionloom config set transcript none",
		Args:      ask.Args(2, 1000, "name a setting and its value; sessionloom config list shows all keys"),
		ValidArgs: config.AllKeys(),
		RunE:      func(cmd *cobra.Command, args []string) error { return a.configSet(cmd, args[0], args[1:], yes) },
	}
	a.flags.Add(cmd, config.Keys("vault", "folder"))
	a.addYes(cmd, &yes)
	return cmd
}

func (a *app) inForce(cmd *cobra.Command) ([]config.InForce, error) {
	c, err := a.config(cmd)
	if err != nil {
		return nil, err
	}
	kept := config.Kept{File: c.Marker()}
	if c.Vault != "" {
		kept.Settings = settingsOf(c)
	}
	file, named := config.File(a.configFlag, a.env, a.home)
	return config.All(cmd.Flags(), file, named, a.home, time.Now(), kept)
}

// configSet changes a setting in the file, in its vault, or in both.
func (a *app) configSet(cmd *cobra.Command, key string, values []string, yes bool) error {
	file, named := config.File(a.configFlag, a.env, a.home)
	text, err := config.ReadText(file)
	if err != nil {
		return explain(err)
	}
	if len(values) == 1 && values[0] == "[]" {
		values = nil
	}
	edited, err := config.Edited(text, key, values, a.home)
	if err != nil {
		return err
	}
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	if config.IsKept(key) && c.Vault != "" {
		switch v, err := vault.Open(c.Vault, c.Folder, vault.Options{}); {
		case err == nil:
			if err := a.mayRename(cmd, c, key, values[0], yes); err != nil {
				return errors.Join(err, v.Close())
			}
			if err := errors.Join(v.SetSettings(map[string]string{key: values[0]}), v.Close()); err != nil {
				return explain(err)
			}
			a.print.Say(a.short(c.Marker()) + ": " + key + " is " + values[0])
			if seeded, err := config.Says(file, named, key); err != nil || !seeded {
				return err
			}
		case !isMissing(err):
			return explain(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return explain(err)
	}
	if err := (atomicfile.File{Path: file, Mode: 0o644, Lasting: true}).Put([]byte(edited)); err != nil {
		return explain(err)
	}
	if strings.HasSuffix(key, ".store_only") || strings.HasSuffix(key, ".images") {
		a.print.Note("of what was read before, sessionloom sync --full takes it in")
	}
	a.print.Say(a.short(file) + ": " + key + " is " + cmp.Or(strings.Join(values, ", "), "empty"))
	return nil
}

// mayRename asks before notes of days and weeks are renamed, as people link to them.
func (a *app) mayRename(cmd *cobra.Command, c config.Config, key, value string, yes bool) error {
	if key != config.JournalNames || yes || cmp.Or(settingsOf(c)[key], extract.JournalDate) == value {
		return nil
	}
	a.print.Note("links of yours to notes of days and weeks would lead nowhere; with %q alone they would be called as daily notes often are", extract.JournalDate)
	return a.confirm(cmd, yes, "Change the names?")
}
