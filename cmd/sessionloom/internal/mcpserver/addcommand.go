package mcpserver

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
)

// clients returns the commands that register the server with a program, to be followed by the server's
// command. Source: the help of copilot 1.0.102, codex 0.169.0 and claude 2.1.197.
func clients() map[string]string {
	return map[string]string{
		"claude":  "claude mcp add --scope user sessionloom --",
		"codex":   "codex mcp add sessionloom --",
		"copilot": "copilot mcp add sessionloom --",
	}
}

// vscode is a client that reads JSON. Source: the manual of VS Code, "Add an MCP server".
const vscode = "vscode"

func newAddCommand(h ask.Host) *cobra.Command {
	names := slices.Sorted(maps.Keys(clients()))
	names = append(names, vscode)
	cmd := &cobra.Command{
		Use:   "add-command CLIENT",
		Short: "print the command that adds the server to an agent",
		Long: "Print the command that adds sessionloom mcp to a coding agent: " + strings.Join(names, ", ") + ".\n" +
			"It is the agent's own; run it yourself. Settings given as flags are repeated in it.\n" +
			"sessionloom writes into no agent's files.",
		Example:   "  sessionloom mcp add-command claude\n  sessionloom mcp add-command codex --project widget --refresh",
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(names, args[0]) {
				return exit.Usage("the clients are "+strings.Join(names, ", "), "one client is wanted")
			}
			return nil
		},
	}
	h.Settings(cmd)
	config.HelpWith(cmd, config.Keys(seenBy()...))
	refresh := addRefresh(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		program, err := system.OwnPath()
		if err != nil {
			return err
		}
		words := append([]string{program, "mcp"}, config.Repeated(cmd.Flags(), h.Home)...)
		if *refresh {
			words = append(words, "--refresh")
		}
		line, err := lineFor(args[0], words)
		if err != nil {
			return err
		}
		h.Print.Say(line)
		if args[0] == "claude" { // Source: its manual, "CLI reference"
			h.Print.Advise("claude --allowedTools mcp__sessionloom asks no permission for its tools, which only read")
		}
		return nil
	}
	return cmd
}

func lineFor(client string, words []string) (string, error) {
	if client == vscode {
		text, err := json.Marshal(struct {
			Name    string   `json:"name"`
			Command string   `json:"command"`
			Args    []string `json:"args"`
		}{"sessionloom", words[0], words[1:]})
		return "code --add-mcp " + homepath.ShellQuote(string(text)), err
	}
	line := clients()[client]
	for _, w := range words {
		line += " " + homepath.ShellWord(w)
	}
	return line, nil
}
