package texts

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// SlashOf is the slash command that stands between tags, as it was typed.
func SlashOf(text string) string {
	return SlashLine(Within(text, "command-name"), Within(text, "command-args"))
}

// SlashLine is a slash command as it was typed.
func SlashLine(name, args string) string {
	name = strings.TrimPrefix(strings.TrimSpace(name), "/")
	if name == "" {
		return ""
	}
	return strings.TrimSpace("/" + name + " " + strings.TrimSpace(args))
}

// ActionKind is the kind of action that a slash command is.
func ActionKind(line string) string {
	switch name, _, _ := strings.Cut(line, " "); name {
	case "/goal":
		return sources.ActionGoal
	case "/review", "/security-review":
		return sources.ActionReview
	}
	return sources.ActionCommand
}

// local are the commands that the program itself answers.
var local = strings.Fields(`add-dir agents allowed-tools background bashes branch btw bug checkpoint clear color compact config
	context continue copy cost cwd cd desktop diff doctor effort exit export extra-usage fast feedback fork goal help
	hooks ide install-github-app install-slack-app keybindings login logout mcp memory mobile model new output-style
	permissions plugin plugins privacy-settings quit release-notes reload-plugins remote-control remote-env rename
	reset resume rewind sandbox settings skills stats status statusline stickers tag tasks teleport terminal-setup theme
	todos undo upgrade usage vim voice`)

// IsLocal tells whether the program itself answers a command.
func IsLocal(line string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	return slices.Contains(local, name)
}
