package discover

import (
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Roots that were named replace the usual ones of their kind alone, and exports
// replace none.
func TestNamedRootsReplaceTheUsualOnes(t *testing.T) {
	for _, test := range []struct {
		m           Machine
		homes, user []string
		exports     []string
		cli, vscode bool // the usual places are read
	}{
		{cli: true, vscode: true},
		{homes: []string{"/c"}, vscode: true},
		{user: []string{"/u"}, cli: true},
		{exports: []string{"/e"}, cli: true, vscode: true},
		{m: Machine{NoDefaults: true}},
		{m: Machine{NoDefaults: true}, user: []string{"/u"}},
	} {
		var c config.Config
		c.CopilotCLI.Homes, c.VSCode.UserDirs, c.VSCode.Exports = test.homes, test.user, test.exports
		if r := test.m.roots(c); r.CopilotCLI.Defaults != test.cli || r.VSCode.Defaults != test.vscode {
			t.Errorf("%+v: usual places of the CLI %t, of VS Code %t", test, r.CopilotCLI.Defaults, r.VSCode.Defaults)
		}
	}
}

var must = expect.OK
