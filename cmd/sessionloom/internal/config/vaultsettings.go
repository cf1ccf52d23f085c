package config

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
)

// Seeds gives the settings of a new vault as its marker keeps them, under the
// keys of the configuration.
func Seeds(s extract.Settings) map[string]string {
	return map[string]string{
		"transcript":               s.Transcript,
		"timezone":                 s.Timezone,
		"hot_files.min_sessions":   strconv.Itoa(s.HotFiles.MinSessions),
		"hot_files.half_life_days": strconv.Itoa(int(s.HotFiles.HalfLife / day)),
		"hot_files.listed":         strconv.Itoa(s.HotFiles.Listed),
		"home_count":               strconv.Itoa(s.HomeCount),
		"layout":                   s.Layout,
		"templates":                s.Templates,
	}
}

// Rendering reads what the marker of a vault says; what it does not say has its
// default. marker is the file's path, for the error.
func Rendering(kept map[string]string, marker string) (extract.Settings, error) {
	var c Config
	for _, s := range renderSettings(extract.DefaultSettings()) {
		value := s.def
		if word, ok := kept[s.key]; ok {
			v, err := parse(s.kind, word)
			if err != nil {
				return c.Rendering, exit.Usage("", "%q in %q %w", s.key, marker, err)
			}
			value = v
		}
		if err := s.set(&c, value); err != nil {
			return c.Rendering, exit.Usage("", "%q in %q %w", s.key, marker, err)
		}
	}
	return c.Rendering, nil
}

// Unseeded names the settings of the configuration that the vault overrules.
func Unseeded(asked, kept extract.Settings) []string {
	want, have := Seeds(asked), Seeds(kept)
	var out []string
	for _, s := range renderSettings(extract.DefaultSettings()) {
		if want[s.key] != have[s.key] {
			out = append(out, fmt.Sprintf("%s: the vault says %s, not %s", s.key, have[s.key], want[s.key]))
		}
	}
	return out
}

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
