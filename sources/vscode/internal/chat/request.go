package chat

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// promptOf is what was sent, verbatim.
func promptOf(r *chatlog.Request) string { return cmp.Or(r.Message, &chatlog.Message{}).Text }

// ofButton matches the prompts VS Code makes of a button where nothing says which one was clicked.
var ofButton = pattern.Lazy(`^(@\S+ )?(Continue|Pause): "Continue to iterate\?"$|^@\S+ Try Again$`)

// NobodyTyped tells whether a prompt is one that VS Code makes of a button.
func NobodyTyped(prompt string) bool { return ofButton().MatchString(strings.TrimSpace(prompt)) }

// leadOf tells whether a request is a prompt of the person's own. The answer to one that is not
// belongs to the turn before; lead then says what set it off, button which one was clicked.
func leadOf(r *chatlog.Request) (lead, button string, own bool) {
	text := strings.TrimSpace(promptOf(r))
	button = strings.TrimSpace(r.Confirmation)
	switch {
	case r.IsSystemInitiated:
		return cmp.Or(r.SystemInitiatedLabel, button), "", false
	case r.RequestHiddenFromTranscript:
		return "", "", false
	case button != "" && (strings.HasPrefix(text, "@") || strings.HasPrefix(text, button)):
		return button, button, false
	}
	return "", "", !NobodyTyped(text)
}

// labelEscaper keeps a label from being read as markup.
var labelEscaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", `\<`)

// injected names the blocks VS Code puts around what a person typed.
var injected = []string{"environment_info", "workspace_info", "context", "editorContext", "repoContext", "reminderInstructions"}

// CleanPrompt takes off the blocks of context before and behind what a person typed and the wrapper
// around it. What stands between, tags of the same names included, is theirs and stays as it is. A
// prompt that is nothing but such blocks was typed so and stays too.
func CleanPrompt(text string) string {
	const wrapper, space = "userRequest", " \t\r\n"
	rest := words.WithoutBlocks(text, injected)
	if typed, before, after, ok := words.CutBlock(rest, wrapper, strings.LastIndex); ok { // a person may name it
		return strings.Trim(strings.Trim(before, space)+"\n\n"+strings.Trim(typed, space)+"\n\n"+strings.Trim(after, space), space)
	}
	if strings.TrimSpace(rest) == "" {
		return text
	}
	return rest
}

// labels are what kinds of variables are called in a note; empty: nobody added them by hand.
var labels = map[string]string{
	"file": "file", "implicit": "file", "directory": "directory", "symbol": "symbol", "paste": "paste",
	"image": "image", "element": "element", "command": "command", "terminalCommand": "terminal",
	"diagnostic": "problem", "promptFile": "prompt file", "notebookOutput": "notebook output", "debugVariable": "variable",
	"scmHistoryItem": "commit", "scmHistoryItemChange": "commit", "scmHistoryItemChangeRange": "commit",
	"generic": "context", "string": "context", "": "context",
	"promptText": "", "workspace": "", "tool": "", "toolset": "",
}

// attachments returns what the person added to a prompt, and the files among it. One of an unknown
// kind goes by its name. Values are never shown: they hold whole files, bytes and prompts.
func (c *converter) attachments(variables []*chatlog.Variable) (list []sources.Attachment, files []string) {
	for _, v := range variables {
		if v == nil {
			continue
		}
		kind := v.Kind
		label, known := labels[kind]
		if label == "" && known || kind == "promptFile" && v.AutomaticallyAdded || kind == "implicit" && !v.Enabled {
			continue
		}
		value := cmp.Or(v.Value, &chatlog.Value{})
		a := sources.Attachment{Kind: label, Name: nameOf(kind, v, &value.Place)}
		switch {
		case !known:
			a.Kind = words.OneLine(kind, 60)
			a.Name = cmp.Or(a.Name, a.Kind)
			c.unknown["attachment "+a.Kind]++
		case label == "file":
			files = append(files, value.URI().File())
			if v.IsSelection || kind == "file" && value.Range.Start > 0 {
				a.Kind = "selection"
			}
		case kind == "image":
			a.Content = value.Bytes
		}
		if a.Name != "" {
			list = append(list, a)
		}
	}
	return list, files
}

// nameOf is a readable name: the path of what is a file, with lines.
func nameOf(kind string, v *chatlog.Variable, at *chatlog.Place) string {
	name, place, from := cmp.Or(v.FullName, v.Name), placeName(at.URI(), at.Range), ""
	switch kind {
	case "image":
	case "symbol":
		from = place
	case "paste":
		from = placeName(v.CopiedFrom.URI(), cmp.Or(v.CopiedFrom, at).Range)
	case "terminalCommand":
		if name = cmp.Or(v.Command, name); v.ExitCode != 0 {
			from = fmt.Sprintf("exit code %d", v.ExitCode)
		}
	case "diagnostic":
		name, from = cmp.Or(v.ProblemMessage, name), placeName(v.FilterURI, v.FilterRange)
	default:
		name = cmp.Or(place, name)
	}
	if from != "" {
		name = strings.TrimSpace(words.OneLine(name, maxName/2) + " (" + from + ")")
	}
	return words.OneLine(name, maxName)
}

// placeName is the path of a place with its lines, empty where there is none.
func placeName(u editor.URI, at chatlog.Range) string {
	if !u.IsSet() {
		return ""
	}
	return cmp.Or(u.File(), u.String()) + lines(at)
}
