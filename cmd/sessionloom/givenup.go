package main

import (
	"errors"
	"fmt"
	"slices"
)

// givenUp is a setting that earlier versions had. In a configuration it is an
// error as any key that no setting has. A vault that was made with it goes on
// without: see [app.dropGivenUp].
type givenUp struct {
	key     string
	def     string // its default, in a vault; empty: vaults had no such setting
	instead string // what to do instead
}

func settingsGivenUp() []givenUp {
	return []givenUp{
		{"redact.except_projects", "", "redact.allow leaves alone what a pattern matches, in any project"},
		{"home_callout", "false", "sessionloom status tells of scheduled runs that fail, on the machine where they do"},
		{"daily_notes", "false", "link the day from your own daily note, in its template: [[Agents/journal/{{date:YYYY-MM-DD}}]]"},
		{"follow", "folder", "keep notes in the managed folder, where they are followed in any sub-folder, yours too"},
	}
}

// recordsGivenUp are folders of .sessionloom that those settings had: of the lines
// in daily notes, and of the machines on which scheduled runs failed.
func recordsGivenUp() []string { return []string{"lines", "trouble"} }

// dropGivenUp takes settings that were given up out of what a vault says, with the
// records they had, and tells once of those that asked for more than the default.
func (a *app) dropGivenUp(p *place) {
	kept := p.vault.Marker().Settings
	var gone []string
	for _, g := range settingsGivenUp() {
		value, said := kept[g.key]
		if !said || g.def == "" {
			continue
		}
		gone = append(gone, g.key)
		if value != g.def {
			a.print.warn(fmt.Sprintf("the vault says %s: %s, which no longer does anything: %s", g.key, value, g.instead))
		}
	}
	if len(gone) == 0 {
		return
	}
	if err := errors.Join(p.vault.DropRecords(recordsGivenUp()...), p.vault.DropSettings(gone...)); err != nil {
		a.print.detail("%v", err) // they are ignored as well as gone
	}
}

// wasGivenUp finds a setting among those that were given up.
func wasGivenUp(key string) (g givenUp, was bool) {
	all := settingsGivenUp()
	i := slices.IndexFunc(all, func(g givenUp) bool { return g.key == key })
	if i < 0 {
		return g, false
	}
	return all[i], true
}

// notGivenUp refuses an environment that sets what was given up.
func notGivenUp(env func(string) string) error {
	for _, g := range settingsGivenUp() {
		if name := envName(g.key); env(name) != "" {
			return usage(g.instead, "the setting of the variable %s was given up: take it out", name)
		}
	}
	return nil
}
