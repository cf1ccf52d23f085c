package setup

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
)

// A command to be copied holds the path as a shell takes it, and nothing in it
// speaks to the terminal.
func TestCommandsForVaults(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ada/Vault":          "~/Vault",
		"/home/ada/My Vault":       "~/'My Vault'",
		"/mnt/it's":                `'/mnt/it'\''s'`,
		"/mnt/\x1b[2J\u202e\nhint": `"/mnt/\x1b[2J\u202e\nhint"`,
	} {
		if got := Several([]obsidian.Vault{{Path: path}}, "/home/ada"); !strings.HasSuffix(got, "--vault "+want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
