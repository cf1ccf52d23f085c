// Package all names every source there is, one line each.
package all

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
)

// Config holds the configuration of each source.
type Config struct {
	CopilotCLI copilotcli.Config
}

// Sources returns all sources, in the order in which they are shown.
func Sources(c Config) []sources.Source {
	return []sources.Source{
		copilotcli.New(c.CopilotCLI),
	}
}
