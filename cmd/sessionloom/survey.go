package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// survey is the history that init finds on a machine.
type survey []lookedAt

// survey looks where the history of agents lies, as `sources` does.
func (a *app) survey(ctx context.Context, c config) (found survey, err error) {
	l := &loom{}
	defer func() { err = errors.Join(err, l.close()) }()
	readers, err := a.readers(c, l)
	if err != nil {
		return nil, err
	}
	inv, err := takeInventory(ctx, readers)
	if err != nil {
		return nil, err
	}
	for _, s := range inv.Sources {
		if s.Items > 0 {
			found = append(found, s)
		}
	}
	return found, nil
}

// lines say what was found.
func (s survey) lines(home string) []string {
	if len(s) == 0 {
		return []string{"found no history yet; sessionloom sources tells where it looks"}
	}
	var lines []string
	for _, at := range s {
		lines = append(lines, fmt.Sprintf("found %s in %s: %s", at.Name, tilde(at.Root, home), at.found()))
	}
	return lines
}

// remarks are what the configuration says of it, by the key of the setting that
// it would be named in.
func (s survey) remarks(home string) map[string][]string {
	keys := map[string]string{"copilot-cli": "sources.copilot_cli.homes", "vscode": "sources.vscode.user_dirs"}
	out := map[string][]string{}
	for _, at := range s {
		if key := keys[at.Name]; key != "" {
			out[key] = append(out[key], fmt.Sprintf("Found at init: %q, %s.", tilde(at.Root, home), count(at.Items, "item")))
		}
	}
	return out
}

// tellRepo says whether the vault lies in a git repository. wanted tells that it
// has to.
func (a *app) tellRepo(c config, wanted bool) error {
	r, err := vaultRepo(c)
	var none *failure
	switch {
	case errors.As(err, &none) && !wanted:
		return nil
	case err != nil:
		return err
	}
	if r.Born() {
		a.print.say("the vault lies in a git repository: sync --commit commits what it writes")
	} else {
		a.print.say("the vault lies in a git repository without a commit: make one before the first sync")
	}
	return nil
}

// installGit does what git install does, with the configuration that init wrote.
func (a *app) installGit(cmd *cobra.Command, c config) error {
	r, err := vaultRepo(c)
	if err != nil {
		return err
	}
	s, err := gitSetup(c, r)
	if err != nil {
		return err
	}
	return explainGitSetup(a.gitInstall(cmd, r, s))
}

// timingOf reads when init is to have the timer run; empty: there is to be none.
func timingOf(text string) (timing, error) {
	t := timing{every: text, flag: "--schedule"}
	if strings.Contains(text, ":") {
		t = timing{daily: text, flag: "--schedule"}
	}
	if text == "" {
		return t, nil
	}
	_, err := t.when()
	return t, err
}

// installTimer does what schedule install does, with the configuration that init
// wrote.
func (a *app) installTimer(cmd *cobra.Command, c config, t timing) error {
	install := newScheduleInstall(a)
	install.SetContext(cmd.Context())
	flags := install.Flags()
	flags.AddFlag(cmd.Flags().Lookup("config"))
	err := errors.Join(flags.Set("vault", c.vault), flags.Set("folder", c.folder))
	if bare, failed := a.config(newSync(a)); failed != nil || bare.state != c.state { // a configuration that stays says otherwise
		err = errors.Join(err, flags.Set("state", c.state))
	}
	if err != nil {
		return err
	}
	return a.scheduleInstall(install, t)
}
