package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// NoDefaults is the flag that excludes default places.
const NoDefaults = "no-defaults"

// Pick reports whether it includes the setting with a key.
type Pick func(key string) bool

// Flags are the flags of all settings, made once for all commands, as only one runs.
type Flags []settingFlag

type settingFlag struct {
	*pflag.Flag
	key, only string // key of its setting
}

const ofSetting = "setting"

// NewFlags returns them.
func NewFlags() (all Flags) {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, s := range settings(defaults()) {
		if s.flag != "" {
			all = append(all, settingFlag{set.VarPF(s.value(), s.flag, "", s.help), s.key, s.only})
		}
	}
	return all
}

// Add adds the flags of some settings to a command.
func (all Flags) Add(cmd *cobra.Command, of Pick) {
	for _, f := range all {
		if (f.only == "" || f.only == cmd.Name()) && of(f.key) {
			own := *f.Flag
			own.Annotations = map[string][]string{ofSetting: {f.key}}
			cmd.Flags().AddFlag(&own)
		}
	}
}

// HelpWith hides the flags of settings that mean nothing to a command. The command still accepts them.
func HelpWith(cmd *cobra.Command, meant Pick) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		for _, key := range f.Annotations[ofSetting] {
			f.Hidden = !meant(key)
		}
	})
	cmd.Flags().Lookup(NoDefaults).Hidden = !meant("sources.copilot_cli.homes") // it is about sources
}

// Keys returns a Pick of some settings.
func Keys(keys ...string) Pick {
	return func(key string) bool { return slices.Contains(keys, key) }
}

// AllBut returns a Pick of all settings but some.
func AllBut(keys ...string) Pick {
	return func(key string) bool { return !slices.Contains(keys, key) }
}

// Sources picks the settings of sources.
func Sources(key string) bool { return key == "source" || strings.HasPrefix(key, "sources.") }

// SourceFlags returns the flags that select sources.
func SourceFlags() (flags []string) {
	for _, s := range settings(&Config{}) {
		if s.flag != "" && strings.HasPrefix(s.key, "sources.") {
			flags = append(flags, s.flag)
		}
	}
	return flags
}

// Absent rejects a flag for a missing place of history.
func Absent(flags *pflag.FlagSet, home string) error {
	for _, s := range settings(defaults()) {
		if !s.path || !strings.HasPrefix(s.key, "sources.") {
			continue
		}
		for _, text := range s.absolute(textsOfFlag(flags.Lookup(s.flag)), home, "") {
			if _, err := os.Stat(text); errors.Is(err, fs.ErrNotExist) {
				return exit.Usage("", "--%s: there is no %q", s.flag, text)
			}
		}
	}
	return nil
}

// HasFlag reports whether a flag belongs to a setting.
func HasFlag(name string) bool {
	return slices.ContainsFunc(settings(&Config{}), func(s setting) bool { return s.flag == name })
}

func textsOfFlag(f *pflag.Flag) []string {
	if f == nil || !f.Changed {
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// Repeated returns the flags of settings as words of a later call, except some.
func Repeated(flags *pflag.FlagSet, home string, but ...string) []string {
	var out []string
	repeat := func(s setting) {
		for _, text := range s.absolute(textsOfFlag(flags.Lookup(s.flag)), home, "") {
			out = append(out, "--"+s.flag+"="+text)
		}
	}
	repeat(setting{flag: "config", path: true})
	repeat(setting{flag: NoDefaults})
	for _, s := range settings(&Config{}) {
		if !slices.Contains(but, s.flag) {
			repeat(s)
		}
	}
	return out
}

// Given returns the settings given by flags, as YAML by key, with absolute paths.
func Given(flags *pflag.FlagSet, home string) map[string]string {
	out := map[string]string{}
	for _, s := range settings(&Config{}) {
		var values []string
		for _, text := range s.absolute(textsOfFlag(flags.Lookup(s.flag)), home, "") {
			if s.path {
				text = homepath.Tilde(text, home)
			}
			values = append(values, strconv.Quote(text))
		}
		switch {
		case values != nil && s.many():
			out[s.key] = "[" + strings.Join(values, ", ") + "]"
		case values != nil:
			out[s.key] = values[0]
		}
	}
	return out
}

const exampleHead = `# Configuration of sessionloom.
#
# Read from $XDG_CONFIG_HOME/sessionloom/config.yaml (~/.config/… where that is
# not set) or the file given with --config. Flags and environment variables take
# precedence: SESSIONLOOM_SOURCES_COPILOT_CLI_HOMES sets sources.copilot_cli.homes.
# Every key is listed with its default, commented out.
`

// Example returns the configuration file with every key; those not in given are commented out.
func Example(given map[string]string) string {
	var b strings.Builder
	b.WriteString(exampleHead)
	var open []string // open sections
	for _, s := range settings(defaults()) {
		path := strings.Split(s.key, ".")
		sections, leaf := path[:len(path)-1], path[len(path)-1]
		doc := strings.Split(s.doc, "\n")
		for i, name := range sections {
			if i < len(open) && open[i] == name {
				continue
			}
			if i == 0 {
				b.WriteByte('\n')
			}
			if i == len(sections)-1 { // the first line of the first key describes its section
				fmt.Fprintf(&b, "%s# %s\n", indent(i), doc[0])
				doc = doc[1:]
			}
			fmt.Fprintf(&b, "%s%s:\n", indent(i), name)
		}
		if len(sections) == 0 {
			b.WriteByte('\n')
		}
		open = sections
		for _, line := range doc {
			b.WriteString(strings.TrimRight(indent(len(sections))+"# "+line, " ") + "\n")
		}
		value, mark := shown(s), "#"
		if v, ok := given[s.key]; ok {
			value, mark = v, ""
		}
		fmt.Fprintf(&b, "%s%s%s: %s\n", indent(len(sections)), mark, leaf, value)
	}
	return b.String()
}

func indent(level int) string { return strings.Repeat("  ", level) }

func shown(s setting) string {
	if d, ok := s.to.(*time.Duration); ok {
		return PlainSpan(*d)
	}
	return cmp.Or(s.show, s.value().String())
}
