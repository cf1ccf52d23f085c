package chatlog

import "github.com/sessionloom/sessionloom/sources/vscode/internal/tree"

// maxDetails is how many results of a tool are kept.
const maxDetails = 200

// part is what is kept of a part of a response. A rule sees no `kind`, so that
// it is said once for each name and for all kinds that use it.
func part() *tree.Keep {
	return &tree.Keep{
		Fields: fields{
			"value": text(), "content": text(), "message": text(), "title": text(), "subtitle": text(),
			"description": text(), "invocationMessage": text(), "pastTenseMessage": text(), "originMessage": text(),
			"baseUri": address(), "uris": {Rest: address(), Each: dropped},

			"inlineReference": place(),
			"uri":             address(),
			"planUri":         address(),
			"label":           atom,
			"treeData":        treeData(),
			"children":        list(treeData()), // treeData without a kind
			"multiDiffData":   multiDiffData(),
			"edits":           edits(),
			"diff":            flat,
			"command":         flat,
			"resolved":        flat,

			"source":           flat,
			"isConfirmed":      flat,
			"resultError":      {Fields: fields{"message": short}, Rest: dropped, Each: dropped, Leaf: cutText, Open: true},
			"resultDetails":    resultDetails(),
			"toolSpecificData": toolSpecificData(),

			"data": open(3), "acceptedResult": open(3), "questions": open(4), "actions": open(2), "buttons": list(atom),

			"base64Data": dropped, "generatedImage": dropped, "extensions": dropped, "progress": dropped,
		},
		Rest: short,
		Each: dropped,
		Leaf: withoutThoughts,
		Open: true,
	}
}

// withoutThoughts takes the text out of a `thinking` part: nobody shows it.
func withoutThoughts(n *tree.Node) *tree.Node {
	if n.Get("kind").Text() == "thinking" {
		n.Set("value", nil)
	}
	return n
}

// text is markdown, as a string or an object, or several strings.
func text() *tree.Keep {
	return &tree.Keep{
		Fields: fields{
			"value": atom, "supportThemeIcons": atom, "baseUri": address(), "uris": {Rest: address(), Each: dropped},
		},
		Rest: dropped,
		Each: atom,
	}
}

// address is a URI (UriComponents). What repeats its path is left out.
func address() *tree.Keep {
	return &tree.Keep{
		Fields: atoms("scheme", "authority", "path", "query", "fragment", "external", "fsPath"),
		Rest:   dropped, Each: dropped,
		Leaf: onePath, Open: true,
	}
}

func onePath(n *tree.Node) *tree.Node {
	if n.Get("path").Text() != "" {
		n.Set("external", nil)
		n.Set("fsPath", nil)
	}
	return n
}

// place is a URI, a location {uri, range}, a symbol {name, location} or a
// reference {variableName, value}.
func place() *tree.Keep {
	location := only(fields{"uri": address(), "range": flat})
	value := address()
	value.Fields["uri"], value.Fields["range"] = address(), flat
	keep := address()
	for name, k := range atoms("name", "containerName", "kind", "variableName").with(fields{
		"uri": address(), "range": flat, "location": location, "value": value,
	}) {
		keep.Fields[name] = k
	}
	return keep
}

func treeData() *tree.Keep {
	node := only(fields{"label": atom, "uri": address()})
	node.Fields["children"] = list(node)
	return node
}

func multiDiffData() *tree.Keep {
	return only(fields{"title": atom, "resources": list(only(fields{
		"originalUri": address(), "modifiedUri": address(), "goToFileUri": address(), "added": atom, "removed": atom,
	}))})
}

// edits are those of a workspaceEdit, which name files, and those of a
// textEditGroup, which are counted only.
func edits() *tree.Keep {
	return list(&tree.Keep{
		Fields: fields{"oldResource": address(), "newResource": address()},
		Rest:   dropped, Each: dropped,
		Leaf: func(n *tree.Node) *tree.Node {
			if n.Kind() == tree.Array {
				return nil
			}
			return n
		},
	})
}

// resultDetails is a list of files, or what a tool was given and gave.
func resultDetails() *tree.Keep {
	return &tree.Keep{
		Fields: fields{"isError": atom, "input": arguments()},
		Rest:   dropped, Each: place(),
		Leaf: func(n *tree.Node) *tree.Node {
			if n.Kind() == tree.Array && n.Len() > maxDetails {
				n.Resize(maxDetails)
			}
			return n
		},
	}
}

func toolSpecificData() *tree.Keep {
	return only(atoms("kind", "language", "sessionId", "description", "agentName", "modelName", "title", "label",
		"author", "linkTag").with(fields{
		"commandLine":           flat,
		"command":               flat, // text of the oldest terminals
		"presentationOverrides": flat,
		"cwd":                   address(),
		"terminalCommandState":  flat,
		"rawInput":              arguments(),
		"todoList":              list(flat),
		"prompt":                short,
		"result":                short,
		"values":                list(place()),
		"uri":                   address(),
		"openLink":              address(),
	}))
}
