package chat

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// turnOf is what one request comes to, with its answer.
func turnOf(r *chatlog.Request, a answer) sources.Turn {
	t := sources.Turn{ID: r.RequestID, At: chatlog.When(r.Timestamp), User: CleanPrompt(promptOf(r.Message)),
		Assistant: a.Text, Tools: a.Tools, Model: modelOf(r, a.Model), Mode: modeOf(r.ModeInfo),
		Agent: agentOf(r.Agent), Tokens: tokensOf(r), Citations: citationsOf(r.CodeCitations)}
	t.End = endOf(r, t.At)
	t.Status, t.Error = statusOf(r, t.Assistant != "" || len(t.Tools) > 0)
	return t
}

// promptOf is what was sent, verbatim: VS Code keeps it as one text, and formerly
// as a plain string. Parts are joined only where that is missing.
func promptOf(message *chatlog.Message) string {
	switch {
	case message == nil:
		return ""
	case message.Text != "":
		return message.Text
	}
	var b strings.Builder
	for _, part := range message.Parts {
		b.WriteString(promptPart(part))
	}
	return b.String()
}

// promptPart spells a part of a prompt as it was typed.
func promptPart(part chatlog.PromptPart) string {
	sigil, name := "", ""
	switch part.Kind {
	case "agent":
		sigil, name = "@", part.Agent.Name
	case "subcommand":
		sigil, name = "/", part.Command.Name
	case "slash":
		sigil, name = "/", part.SlashCommand.Command
	case "prompt":
		sigil, name = "/", part.Name
	case "tool", "toolset":
		sigil, name = "#", cmp.Or(part.ToolName, part.Name)
	case "var":
		sigil, name = "#", part.VariableName
	}
	if part.Text != "" || name == "" {
		return part.Text
	}
	return sigil + name
}

// ofButton matches the prompts VS Code makes of a button where nothing says which
// one was clicked.
var ofButton = pattern.Lazy(`^(@\S+ )?(Continue|Pause): "Continue to iterate\?"$|^@\S+ Try Again$`)

// NobodyTyped tells whether a prompt is one that VS Code makes of a button.
func NobodyTyped(prompt string) bool { return ofButton().MatchString(strings.TrimSpace(prompt)) }

// leadOf tells whether a request is a prompt of the person's own. The answer to
// one that is not belongs to the turn before; lead then says what set it off.
func leadOf(r *chatlog.Request) (lead string, own bool) {
	text := strings.TrimSpace(promptOf(r.Message))
	button := strings.TrimSpace(r.Confirmation)
	switch {
	case r.IsSystemInitiated:
		return cmp.Or(r.SystemInitiatedLabel, button), false
	case r.RequestHiddenFromTranscript:
		return "", false
	case button != "" && (strings.HasPrefix(text, "@") || strings.HasPrefix(text, button)):
		return button, false
	case NobodyTyped(text):
		return "", false
	}
	return "", true
}

// joinTurn appends the answer to a prompt nobody typed to the last turn, which
// endTurn completes. How it ended is how the turn ended.
func (c *converter) joinTurn(t *sources.Turn, p sources.Turn, lead string) {
	if c.joining == nil {
		c.joining = &strings.Builder{}
		c.joining.WriteString(t.Assistant)
	}
	shift, calls := c.joining.Len(), len(t.Tools)
	if lead = words.OneLine(lead, 100); lead != "" && (p.Assistant != "" || len(p.Tools) > 0) {
		lead = "*" + labelEscaper.Replace(lead) + "*"
		if p.Assistant != "" {
			lead += "\n\n"
		}
	} else {
		lead = ""
	}
	if lead+p.Assistant != "" && shift > 0 {
		lead = "\n\n" + lead
	}
	c.joining.WriteString(lead + p.Assistant)
	for _, tool := range p.Tools {
		tool.After += shift + len(lead)
		if tool.Within > 0 {
			tool.Within += calls
		}
		t.Tools = append(t.Tools, tool)
	}
	t.Attachments = append(t.Attachments, p.Attachments...)
	t.Citations = append(t.Citations, p.Citations...)
	t.Status, t.Error = p.Status, p.Error
	if p.End.After(t.End) {
		t.End = p.End
	}
	t.Model, t.Mode = cmp.Or(p.Model, t.Model), cmp.Or(t.Mode, p.Mode)
	if p.Tokens != nil {
		sum := *p.Tokens
		if t.Tokens != nil {
			sum.In, sum.Out = sum.In+t.Tokens.In, sum.Out+t.Tokens.Out
		}
		t.Tokens = &sum
	}
}

// endTurn completes the last turn with the answers that joined it.
func (c *converter) endTurn() {
	if c.joining != nil {
		c.session.Turns[len(c.session.Turns)-1].Assistant = c.joining.String()
		c.joining = nil
	}
}

// labelEscaper keeps a label from being read as markup.
var labelEscaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", `\<`)

// injected names the blocks VS Code puts around what a person typed, wrapper what it
// puts that in.
var injected = []string{
	"environment_info", "workspace_info", "context", "editorContext", "repoContext", "reminderInstructions",
}

const (
	wrapper = "userRequest"
	space   = " \t\r\n"
)

// CleanPrompt takes off the blocks of context before and behind what a person typed
// and the wrapper around it. What stands between, tags of the same names
// included, is theirs and stays as it is. A prompt that is nothing but such
// blocks was typed so and stays too.
func CleanPrompt(text string) string {
	rest := words.WithoutBlocks(text, injected)
	if typed, before, after, ok := words.CutBlock(rest, wrapper, strings.LastIndex); ok { // a person may name it
		before, typed, after = strings.Trim(before, space), strings.Trim(typed, space), strings.Trim(after, space)
		return strings.Trim(before+"\n\n"+typed+"\n\n"+after, space)
	}
	if strings.TrimSpace(rest) == "" {
		return text
	}
	return rest
}
