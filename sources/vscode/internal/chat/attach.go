package chat

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// labels are what kinds of variables are called in a note.
var labels = map[string]string{
	"file": "file", "implicit": "file", "directory": "directory", "symbol": "symbol", "paste": "paste",
	"image": "image", "element": "element", "command": "command", "terminalCommand": "terminal",
	"diagnostic": "problem", "promptFile": "prompt file", "notebookOutput": "notebook output", "debugVariable": "variable",
	"scmHistoryItem": "commit", "scmHistoryItemChange": "commit", "scmHistoryItemChangeRange": "commit",
	"generic": "context", "string": "context", "": "context",
}

// attachments lists what the person added to a prompt, and the files among it.
// Values are never shown: they hold whole files, bytes and prompts.
func (c *converter) attachments(variables []*chatlog.Variable) (list []sources.Attachment, files []string) {
	for _, v := range variables {
		if v == nil || hidden(kindOf(v), v) {
			continue
		}
		kind, place := kindOf(v), placeOf(v)
		label := labels[kind]
		if label == "" {
			label = words.OneLine(kind, 60)
			c.unknown["attachment "+label]++
		}
		a := sources.Attachment{Kind: label, Name: nameOf(kind, v)}
		if label == "file" && v.Value != nil {
			files = append(files, v.Value.URI().File())
		}
		if label == "file" && (v.IsSelection || kind == "file" && place != nil && place.Range.Start > 0) {
			a.Kind = "selection"
		}
		if kind == "image" && v.Value != nil {
			a.Content = v.Value.Bytes
		}
		if a.Name != "" {
			list = append(list, a)
		}
	}
	return list, files
}

// kindOf is the kind of a variable; those from before there were kinds carry
// flags.
func kindOf(v *chatlog.Variable) string {
	switch {
	case v.Kind != "":
		return v.Kind
	case v.IsTool:
		return "tool"
	case v.IsImage:
		return "image"
	case v.IsDirectory:
		return "directory"
	case v.IsFile:
		return "file"
	}
	return ""
}

// hidden tells what nobody added by hand.
func hidden(kind string, v *chatlog.Variable) bool {
	switch kind {
	case "promptText", "workspace", "tool", "toolset":
		return true
	case "promptFile":
		return v.AutomaticallyAdded
	case "implicit":
		return !v.Enabled
	}
	return false
}

// nameOf is a readable name: the path of what is a file, with lines.
func nameOf(kind string, v *chatlog.Variable) string {
	name, place := cmp.Or(v.FullName, v.Name), placeName(placeOf(v))
	switch kind {
	case "file", "directory", "implicit", "promptFile", "", "generic":
		name = cmp.Or(place, name)
	case "symbol":
		if place != "" {
			name = strings.TrimSpace(name + " (" + place + ")")
		}
	case "paste":
		if from := placeName(v.CopiedFrom); from != "" {
			name = strings.TrimSpace(name + " (" + from + ")")
		}
	case "terminalCommand":
		name = cmp.Or(v.Command, name)
		if v.ExitCode != 0 {
			name = words.OneLine(name, maxName-20) + fmt.Sprintf(" (exit code %d)", v.ExitCode)
		}
	case "diagnostic":
		name = cmp.Or(v.ProblemMessage, name)
		if u := v.FilterURI; u.IsSet() {
			name = words.OneLine(name, maxName/2) + " (" + cmp.Or(u.File(), u.String()) + lines(v.FilterRange) + ")"
		}
	}
	return words.OneLine(name, maxName)
}

// placeOf is where a variable lies, nil: nowhere.
func placeOf(v *chatlog.Variable) *chatlog.Place {
	switch {
	case v.Value != nil:
		return &v.Value.Place
	case len(v.Values) > 0 && v.Values[0].Value != nil: // the oldest form
		return &v.Values[0].Value.Place
	}
	return nil
}

// placeName is the path of a place with its lines, empty where there is none.
func placeName(p *chatlog.Place) string {
	u := p.URI()
	if !u.IsSet() {
		return ""
	}
	return cmp.Or(u.File(), u.String()) + lines(p.Range)
}
