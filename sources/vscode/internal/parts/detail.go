package parts

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// detail describes a call in one line: what was run, which files, what was looked
// for, else the message shown for it. Messages are in the language of the editor
// and decide nothing.
func (c *invocation) detail() string {
	text := ""
	switch c.data.Get("kind").Text() {
	case "terminal":
		text = commandLine(c.data)
	case "subagent":
		text = oneLine(c.data.Get("description").Text())
		if agent := oneLine(c.data.Get("agentName").Text()); agent != "" {
			text = strings.TrimSpace(text + " (" + agent + ")")
		}
	}
	if text == "" {
		text = c.subject()
	}
	for _, n := range []*tree.Node{c.part.Get("generatedTitle"), c.part.Get("originMessage")} {
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
		text = cmp.Or(argument(c.args, "query", "pattern", "includePattern", "symbolName", "symbol"), c.quoted())
	case sources.ToolRun:
		text = argument(c.args, "command")
	case sources.ToolWeb:
		var urls []string
		for _, n := range c.args.Get("urls").Items() {
			urls = append(urls, n.Text())
		}
		text = cmp.Or(argument(c.args, "url"), strings.Join(urls, " "), argument(c.args, "query"))
	case sources.ToolTask:
		text = argument(c.args, "description")
	}
	return cmp.Or(text, c.message())
}

// files are those the call was done with.
func (c *invocation) files() []touch {
	if files := argFiles(c.args); len(files) > 0 {
		return files
	}
	return messageFiles(c.part)
}

// message is what was shown for the call, once it was over if it is.
func (c *invocation) message() string {
	return cmp.Or(plain(c.part.Get("pastTenseMessage")), plain(c.part.Get("invocationMessage")))
}

// quoted is the first code span of the message: the same in all languages.
func (c *invocation) quoted() string {
	for _, name := range []string{"pastTenseMessage", "invocationMessage"} {
		if m := span.FindStringSubmatch(markdown(c.part.Get(name))); m != nil {
			return m[1]
		}
	}
	return ""
}

var span = regexp.MustCompile("`([^`\n]+)`")

// commandLine is the command of a terminal in the form VS Code shows, see
// formats/vscode-copilot-chat.md, section 2.6; older ones have it as one text.
func commandLine(terminal *tree.Node) string {
	line := terminal.Get("commandLine")
	return cmp.Or(terminal.Get("presentationOverrides").Get("commandLine").Text(), line.Get("forDisplay").Text(),
		line.Get("userEdited").Text(), line.Get("toolEdited").Text(), line.Get("original").Text(), line.Text(),
		terminal.Get("command").Text())
}
