package chat

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// detail describes a call in one line: what was run, which files, what was looked
// for, else the message shown for it. Messages are in the language of the editor
// and decide nothing.
func (c *invocation) detail() string {
	text := ""
	switch c.data.Kind {
	case "terminal":
		text = commandLine(&c.data)
	case "subagent":
		text = oneLine(c.data.Description)
		if agent := oneLine(c.data.AgentName); agent != "" {
			text = strings.TrimSpace(text + " (" + agent + ")")
		}
	}
	if text == "" {
		text = c.subject()
	}
	for _, n := range []*chatlog.Markdown{c.part.GeneratedTitle, c.part.OriginMessage} {
		if text == "" {
			text = plain(n)
		}
	}
	return clip(sources.Tilde(oneLine(text)), detailSize)
}

// subject is what a call of its kind was about.
func (c *invocation) subject() string {
	text := ""
	switch c.kind {
	case sources.ToolRead, sources.ToolEdit, sources.ToolCreate, sources.ToolList:
		var paths []string
		for _, t := range c.files() {
			paths = append(paths, t.path)
		}
		text = strings.Join(paths, ", ")
	case sources.ToolSearch:
		text = cmp.Or(c.args.Query, c.args.Pattern, c.args.IncludePattern, c.args.SymbolName, c.args.Symbol, c.quoted())
	case sources.ToolRun:
		text = c.args.Command
	case sources.ToolWeb:
		text = cmp.Or(c.args.URL, strings.Join(c.args.URLs, " "), c.args.Query)
	case sources.ToolTask:
		text = c.args.Description
	}
	return cmp.Or(text, c.message())
}

// files are those the call was done with.
func (c *invocation) files() []touch {
	if files := argFiles(&c.args); len(files) > 0 {
		return files
	}
	return messageFiles(c.part)
}

// message is what was shown for the call, once it was over if it is.
func (c *invocation) message() string {
	return cmp.Or(plain(c.part.PastTenseMessage), plain(c.part.InvocationMessage))
}

// quoted is the first code span of the message: the same in all languages.
func (c *invocation) quoted() string {
	for _, n := range []*chatlog.Markdown{c.part.PastTenseMessage, c.part.InvocationMessage} {
		if m := span.FindStringSubmatch(markdown(n)); m != nil {
			return m[1]
		}
	}
	return ""
}

var span = regexp.MustCompile("`([^`\n]+)`")

// commandLine is the command of a terminal in the form VS Code shows, see
// formats/vscode-copilot-chat.md, section 2.6; older ones have it as one text.
func commandLine(terminal *chatlog.ToolData) string {
	line := terminal.CommandLine
	return cmp.Or(terminal.Overrides.CommandLine, line.ForDisplay, line.UserEdited, line.ToolEdited, line.Original, terminal.Command.Text)
}
