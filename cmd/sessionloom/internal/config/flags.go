package config

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// NoDefaults is the flag by which no place is read that was not named.
const NoDefaults = "no-defaults"

// Pick tells by its key whether a setting is meant.
type Pick func(key string) bool

// AddFlags gives a command the flags of some settings.
func AddFlags(cmd *cobra.Command, of Pick) {
	f := cmd.Flags()
	for _, s := range settings() {
		if s.flag == "" || s.only != "" && s.only != cmd.Name() || !of(s.key) {
			continue
		}
		switch s.kind {
		case list, dirs:
			f.StringArray(s.flag, nil, s.help)
		case number:
			f.Int(s.flag, s.def.(int), s.help)
		default:
			def, _ := s.def.(string)
			f.String(s.flag, def, s.help)
		}
	}
}

// HelpWith leaves in the help of a command the flags of those settings that mean
// something to it. The others are taken too: one set of flags suits all commands.
func HelpWith(cmd *cobra.Command, meant Pick) {
	for _, s := range settings() {
		if f := cmd.Flags().Lookup(s.flag); f != nil && !meant(s.key) {
			f.Hidden = true
		}
	}
	cmd.Flags().Lookup(NoDefaults).Hidden = !meant("sources.copilot_cli.homes") // it is about them
}

// Keys picks settings.
func Keys(keys ...string) Pick {
	return func(key string) bool { return slices.Contains(keys, key) }
}

// AllBut picks all settings but some.
func AllBut(keys ...string) Pick {
	return func(key string) bool { return !slices.Contains(keys, key) }
}

// Sources picks the settings that say what is read.
func Sources(key string) bool { return key == "source" || strings.HasPrefix(key, "sources.") }

// HasFlag tells whether a flag is that of a setting.
func HasFlag(name string) bool {
	return slices.ContainsFunc(settings(), func(s setting) bool { return s.flag == name })
}

// Repeated gives the flags of settings that were given as words of a later call, paths
// made absolute, but for those the caller repeats himself.
func Repeated(flags *pflag.FlagSet, home string, but ...string) []string {
	var out []string
	add := func(name, value string, isPath bool) {
		if isPath {
			value = homepath.Expand(value, home, "")
		}
		out = append(out, "--"+name+"="+value)
	}
	if flags.Changed("config") {
		add("config", flags.Lookup("config").Value.String(), true)
	}
	if flags.Changed(NoDefaults) && flags.Lookup(NoDefaults).Value.String() == "true" {
		out = append(out, "--"+NoDefaults)
	}
	for _, s := range settings() {
		if f := flags.Lookup(s.flag); f == nil || !f.Changed || slices.Contains(but, s.flag) {
			continue
		}
		if values, err := flags.GetStringArray(s.flag); err == nil {
			for _, v := range values {
				add(s.flag, v, s.kind == dirs)
			}
			continue
		}
		add(s.flag, flags.Lookup(s.flag).Value.String(), s.kind == dir)
	}
	return out
}
