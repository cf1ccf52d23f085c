// Package all lists all sources.
package all

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/cursor"
	"github.com/sessionloom/sessionloom/sources/geminicli"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/opencode"
	"github.com/sessionloom/sessionloom/sources/vscode"
)

// Config holds the configuration of each source.
type Config struct {
	CopilotCLI copilotcli.Config
	VSCode     vscode.Config
	Homes      map[string]Homes // homes of agents that have one (package agents), by name
	Cursor     cursor.Users     // besides its homes
}

// Homes says where to look for the history of an agent with a home.
type Homes = homes.Config

// Sources returns all sources, in the order in which they are shown.
func Sources(c Config) []sources.Source {
	return []sources.Source{
		copilotcli.New(c.CopilotCLI),
		vscode.New(c.VSCode),
		claudecode.New(c.Homes["claude-code"]),
		codexcli.New(c.Homes["codex-cli"]),
		opencode.New(c.Homes["opencode"]),
		geminicli.New(c.Homes["gemini-cli"]),
		cursor.New(cursor.Config{Config: c.Homes["cursor"], Users: c.Cursor}),
	}
}
