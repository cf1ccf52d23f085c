package chat

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The tests of this file are named after the edge cases of real files.

func TestEdgeCase11UnknownKindsAreCounted(t *testing.T) {
	known := []string{"thinking", "toolInvocationSerialized", "inlineReference", "prepareToolInvocation", "textEditGroup",
		"codeblockUri", "undoStop", "mcpServersStarting", "progressTask", "progressTaskSerialized", "notebookEditGroup", "warning",
		"confirmation", "autoModeResolution", "elicitationSerialized", "elicitation", "progressMessage", "markdownContent",
		"markdownVuln", "mcpAuthenticationRequired", "mcpServersStartingSlow", "voiceProgress", "disabledClaudeHooks", "extensions",
		"hook", "clearToPreviousToolInvocation", "info", "systemNotification", "questionCarousel", "planReview", "command", "treeData",
		"multiDiffData", "externalEdit", "workspaceEdit", "pullRequest"}
	var parts []string
	for _, kind := range known {
		parts = append(parts, fmt.Sprintf(`{"kind": %q}`, kind))
	}
	a := read(t, "["+strings.Join(parts, ",")+"]", `{}`)
	if a.Unknown != nil || a.Text != "" {
		t.Errorf("unknown %v, text %q", a.Unknown, a.Text)
	}
	a = read(t, `["a", {"kind": "sparkle", "value": "x"}, 7, true, [], {"kind": "sparkle"}, {"shine": 1}, {}, {"supportHtml": false}, "b"]`, `{}`)
	want := map[string]int{"sparkle": 2, "part without a kind": 3}
	if !reflect.DeepEqual(a.Unknown, want) || a.Text != "a\n\nb" {
		t.Errorf("unknown %v, text %q", a.Unknown, a.Text)
	}
}

func TestEdgeCase12SentenceSplitAcrossParts(t *testing.T) {
	ref := `{"kind": "inlineReference", "inlineReference": {"scheme": "file", "path": "/w/a.go"}}`
	stop := `{"kind": "undoStop", "id": "1"}`
	edit := `{"kind": "codeblockUri", "uri": {"path": "/w/a.go"}, "isEdit": true}`
	group := `{"kind": "textEditGroup", "uri": {"path": "/w/a.go"}, "edits": [[]], "done": true}`
	other := `{"kind": "textEditGroup", "uri": {"path": "/w/b.go"}, "edits": [[]], "done": true}`
	fence := `{"value": "\n` + "```" + `\n"}`
	for _, c := range []struct{ name, parts, want string }{
		{"around a reference", `"Look at ",` + ref + `," and go."`, "Look at `a.go` and go."},
		{"around an undo stop", `"Look ",` + stop + `,"at it."`, "Look at it."},
		{"in a code block", `"` + "```sh\\n" + `cat ",` + ref + `,"\n` + "```" + `"`, "```sh\ncat a.go\n```"},
		{"in a code span", "\"the `x \"," + ref + ",\"` flag\"", "the `x a.go` flag"},
		{"two references", ref + `,` + ref + ",\"`c`\"", "`a.go` `a.go` `c`"},
		{"edit", `"First.",` + fence + `,` + stop + `,` + edit + `,` + group + `,` + fence + `,"Then."`, "First.\n\nEdited `a.go`\n\nThen."},
		{"edit, text merged with the fences", `"First.\n` + "```" + `\n",` + stop + `,` + edit + `,` + group + `,"\n` + "```" + `\nThen."`,
			"First.\n\nEdited `a.go`\n\nThen."},
		{"edit without fences", `"First.",` + group + `,"Then."`, "First.\n\nEdited `a.go`\n\nThen."},
		{"edit with a call between", `"First.",` + fence + `,` + edit + `,{"kind": "toolInvocationSerialized", "toolId": "x"},` + group + `,` + fence + `,"Then."`,
			"First.\n\nEdited `a.go`\n\nThen."},
		{"edits in a row", fence + `,` + edit + `,` + group + `,` + fence + `,` + fence + `,` + edit + `,` + group + `,` + group + `,` + fence + `,` + other, "Edited `a.go`\n\nEdited `b.go`"},
		{"edits with words between", group + `,"Again.",` + group, "Edited `a.go`\n\nAgain.\n\nEdited `a.go`"},
		{"edit that was not applied", `"First.",` + fence + `,` + edit + `,` + fence + `,"Then."`, "First.\n\nThen."},
		{"code of an edit", `"` + "```go\\n" + `",` + edit + `,"x\n` + "```" + `\nThen."`, "```go\nx\n```\nThen."},
		{"cut off within the fence", `"First.",` + fence + `,` + edit, "First."},
		{"another code block follows", group + `,` + fence + `,` + group + `,"` + "```go\\nx\\n```" + `"`, "Edited `a.go`\n\n```go\nx\n```"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect.Is(t, read(t, "["+c.parts+"]", `{}`).Text, c.want)
		})
	}
}

func TestEdgeCase13ThinkingIsTextOrEmptyArray(t *testing.T) {
	a := read(t, `[{"kind": "thinking", "value": []}, {"kind": "thinking", "value": "hm"}, {"kind": "thinking", "value": ["h", "m"]}, "Yes."]`, `{}`)
	if a.Text != "Yes." || a.Unknown != nil {
		t.Errorf("text %q, unknown %v", a.Text, a.Unknown)
	}
}

func TestEdgeCase15ShapesOfAReference(t *testing.T) {
	for _, c := range []struct{ name, part, want string }{
		{"address", `"inlineReference": {"$mid": 1, "scheme": "file", "path": "/w/a b.go", "fsPath": "/w/a b.go"}`, "`a b.go`"},
		{"name given", `"name": "the ring", "inlineReference": {"scheme": "file", "path": "/w/a.go"}`, "`the ring`"},
		{"Windows", `"inlineReference": {"scheme": "file", "path": "/c:/w/a.go", "_sep": 1}`, "`a.go`"},
		{"range", `"inlineReference": {"uri": {"scheme": "file", "path": "/w/a.go"}, "range": {"startLineNumber": 3, "endLineNumber": 9}}`, "`a.go:3-9`"},
		{"one line", `"inlineReference": {"uri": {"scheme": "file", "path": "/w/a.go"}, "range": {"startLineNumber": 3, "endLineNumber": 3}}`, "`a.go:3`"},
		{"fragment", `"inlineReference": {"scheme": "file", "path": "/w/a.go", "fragment": "L3-L9"}`, "`a.go:3-9`"},
		{"symbol", `"inlineReference": {"name": "Verify", "containerName": "auth", "kind": 11, "location": {"uri": {"path": "/w/a.go"}, "range": {}}}`, "`Verify`"},
		{"symbol without a place", `"inlineReference": {"name": "Verify", "kind": 11}`, "`Verify`"},
		{"folder", `"inlineReference": {"scheme": "file", "path": "/w/dir/"}`, "`dir`"},
		{"page", `"inlineReference": {"scheme": "https", "authority": "go.dev", "path": "/a b", "query": "q=1", "fragment": "x"}`, "https://go.dev/a%20b?q=1#x"},
		{"page, encoded", `"inlineReference": "https://go.dev/a%2Fb"`, "https://go.dev/a%2Fb"},
		{"cell", `"inlineReference": {"scheme": "vscode-notebook-cell", "path": "/w/n.ipynb", "fragment": "W3sZmlsZQ=="}`, "`n.ipynb`"},
		{"untitled", `"inlineReference": {"scheme": "untitled", "path": "Untitled-1"}`, "`Untitled-1`"},
		{"command", `"inlineReference": {"scheme": "command", "path": "workbench.open"}`, "`workbench.open`"},
		{"name with backticks", "\"name\": \"a``b`\", \"inlineReference\": {\"path\": \"/x\"}", "``` a``b` ```"},
		{"name of two lines", `"name": "a\nb", "inlineReference": {"path": "/x"}`, "`a b`"},
		{"nothing", `"inlineReference": null`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect.Is(t, read(t, `[{"kind": "inlineReference", `+c.part+`}]`, `{}`).Text, c.want)
		})
	}
}

func TestEdgeCase22EscapesMCPAndLanguages(t *testing.T) {
	for _, c := range []struct{ name, part, kind, detail string }{
		{"escapes", `"toolId": "run_in_terminal", "toolSpecificData": {"kind": "terminal", "commandLine": {"original": "\u001b[1mmake\u001b[0m \u001b]0;title\u0007-j4\r\n  all\u009b0m"}}`,
			sources.ToolRun, "make -j4 all"},
		{"MCP by source", `"toolId": "lookup", "source": {"type": "mcp", "label": "docs"}, "pastTenseMessage": "Looked up"`, sources.ToolMCP, "Looked up"},
		{"MCP by name", `"toolId": "mcp_docs-search__lookup", "invocationMessage": "Looking up"`, sources.ToolMCP, "Looking up"},
		{"MCP, one bar", `"toolId": "mcp_github_get_issue"`, sources.ToolMCP, ""},
		{"Japanese search", "\"toolId\": \"copilot_findTextInFiles\", \"invocationMessage\": {\"value\": \"テキスト `Verify(` を検索中\"}", sources.ToolSearch, "Verify("},
		{"Japanese read", `"toolId": "copilot_readFile", "isComplete": true, "invocationMessage": {"value": "[](file:///w/%E3%81%82.go) を読み取り中"}`, sources.ToolRead, "/w/あ.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := read(t, `[{"kind": "toolInvocationSerialized", `+c.part+`}]`, `{}`)
			if tool := a.Tools[0]; tool.Kind != c.kind || tool.Detail != c.detail {
				t.Errorf("got %s %q, want %s %q", tool.Kind, tool.Detail, c.kind, c.detail)
			}
		})
	}
}
