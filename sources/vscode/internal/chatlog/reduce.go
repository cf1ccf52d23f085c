package chatlog

import (
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/patch"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// Sizes in bytes.
const (
	maxShort    = 4 << 10
	maxArgument = 2 << 10
)

// scalar leaves out objects and arrays.
func scalar(n *tree.Node) *tree.Node {
	if n.Kind() == tree.Object || n.Kind() == tree.Array {
		return nil
	}
	return n
}

func cutScalar(n *tree.Node) *tree.Node { return cutText(scalar(n)) }

func cutText(n *tree.Node) *tree.Node {
	if len(n.Text()) > maxShort {
		return tree.NewString(cut(n.Text(), maxShort))
	}
	return n
}

// cut shortens a text to limit bytes at most, at a rune.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// arguments are the parameters of a tool call, an object or its text, reduced
// to those that tell what the call was about.
func arguments() *tree.Keep {
	return &tree.Keep{Fields: argumentFields, Rest: dropped, Each: dropped, Leaf: func(n *tree.Node) *tree.Node {
		switch n.Kind() {
		case tree.Object:
			return n
		case tree.String:
			return parseArguments(n.Text())
		}
		return nil
	}}
}

// argumentFields are parameters of VS Code's own tools and the usual ones of
// others: which file, where, what for; never what is written into a file.
var argumentFields = func() fields {
	argument := &tree.Keep{Rest: dropped, Each: dropped, Leaf: func(n *tree.Node) *tree.Node {
		if n.Kind() != tree.String {
			return scalar(n)
		}
		return tree.NewString(cut(n.Text(), maxArgument))
	}}
	f := fields{
		"input":        {Rest: dropped, Each: dropped, Leaf: patched},
		"replacements": list(only(fields{"filePath": argument})),
		"edits":        list(only(fields{"filePath": argument, "path": argument})),
	}
	for _, name := range []string{"filePath", "file_path", "path", "file", "dirPath", "uri", "url", "query", "pattern",
		"includePattern", "command", "goal", "explanation", "description", "agentName", "symbolName", "symbol",
		"isBackground", "repo", "id"} {
		f[name] = argument
	}
	for _, name := range []string{"filePaths", "paths", "files", "urls"} {
		f[name] = list(argument)
	}
	return f
}()

func parseArguments(text string) *tree.Node {
	n, err := tree.Read(tree.NewDecoder(strings.NewReader(text)), &tree.Keep{Fields: argumentFields, Rest: dropped, Each: dropped})
	if err == nil && n.Kind() == tree.Object {
		return n
	}
	args := tree.NewObject()
	args.Set("input", patched(tree.NewString(text))) // a call whose one parameter is a patch
	return args
}

// patched gives the files a patch names, as {"op": "edited", "path": …}; nil
// where it is no patch.
func patched(n *tree.Node) *tree.Node {
	files := tree.NewArray()
	for _, f := range patch.Files(n.Text(), maxDetails) {
		file := tree.NewObject()
		file.Set("op", tree.NewString(f.Kind))
		file.Set("path", tree.NewString(cut(f.Path, maxArgument)))
		files.Push(file)
	}
	if files.Len() == 0 {
		return nil
	}
	return files
}

// rendered is a prompt as the model got it.
func rendered() *tree.Keep {
	return &tree.Keep{Fields: atoms("text"), Rest: dropped, Each: only(atoms("text")), Leaf: tagged}
}

// tagged gives what the prompt told the model of the workspace: all else of a
// rendered prompt repeats the conversation.
func tagged(n *tree.Node) *tree.Node {
	var all strings.Builder
	all.WriteString(n.Text())
	for _, item := range n.Items() {
		all.WriteString(item.Text())
		all.WriteString(item.Get("text").Text())
	}
	found := tree.NewObject()
	for _, t := range []struct{ tag, name string }{{"repoContext", "repoContext"}, {"workspace_info", "workspaceInfo"}} {
		if _, rest, ok := strings.Cut(all.String(), "<"+t.tag+">"); ok {
			inner, _, _ := strings.Cut(rest, "</"+t.tag+">")
			found.Set(t.name, tree.NewString(cut(inner, maxShort)))
		}
	}
	if found.Len() == 0 {
		return nil
	}
	return found
}
