package main

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// withCatalog calls use with the data of the last sync. It writes nothing.
func (a *app) withCatalog(cmd *cobra.Command, use func(ask.Known) error) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	if c.Vault == "" {
		return config.NoVault()
	}
	state, ok := registry.Known(c.State, entryOf(c))
	if !ok {
		return exit.Failed("sessionloom sync reads the history", "no sync has run for %q on this machine yet", c.Vault)
	}
	l, err := ledger.Open(state, ledger.Options{Discard: true})
	if err != nil {
		return explain(err)
	}
	kept := settingsOf(c)
	zone, err := time.LoadLocation(cmp.Or(kept["timezone"], "Local"))
	if err == nil {
		err = use(ask.Known{Catalog: catalog.New(l, c.Folder), Ledger: l, Config: c, Zone: zone, Kept: kept})
	}
	return explain(errors.Join(err, l.Failed(), l.Close()))
}

// settingsOf returns the settings in a vault, or nil if it cannot be opened.
func settingsOf(c config.Config) map[string]string {
	v, err := vault.Open(c.Vault, c.Folder, vault.Options{DryRun: true})
	if err != nil {
		return nil
	}
	defer func() { _ = v.Close() }()
	return v.Marker().Settings
}

func named(err *catalog.NameError) error {
	if len(err.Found) == 0 {
		return exit.Failed(ask.NearName(err), "%w", err)
	}
	return exit.Failed("name one of them:\n"+strings.Join(present.Candidates(err.Found), "\n"), "%w", err)
}

// completing returns completions for the arguments of a command, each with a description.
func (a *app) completing(offer func(ask.Known) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) (words []string, _ cobra.ShellCompDirective) {
		_ = a.withCatalog(cmd, func(k ask.Known) error { // failures do not matter for completion
			words = offer(k)
			return nil
		})
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

func offerSessions(k ask.Known) []string { return present.Offers(k.Sessions()) }

func offerNotes(k ask.Known) []string { return present.Offers(k.Notes()) }

func offerForgettable(k ask.Known) []string {
	return present.Offers(append(k.Sessions(), k.OfType("project")...))
}
