// Package config holds the settings: their table, with the flags, environment, file and example derived from
// it. It reads the file and writes none. Its errors are the user's to fix and name the key and its place.
package config

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/watch"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources/agents"
)

// Config is the combined settings of flags, environment and file.
type Config struct {
	Vault, Folder, State string // folders; vault is empty if not named

	CopilotCLI struct {
		Enabled   bool
		Homes     []string
		StoreOnly string // list, write
	}
	VSCode struct {
		Enabled   bool
		UserDirs  []string
		Exports   []string
		StoreOnly string // list, write
		Images    bool
	}
	Cursor struct { // besides its homes
		UserDirs []string
	}

	Homes          map[string]*Homes // settings of homes, by kind
	Source         []string
	Project        []string
	ExcludeProject []string
	Since          time.Time
	now            time.Time // start of ages
	Redact         redact.Options
	Rendering      extract.Settings // seeds a new vault; an existing one has its own
	seeding        []string         // rendering keys in the file or environment: they seed a new vault
	given          []string         // rendering keys in flags: they change the vault's settings
	Distil         Distil
	Jobs           int
	Debounce       watch.Debounce
}

// Distil says which agent is asked about sessions. It is not read from a vault: whoever writes to a vault
// must not make another machine run anything.
type Distil struct {
	Command           []string // a program with its arguments; empty: none
	Limit, Characters int      // limits of a run
	AfterSync         bool
	TrustTools        bool
}

// Homes are the settings of a source with homes of one kind, see [agents.Agent].
type Homes struct {
	Enabled    bool
	Paths      []string
	PromptOnly string // count, write
}

func defaults() *Config {
	c := &Config{Folder: "Agents", Rendering: extract.DefaultSettings()}
	c.Rendering.Timezone = "" // the system's, when a vault is made
	c.CopilotCLI.Enabled, c.CopilotCLI.StoreOnly = true, "list"
	c.VSCode.Enabled, c.VSCode.StoreOnly = true, "list"
	c.Homes = map[string]*Homes{}
	for _, k := range agents.AtHome() {
		c.Homes[k.Name] = &Homes{Enabled: true, PromptOnly: "count"}
	}
	c.Distil.Limit, c.Distil.Characters = 10, 200_000
	// After a pass hints wait twenty times as long as it took: passes take a twentieth of one core, however
	// busy an agent is.
	c.Debounce = watch.Debounce{Interval: 5 * time.Minute, Quiet: 2 * time.Second, AtMost: 30 * time.Second, Rest: 20}
	return c
}

// Managed returns the folder of the vault that holds the notes.
func (c Config) Managed() string { return filepath.Join(c.Vault, c.Folder) }

// Marker returns the path of the file that marks it as managed.
func (c Config) Marker() string { return filepath.Join(c.Managed(), ".sessionloom", "vault.yaml") }

// Limits returns the settings that limit a run to a part of the history.
func (c Config) Limits() (keys []string) {
	for key, limits := range map[string]bool{"project": len(c.Project) > 0, "since": !c.Since.IsZero(), "source": len(c.Source) > 0} {
		if limits {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// Gives reports whether a flag sets the vault's setting with this key.
func (c Config) Gives(key string) bool { return slices.Contains(c.given, key) }

// Overrule applies the rendering flags to settings, and returns what it changed.
func (c Config) Overrule(s *extract.Settings) map[string]string {
	changes := Seeds(c.Rendering)
	maps.DeleteFunc(changes, func(key, _ string) bool { return !c.Gives(key) })
	all := Seeds(*s)
	all[namesZone] = s.NamesZone
	maps.Copy(all, changes)
	*s, _ = Rendering(all, "") // both were read before
	return changes
}

// With returns a configuration as if flags gave the settings of a plan.
func (c Config) With(settings []extract.PlannedSetting) (_ Config, err error) {
	all := Seeds(c.Rendering)
	for _, s := range settings {
		all[s.Key] = s.Value
		c.given = append(slices.Clip(c.given), s.Key)
	}
	c.Rendering, err = Rendering(all, "the plan")
	return c, err
}

// NoVault returns the error for a missing vault.
func NoVault() error {
	return exit.Usage("give --vault DIR, or write it into a configuration: sessionloom init --vault DIR", "no vault named")
}

// Seeds returns rendering settings for a marker.
func Seeds(s extract.Settings) map[string]string {
	out := map[string]string{}
	for _, one := range renderSettings(&Config{Rendering: s}) {
		out[one.key] = one.value().String()
	}
	return out
}

// namesZone is only in the vault: names never change with the time zone.
const namesZone = "names_zone"

// NewVault returns the settings in the marker of a new vault.
func NewVault(s extract.Settings) map[string]string {
	out := Seeds(s)
	out[namesZone] = s.Timezone
	return out
}

// Rendering reads the settings in the marker of a vault; marker is its path, for errors.
func Rendering(kept map[string]string, marker string) (extract.Settings, error) {
	c := defaults()
	c.Rendering.Timezone = extract.DefaultSettings().Timezone
	c.Rendering.JournalNames = extract.JournalDate // default of vaults from before the setting
	for _, s := range renderSettings(c) {
		text, said := kept[s.key]
		if !said {
			continue
		}
		if err := s.put(text); err != nil {
			return c.Rendering, exit.Usage("", "%q in %q %w", s.key, marker, err)
		}
	}
	c.Rendering.Timezone = cmp.Or(c.Rendering.Timezone, extract.DefaultSettings().Timezone)
	c.Rendering.NamesZone = kept[namesZone]
	if err := zone(&c.Rendering.NamesZone)(); err != nil {
		return c.Rendering, exit.Usage("", "%q in %q %w", namesZone, marker, err)
	}
	return c.Rendering, nil
}

// NoEffect reports settings that the vault overrides, and unknown keys.
func (c Config) NoEffect(kept map[string]string, unknown []string) []string {
	want := Seeds(c.Rendering)
	var out []string
	for _, key := range c.seeding {
		if have, said := kept[key]; said && want[key] != have {
			out = append(out, fmt.Sprintf("%s in the configuration has no effect, the vault says %q: sessionloom config set %s VALUE changes both", key, have, key))
		}
	}
	for key, near := range Strange(kept, unknown) {
		line := fmt.Sprintf("unknown key %q in the vault's %s", key, filepath.Base(c.Marker()))
		if near != "" {
			line += fmt.Sprintf("; did you mean %q?", near)
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

// droppedSetting is a setting of an earlier version. A vault that has it works without it.
type droppedSetting struct {
	key     string
	def     string // its default
	instead string // its replacement
}

func settingsGivenUp() []droppedSetting {
	return []droppedSetting{
		{"automatic", "count", "sessions in which nobody typed a prompt have no notes; those you wrote in stay"},
		{"layout", "agents", "notes lie in a folder for each kind; those you moved stay where they are"},
	}
}

// GivenUp returns dropped settings in a vault, with warnings for those in use.
func GivenUp(kept map[string]string) (keys, warnings []string) {
	for _, g := range settingsGivenUp() {
		value, said := kept[g.key]
		if !said {
			continue
		}
		keys = append(keys, g.key)
		if value != g.def {
			warnings = append(warnings, fmt.Sprintf("the vault says %s: %s, which no longer does anything: %s", g.key, value, g.instead))
		}
	}
	return keys, warnings
}
