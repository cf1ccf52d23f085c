package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/extract"
)

func newInit(a *app) *cobra.Command {
	var git bool
	var every string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "write a commented configuration and prepare the vault",
		Long: "Write a configuration file with every setting, commented, and prepare the vault.\n" +
			"Settings given as flags are written into it. Without --vault it takes the vault that\n" +
			"the current folder lies in, else the only one that Obsidian knows or that lies in the\n" +
			"home folder. A configuration or vault that is there already stays as it is.",
		Example: "  sessionloom init\n  sessionloom init --vault ~/Vault --folder Coding/Agents --layout wiki",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd, git, every) },
	}
	a.addSettings(cmd)
	cmd.Flags().BoolVar(&git, "git", false, "set up what merges notes in the vault's git repository, as git install does")
	cmd.Flags().StringVar(&every, "schedule", "", "set up the system's timer, each `TIME` (30m) or daily at one (09:00)")
	return cmd
}

// prepare is the work of init.
func (a *app) prepare(cmd *cobra.Command, git bool, schedule string) error {
	timer, err := timingOf(schedule)
	if err != nil {
		return err
	}
	c, err := a.config(cmd)
	if err == nil && c.vault == "" {
		c, err = a.chooseVault(cmd)
	}
	if err != nil {
		return err
	}
	found, err := a.survey(cmd.Context(), c)
	if err != nil {
		return err
	}
	p, err := openPlace(c, extract.Mode{})
	if err != nil {
		return explain(err)
	}
	if err := p.close(); err != nil {
		return err
	}
	at := tilde(filepath.Join(c.vault, c.folder), a.home)
	if p.created {
		a.print.say("created " + at)
	} else {
		a.print.say(at + " is ready")
	}
	a.print.say(found.lines(a.home)...)
	err = errors.Join(a.tellRepo(c, git), a.writeConfig(cmd, found))
	if err == nil && git {
		err = a.installGit(cmd, c)
	}
	if err == nil && schedule != "" {
		err = a.installTimer(cmd, c, timer)
	}
	if err == nil {
		a.print.say(a.nextStep(c))
	}
	return err
}

// writeConfig writes the configuration file where there is none yet.
func (a *app) writeConfig(cmd *cobra.Command, found survey) error {
	file, _ := configFile(a.configFlag, a.env, a.home)
	text := example(a.given(cmd.Flags()), found.remarks(a.home))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return explain(fmt.Errorf("write config: %w", err))
	}
	err := wholeFile{path: file, mode: 0o644, fresh: true, lasting: true}.putText([]byte(text))
	switch {
	case errors.Is(err, fs.ErrExist):
		a.print.say(tilde(file, a.home) + " stays as it is")
	case err != nil:
		return explain(fmt.Errorf("write config: %w", err))
	default:
		a.print.say("wrote " + tilde(file, a.home))
	}
	return nil
}

// nextStep is the command to go on with, and what it would not know by itself.
func (a *app) nextStep(c config) string {
	next := "next: sessionloom sync"
	if bare, err := a.config(newSync(a)); err != nil || bare.vault != c.vault {
		next += " --vault " + shellPath(c.vault, a.home)
	} else if bare.folder != c.folder {
		next += " --folder " + shellWord(c.folder)
	}
	if a.configFlag != "" {
		next += " --config " + shellPath(a.configFlag, a.home)
	}
	return next
}

// given is what the flags say, as YAML by key.
func (a *app) given(flags *pflag.FlagSet) map[string]string {
	out := map[string]string{}
	for _, s := range settings() {
		if s.flag == "" || !flags.Changed(s.flag) {
			continue
		}
		// Only a flag that was never declared fails.
		switch s.kind {
		case list, dirs:
			values, _ := flags.GetStringArray(s.flag)
			for i, v := range values {
				values[i] = a.quoted(s.kind, v)
			}
			out[s.key] = "[" + strings.Join(values, ", ") + "]"
		case number:
			n, _ := flags.GetInt(s.flag)
			out[s.key] = strconv.Itoa(n)
		default:
			value, _ := flags.GetString(s.flag)
			out[s.key] = a.quoted(s.kind, value)
		}
	}
	return out
}

// quoted writes a value as YAML that means the same on the next run, wherever
// that is started.
func (a *app) quoted(k kind, value string) string {
	if k == dir || k == dirs {
		value = tilde(expand(value, a.home, ""), a.home)
	}
	return strconv.Quote(value)
}
