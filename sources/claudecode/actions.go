package claudecode

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// action is something that the user did beside their prompts.
type action struct {
	sources.Action
	turn *turn
}

func (p *parser) act(kind, text string, r *record, owner *turn) {
	p.actions = append(p.actions, action{sources.Action{Kind: kind, Text: strings.TrimSpace(text), At: r.Timestamp.Time}, owner})
}

// slash takes in a slash command between tags: one of the program's own is an action, a
// command of the project or a skill is a prompt.
func (p *parser) slash(r *record, text string, owner *turn) *turn {
	line := commandLine(within(text, "command-name"), within(text, "command-args"))
	if line == "" {
		return owner
	}
	p.unqueue(line)
	p.command = line
	if isLocal(line) {
		p.act(actionKind(line), line, r, owner)
		return owner
	}
	t := p.open(r, line, owner)
	t.command, t.typed = true, r.PromptSource != "queued"
	t.proven = r.Origin.Kind == "human"
	p.human = true
	p.follow(t)
	return t
}

// localCommand takes in a command that only the program answered. Versions from about 2.1.2xx
// tell of it by the command between tags, by commandRun at its output, or by both.
func (p *parser) localCommand(r *record, owner *turn) {
	text := r.Content.String()
	if kindOf(text) == kindCommand {
		line := commandLine(within(text, "command-name"), within(text, "command-args"))
		if line != "" {
			p.act(actionKind(line), line, r, owner)
			p.command = line
		}
		return
	}
	if run := r.CommandRun; run != nil && run.Command != "" {
		line := commandLine(run.Command, run.Args)
		if line != p.command {
			p.act(actionKind(line), line, r, owner)
		}
		p.command = ""
	}
}

// commandLine is a slash command as it was typed.
func commandLine(name, args string) string {
	name = strings.TrimPrefix(strings.TrimSpace(name), "/")
	if name == "" {
		return ""
	}
	return strings.TrimSpace("/" + name + " " + strings.TrimSpace(args))
}

func actionKind(line string) string {
	switch name, _, _ := strings.Cut(line, " "); name {
	case "/goal":
		return sources.ActionGoal
	case "/review", "/security-review":
		return sources.ActionReview
	}
	return sources.ActionCommand
}

// local are the commands that the program itself answers.
var local = setOf(`add-dir agents allowed-tools background bashes branch btw bug checkpoint clear color compact config
	context continue copy cost cwd cd desktop diff doctor effort exit export extra-usage fast feedback fork goal help
	hooks ide install-github-app install-slack-app keybindings login logout mcp memory mobile model new output-style
	permissions plugin plugins privacy-settings quit release-notes reload-plugins remote-control remote-env rename
	reset resume rewind sandbox settings skills stats status statusline stickers tag tasks teleport terminal-setup theme
	todos undo upgrade usage vim voice`)

// isLocal tells whether the program itself answers a command.
func isLocal(line string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	return local[name]
}
