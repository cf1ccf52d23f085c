package words

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/sources/pattern"
)

var (
	// yamlKey is a key at the start of a line.
	yamlKey = pattern.Lazy(`^([A-Za-z_][A-Za-z0-9_]*):(?:\s+(.*))?$`)
	// yamlStructure is a list, a map, the beginning of a text of several lines, or a name for one.
	yamlStructure = pattern.Lazy(`^((&\S+ )?[\[{].*[\]}]|[|>][-+]?|\*\S+)$`)
	// yamlNothing is a file that holds no key: marks and comments.
	yamlNothing = pattern.Lazy(`^(?:\s|---|\.\.\.|\{\}|null|~|#.*)*$`)
)

// FlatYAML reads a file of flat keys and one-line values, line by line: programs write them without
// quotes even where YAML would want them, so that a path, a colon or a number sign in a value stays as it
// was written. damaged says that it holds something else, which is left out.
func FlatYAML(text string) (keys map[string]string, damaged bool) {
	keys = map[string]string{}
	for line := range strings.Lines(text) {
		m := yamlKey().FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
		if m == nil {
			continue
		}
		value := strings.TrimSpace(m[2])
		switch {
		case yamlStructure().MatchString(value):
			damaged = true
			continue
		case strings.HasPrefix(value, "'") || strings.HasPrefix(value, `"`):
			var quoted string
			if yaml.Unmarshal([]byte(value), &quoted) == nil {
				value = quoted
			}
		case value == "null" || value == "~":
			value = ""
		}
		keys[m[1]] = value
	}
	return keys, damaged || len(keys) == 0 && !yamlNothing().MatchString(text)
}
