package opencode

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// prompt is a message of the user while it is read.
type prompt struct {
	texts       []string
	attachments []sources.Attachment
	isOurs      bool // opencode asks for a summary
	isShell     bool // the user ran a command themselves
}

func (q *prompt) add(text string) {
	if text != "" {
		q.texts = append(q.texts, text)
	}
}

// attach takes in a file that was added to the prompt.
func (q *prompt) attach(x *part) {
	kind := sources.File
	switch {
	case strings.HasPrefix(x.Mime, "image/"):
		kind = "image"
	case x.Mime == "application/x-directory":
		kind = "directory"
	}
	name := cmp.Or(x.Source.Path, x.Filename, x.Name, tools.PlainPath(string(cmp.Or(x.URL, x.URI))))
	q.attachments = append(q.attachments, sources.Attachment{Kind: kind, Name: words.OneLine(name, 200)})
}

// shellMark is what opencode writes in place of a prompt where the user ran a command.
const shellMark = "The following tool was executed by the user"

// subtask is what a command of the user asks a sub-agent to do.
func (x *part) subtask() string {
	if x.Command != "" {
		return strings.TrimSpace("/" + x.Command + "\n\n" + x.Prompt)
	}
	return x.Prompt
}

// unquoted returns a prompt of `opencode run`, which puts quotes around each argument with a blank in
// it.
func unquoted(prompt string) string {
	inner, begins := strings.CutPrefix(prompt, `"`)
	inner, ends := strings.CutSuffix(inner, `"`)
	plain := strings.ReplaceAll(inner, `\"`, "\x00")
	if !begins || !ends || !strings.Contains(inner, " ") || strings.Contains(plain, `"`) {
		return prompt
	}
	return strings.ReplaceAll(plain, "\x00", `"`)
}
