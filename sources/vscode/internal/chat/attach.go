package chat

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// attachments lists what the person added to a prompt, and the files among it.
// Values are never shown: they hold whole files, bytes and prompts
// (formats/vscode-copilot-chat.md, section 2.4).
func (c *converter) attachments(variables []*chatlog.Variable) (list []sources.Attachment, files []sources.FileTouch) {
	for _, v := range variables {
		if v == nil {
			continue
		}
		kind := kindOf(v)
		if hidden(kind, v) {
			continue
		}
		label, known := labelOf(kind)
		if !known {
			c.unknown["attachment "+label]++
		}
		a := sources.Attachment{Kind: label, Name: nameOf(kind, v)}
		if label == "file" {
			if v.IsSelection || kind == "file" && v.Value != nil && v.Value.Range.Start > 0 {
				a.Kind = "selection"
			}
			if v.Value != nil && v.Value.URI().File() != "" {
				files = append(files, sources.FileTouch{Path: v.Value.URI().File(), Kind: sources.Viewed})
			}
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

// labelOf is what a kind of variable is called in a note; known is false for one
// that is new.
func labelOf(kind string) (label string, known bool) {
	switch kind {
	case "file", "directory", "symbol", "paste", "image", "element", "command":
		return kind, true
	case "implicit":
		return "file", true
	case "terminalCommand":
		return "terminal", true
	case "diagnostic":
		return "problem", true
	case "promptFile":
		return "prompt file", true
	case "notebookOutput":
		return "notebook output", true
	case "debugVariable":
		return "variable", true
	case "scmHistoryItem", "scmHistoryItemChange", "scmHistoryItemChangeRange":
		return "commit", true
	case "generic", "string", "":
		return "context", true
	}
	return words.OneLine(kind, 60), false
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
	name, place := first(v.FullName, v.Name), placeName(placeOf(v))
	switch kind {
	case "file", "directory", "implicit", "promptFile", "", "generic":
		name = first(place, name)
	case "symbol":
		if place != "" {
			name = strings.TrimSpace(name + " (" + place + ")")
		}
	case "paste":
		if from := placeName(v.CopiedFrom); from != "" {
			name = strings.TrimSpace(name + " (" + from + ")")
		}
	case "terminalCommand":
		name = first(v.Command, name)
		if v.ExitCode != 0 {
			name = words.OneLine(name, maxName-20) + fmt.Sprintf(" (exit code %d)", v.ExitCode)
		}
	case "diagnostic":
		name = first(v.ProblemMessage, name)
		if u := v.FilterURI; u.IsSet() {
			name = words.OneLine(name, maxName/2) + " (" + first(u.File(), u.String()) + lines(v.FilterRange) + ")"
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
	return first(u.File(), u.String()) + lines(p.Range)
}

// lines writes a range as ":12" or ":12-20".
func lines(r chatlog.Range) string {
	switch {
	case r.Start <= 0:
		return ""
	case r.End <= r.Start:
		return fmt.Sprintf(":%d", r.Start)
	}
	return fmt.Sprintf(":%d-%d", r.Start, r.End)
}
