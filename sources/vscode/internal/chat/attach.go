package chat

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/uri"
)

// attachments lists what the person added to a prompt, and the files among it.
// Values are never shown: they hold whole files, bytes and prompts
// (formats/vscode-copilot-chat.md, section 2.4).
func (c *converter) attachments(variables *tree.Node) (list []sources.Attachment, files []sources.FileTouch) {
	for _, v := range entries(variables) {
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
			if is(v.Get("isSelection")) || kind == "file" && rangeOf(v.Get("value")) != "" {
				a.Kind = "selection"
			}
			if u, ok := placeOf(v.Get("value")); ok && u.File() != "" {
				files = append(files, sources.FileTouch{Path: u.File(), Kind: sources.Viewed})
			}
		}
		if kind == "image" {
			a.Content = c.imageOf(v.Get("value"))
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
	return oneLine(kind, 60), false
}

// entries are the variables of a prompt: a list, formerly an object of lists by
// name.
func entries(variables *tree.Node) []*tree.Node {
	if variables.Kind() != tree.Object {
		return variables.Items()
	}
	var out []*tree.Node
	for name, values := range variables.Members() {
		v := tree.NewObject()
		v.Set("name", tree.NewString(name))
		if value := values.At(0).Get("value"); value.Kind() == tree.Object {
			v.Set("value", value)
		}
		out = append(out, v)
	}
	return out
}

// kindOf is the kind of a variable; those from before there were kinds carry
// flags.
func kindOf(v *tree.Node) string {
	kind := v.Get("kind").Text()
	if kind != "" {
		return kind
	}
	for _, flag := range []struct{ name, kind string }{
		{"isTool", "tool"}, {"isImage", "image"}, {"isDirectory", "directory"}, {"isFile", "file"}} {
		if is(v.Get(flag.name)) {
			return flag.kind
		}
	}
	return ""
}

// hidden tells what nobody added by hand.
func hidden(kind string, v *tree.Node) bool {
	switch kind {
	case "promptText", "workspace", "tool", "toolset":
		return true
	case "promptFile":
		return is(v.Get("automaticallyAdded"))
	case "implicit":
		return !is(v.Get("enabled"))
	}
	return v.Kind() != tree.Object
}

// nameOf is a readable name: the path of what is a file, with lines.
func nameOf(kind string, v *tree.Node) string {
	name := first(v.Get("fullName").Text(), v.Get("name").Text())
	place := ""
	value := v.Get("value")
	if !value.Has() {
		value = v.Get("values").At(0).Get("value") // the oldest form
	}
	if u, ok := placeOf(value); ok {
		place = first(u.File(), u.String()) + rangeOf(value)
	}
	switch kind {
	case "file", "directory", "implicit", "promptFile", "", "generic":
		name = first(place, name)
	case "symbol":
		if place != "" {
			name = strings.TrimSpace(name + " (" + place + ")")
		}
	case "paste":
		if u, ok := placeOf(v.Get("copiedFrom")); ok {
			name = strings.TrimSpace(name + " (" + first(u.File(), u.String()) + rangeOf(v.Get("copiedFrom")) + ")")
		}
	case "terminalCommand":
		name = first(v.Get("command").Text(), name)
		if code, ok := v.Get("exitCode").Int(); ok && code != 0 {
			name = oneLine(name, maxName-20) + " (exit code " + strconv.FormatInt(code, 10) + ")"
		}
	case "diagnostic":
		name = first(v.Get("problemMessage").Text(), name)
		if u, ok := placeOf(v.Get("filterUri")); ok {
			name = oneLine(name, maxName/2) + " (" + first(u.File(), u.String()) + lines(v.Get("filterRange")) + ")"
		}
	}
	return oneLine(name, maxName)
}

// placeOf reads a URI or a location. Text is none: it may be anything.
func placeOf(n *tree.Node) (uri.URI, bool) {
	if n.Kind() != tree.Object {
		return uri.URI{}, false
	}
	if inner := n.Get("uri"); inner.Has() {
		return uri.Of(inner)
	}
	return uri.Of(n)
}

// rangeOf are the lines of a location: ":12", ":12-20".
func rangeOf(location *tree.Node) string { return lines(location.Get("range")) }

func lines(r *tree.Node) string {
	from, _ := r.Get("startLineNumber").Int()
	to, _ := r.Get("endLineNumber").Int()
	switch {
	case from <= 0:
		return ""
	case to <= from:
		return fmt.Sprintf(":%d", from)
	}
	return fmt.Sprintf(":%d-%d", from, to)
}

// maxImage is how large an image may be that is kept, in bytes.
const maxImage = 10 << 20

// imageOf are the bytes of an image, where they were asked for and kept.
func (c *converter) imageOf(value *tree.Node) []byte {
	text := value.Get("base64").Text()
	if !c.images || text == "" || base64.StdEncoding.DecodedLen(len(text)) > maxImage+2 {
		return nil
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		content, err = base64.RawStdEncoding.DecodeString(text)
	}
	if err != nil || len(content) > maxImage {
		return nil
	}
	return content
}
