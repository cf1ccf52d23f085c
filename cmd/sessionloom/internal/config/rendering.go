package config

import (
	"fmt"
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

// InVault tells whether a key is that of a setting which vaults keep.
func InVault(key string) bool {
	_, kept := Seeds(extract.Settings{})[key]
	return kept
}
