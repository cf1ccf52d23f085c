package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// Given is what the flags say, as YAML by key.
func Given(flags *pflag.FlagSet, home string) map[string]string {
	out := map[string]string{}
	for _, s := range settings() {
		if s.flag == "" || !flags.Changed(s.flag) {
			continue
		}
		// Only a flag that was never declared fails.
		switch s.kind {
		case list, dirs:
			values, _ := flags.GetStringArray(s.flag)
			for i, v := range values {
				values[i] = quotedYAML(s.kind, v, home)
			}
			out[s.key] = "[" + strings.Join(values, ", ") + "]"
		case number:
			n, _ := flags.GetInt(s.flag)
			out[s.key] = strconv.Itoa(n)
		default:
			value, _ := flags.GetString(s.flag)
			out[s.key] = quotedYAML(s.kind, value, home)
		}
	}
	return out
}

// quotedYAML writes a value as YAML that means the same on the next run, wherever
// that is started.
func quotedYAML(k kind, value, home string) string {
	if k == dir || k == dirs {
		value = homepath.Tilde(homepath.Expand(value, home, ""), home)
	}
	return strconv.Quote(value)
}

const exampleHead = `# Configuration of sessionloom.
#
# Read from $XDG_CONFIG_HOME/sessionloom/config.yaml (~/.config/… where that is
# not set) or the file given with --config. A flag or an environment variable
# is stronger: sources.copilot_cli.homes is SESSIONLOOM_SOURCES_COPILOT_CLI_HOMES.
# Every key stands here with its default, commented out.
`

// Example renders the configuration file with every key. Keys in given stand
// uncommented with that value, all others as comments with their default; remarks
// are further lines about a key.
func Example(given map[string]string, remarks map[string][]string) string {
	var b strings.Builder
	b.WriteString(exampleHead)
	var open []string // sections that stand open
	for _, s := range settings() {
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
			if i == len(sections)-1 { // the first line of the first key speaks of its section
				fmt.Fprintf(&b, "%s# %s\n", indent(i), doc[0])
				doc = doc[1:]
			}
			fmt.Fprintf(&b, "%s%s:\n", indent(i), name)
		}
		if len(sections) == 0 {
			b.WriteByte('\n')
		}
		open = sections
		for _, line := range append(doc, remarks[s.key]...) {
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

// shown is the default of a setting as YAML.
func shown(s setting) string {
	switch {
	case s.show != "":
		return s.show
	case s.kind == list || s.kind == dirs || s.kind == patterns:
		return "[]"
	}
	return fmt.Sprint(s.def)
}
