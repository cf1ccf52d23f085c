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
	cmd := &cobra.Command{
		Use:   "init",
		Short: "write a commented configuration and prepare the vault",
		Long: "Write a configuration file with every setting, commented, and prepare the vault.\n" +
			"Settings given as flags are written into it. A configuration or vault that is\n" +
			"there already stays as it is.",
		Example: "  sessionloom init --vault ~/Vault\n  sessionloom init --vault ~/Vault --folder Coding/Agents --layout wiki",
		Args:    noArgs,
		RunE:    a.prepare,
	}
	a.addSettings(cmd)
	return cmd
}

// prepare is the work of init.
func (a *app) prepare(cmd *cobra.Command, _ []string) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	if c.vault == "" && a.print.interactive(a.stdin) {
		answer, err := a.print.ask(a.stdin, "The folder of the vault: ")
		if err != nil {
			return err
		}
		if err := cmd.Flags().Set("vault", answer); err != nil {
			return usage("", "%w", err)
		}
		if c, err = a.config(cmd); err != nil {
			return err
		}
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
	return a.writeConfig(cmd)
}

// writeConfig writes the configuration file where there is none yet.
func (a *app) writeConfig(cmd *cobra.Command) error {
	file, _ := configFile(a.configFlag, a.env, a.home)
	text := example(a.given(cmd.Flags()))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return explain(fmt.Errorf("write config: %w", err))
	}
	err := wholeFile{path: file, mode: 0o644, fresh: true, lasting: true}.putText([]byte(text))
	if errors.Is(err, fs.ErrExist) {
		a.print.say(tilde(file, a.home) + " stays as it is")
		return nil
	}
	if err != nil {
		return explain(fmt.Errorf("write config: %w", err))
	}
	next := "next: sessionloom sync"
	if a.configFlag != "" {
		next += " --config " + a.configFlag
	}
	a.print.say("wrote "+tilde(file, a.home), next)
	return nil
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
