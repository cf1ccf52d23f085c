package mcpserver

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// clients are the commands by which programs are told of the server; PROGRAM stands for ours.
// Source: the help of copilot 1.0.102, codex 0.169.0 and claude 2.1.197, and the manual of VS Code.
func clients() map[string]string {
	return map[string]string{
		"claude":  "claude mcp add --scope user sessionloom -- PROGRAM mcp",
		"codex":   "codex mcp add sessionloom -- PROGRAM mcp",
		"copilot": "copilot mcp add sessionloom -- PROGRAM mcp",
		"vscode":  `code --add-mcp '{"name":"sessionloom","command":"PROGRAM","args":["mcp"]}'`,
	}
}

func newAddCommand(h ask.Host) *cobra.Command {
	names := slices.Sorted(maps.Keys(clients()))
	return &cobra.Command{
		Use:   "add-command CLIENT",
		Short: "print the command that adds the server to an agent",
		Long: "Print the command that adds sessionloom mcp to a coding agent: " + strings.Join(names, ", ") + ".\n" +
			"It is the agent's own; run it yourself. sessionloom writes into no agent's files.",
		Example:   "  sessionloom mcp add-command claude",
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || clients()[args[0]] == "" {
				return exit.Usage("the clients are "+strings.Join(names, ", "), "one client is wanted")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			program, err := os.Executable()
			if err != nil {
				program = "sessionloom"
			}
			line := clients()[args[0]]
			if args[0] == "vscode" {
				program = strings.ReplaceAll(program, `\`, `\\`)
			} else {
				program = homepath.ShellWord(program)
			}
			h.Print.Say(strings.ReplaceAll(line, "PROGRAM", program))
			return nil
		},
	}
}
