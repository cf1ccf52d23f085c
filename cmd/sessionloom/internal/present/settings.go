package present

import (
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// Settings is what `config list --json` prints (schema 1).
type Settings struct {
	Schema   int              `json:"schema"`
	Settings []config.InForce `json:"settings"`
}

// SettingLines put settings into a line each.
func SettingLines(all []config.InForce, home string) []string {
	t := table{width: 1 << 20}
	for _, v := range all {
		t.add(v.Key, v.Value, homepath.Tilde(v.From, home))
	}
	return t.lines()
}
