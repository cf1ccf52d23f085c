package present

import (
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// Setting is one as it holds now.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"` // as YAML
	From  string `json:"from"`  // default, a flag, a variable of the environment, or a file
	// Changed says that it is not the default.
	Changed bool `json:"changed"`
}

// Settings is what `config list --json` prints (schema 1).
type Settings struct {
	Schema   int       `json:"schema"`
	Settings []Setting `json:"settings"`
}

// SettingLines put settings into a line each.
func SettingLines(all []Setting, home string) []string {
	t := table{width: 1 << 20}
	for _, v := range all {
		t.add(v.Key, v.Value, homepath.Tilde(v.From, home))
	}
	return t.lines()
}
