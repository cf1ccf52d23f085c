package main

import (
	"fmt"
	"strings"
)

const exampleHead = `# Configuration of sessionloom.
#
# Read from $XDG_CONFIG_HOME/sessionloom/config.yaml (~/.config/… where that is
# not set) or the file given with --config. A flag or an environment variable
# is stronger: sources.copilot_cli.homes is SESSIONLOOM_SOURCES_COPILOT_CLI_HOMES.
# Every key stands here with its default, commented out.
`

// example renders the configuration file with every key. Keys in given stand
// uncommented with that value, all others as comments with their default; remarks
// are further lines about a key.
func example(given map[string]string, remarks map[string][]string) string {
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
