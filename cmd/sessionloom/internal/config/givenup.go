package config

import (
	"fmt"
	"slices"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
)

// droppedSetting is a setting that earlier versions had. In a configuration it is an
// error as any key that no setting has. A vault that was made with it goes on
// without: see [GivenUp].
type droppedSetting struct {
	key     string
	def     string // its default, in a vault; empty: vaults had no such setting
	instead string // what to do instead
}

func settingsGivenUp() []droppedSetting {
	return []droppedSetting{
		{"redact.except_projects", "", "redact.allow leaves alone what a pattern matches, in any project"},
		{"home_callout", "false", "sessionloom status tells of scheduled runs that fail, on the machine where they do"},
		{"daily_notes", "false", "link the day from your own daily note, in its template: [[Agents/journal/{{date:YYYY-MM-DD}}]]"},
		{"follow", "folder", "keep notes in the managed folder, where they are followed in any sub-folder, yours too"},
	}
}

// RecordsGivenUp are folders of .sessionloom that those settings had: of the lines
// in daily notes, and of the machines on which scheduled runs failed.
func RecordsGivenUp() []string { return []string{"lines", "trouble"} }

// wasGivenUp finds a setting among those that were given up.
func wasGivenUp(key string) (g droppedSetting, was bool) {
	all := settingsGivenUp()
	i := slices.IndexFunc(all, func(g droppedSetting) bool { return g.key == key })
	if i < 0 {
		return g, false
	}
	return all[i], true
}

// notGivenUp refuses an environment that sets what was given up.
func notGivenUp(env func(string) string) error {
	for _, g := range settingsGivenUp() {
		if name := envName(g.key); env(name) != "" {
			return exit.Usage(g.instead, "the setting of the variable %s was given up: take it out", name)
		}
	}
	return nil
}

// GivenUp finds among the settings that a vault keeps those that were given up,
// and has a warning for each that asked for more than the default.
func GivenUp(kept map[string]string) (keys, warnings []string) {
	for _, g := range settingsGivenUp() {
		value, said := kept[g.key]
		if !said || g.def == "" {
			continue
		}
		keys = append(keys, g.key)
		if value != g.def {
			warnings = append(warnings, fmt.Sprintf("the vault says %s: %s, which no longer does anything: %s", g.key, value, g.instead))
		}
	}
	return keys, warnings
}
