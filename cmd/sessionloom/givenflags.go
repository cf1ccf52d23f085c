package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// givenFlag is a flag as a later call is to have it; without a value it stands alone.
type givenFlag struct {
	name  string
	value *string
}

// repeated lists the flags of settings that were given, paths made absolute, but
// for those the caller repeats himself.
func (a *app) repeated(flags *pflag.FlagSet, but ...string) []givenFlag {
	var out []givenFlag
	add := func(name, value string, isPath bool) {
		if isPath {
			value = expand(value, a.home, "")
		}
		out = append(out, givenFlag{name, &value})
	}
	if flags.Changed("config") {
		add("config", a.configFlag, true)
	}
	if a.noDefaults {
		out = append(out, givenFlag{name: "no-defaults"})
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
