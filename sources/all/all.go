// Package all names every source there is, one line each.
package all

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/vscode"
)

// Config holds the configuration of each source.
type Config struct {
	CopilotCLI copilotcli.Config
	VSCode     vscode.Config
	Homes      map[string]Homes // of the kinds of homes, by their names
}

// Sources returns all sources, in the order in which they are shown.
func Sources(c Config) []sources.Source {
	list := []sources.Source{
		copilotcli.New(c.CopilotCLI),
		vscode.New(c.VSCode),
	}
	for _, k := range Kinds() {
		list = append(list, k.open(c.Homes[k.Name]))
	}
	return list
}
