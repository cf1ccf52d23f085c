package chat

import (
	"cmp"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestDetail(t *testing.T) {
	link := `{"value": "Read [](file:///home/dev/w/a%20b.go#1-20), lines 1 to 20", "uris": {"file:///home/dev/w/a%20b.go#1-20": {"scheme": "vscode-remote", "authority": "ssh-remote+h", "path": "/home/dev/w/a b.go"}}}`
	for _, c := range []struct{ name, part, want string }{
		{"presentation first", `"toolId": "run_in_terminal", "toolSpecificData": {"kind": "terminal", "presentationOverrides": {"commandLine": "p"}, "commandLine": {"forDisplay": "f", "original": "o"}}`, "p"},
		{"display", `"toolId": "run_in_terminal", "toolSpecificData": {"kind": "terminal", "commandLine": {"forDisplay": "f", "userEdited": "u", "original": "o"}}`, "f"},
		{"edited by the user", `"toolId": "run_in_terminal", "toolSpecificData": {"kind": "terminal", "commandLine": {"userEdited": "u", "toolEdited": "t", "original": "o"}}`, "u"},
		{"edited by the tool", `"toolId": "run_in_terminal", "toolSpecificData": {"kind": "terminal", "commandLine": {"toolEdited": "t", "original": "o"}}`, "t"},
		{"legacy command", `"toolId": "run_in_terminal", "toolSpecificData": {"kind": "terminal", "command": "make", "language": "sh"}`, "make"},
		{"home folder", `"toolId": "run_in_terminal", "toolSpecificData": {"kind": "terminal", "command": "cd /home/dev/w && ls"}`, "cd ~/w && ls"},
		{"sub-agent", `"toolId": "runSubagent", "toolSpecificData": {"kind": "subagent", "description": "Find it", "agentName": "Explore"}`, "Find it (Explore)"},
		{"file of the message", `"toolId": "copilot_readFile", "pastTenseMessage": ` + link, "~/w/a b.go"},
		{"message with a link", `"toolId": "frobnicate", "pastTenseMessage": ` + link, "Read a b.go:1-20, lines 1 to 20"},
		{"markdown", `"toolId": "frobnicate", "invocationMessage": {"value": "**Got** [the \\_page\\_](https://x.example/(a)) $(check)&nbsp;` + "`now`" + `", "supportThemeIcons": true}`, "Got the _page_ now"},
		{"raw input", `"toolId": "mcp_x_y", "toolSpecificData": {"kind": "input", "rawInput": {"query": "q"}}, "generatedTitle": "Asked x"`, "q"},
		{"long", `"toolId": "frobnicate", "invocationMessage": "` + strings.Repeat("äöü ", 100) + `"`, strings.TrimSpace(strings.Repeat("äöü ", 28)) + "…"},
		{"nothing", `"toolId": "frobnicate"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, `[{"kind": "toolInvocationSerialized", `+c.part+`}]`, `{}`).Tools[0].Detail
			if got != c.want || len(got) > tools.DetailSize {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCommands(t *testing.T) {
	terminal := func(data string) string {
		return `"toolId": "run_in_terminal", "isComplete": true, "toolSpecificData": {"kind": "terminal", ` + data + `}`
	}
	for name, c := range map[string]struct {
		part, want string
		exit       int // -1: unknown
	}{
		"as it ran":       {terminal(`"commandLine": {"original": "make\nls"}, "terminalCommandState": {"exitCode": 0}`), "make\nls", 0},
		"edited":          {terminal(`"commandLine": {"userEdited": "u", "forDisplay": "f", "original": "o"}, "terminalCommandState": {"exitCode": 2}`), "u", 2},
		"in a sandbox":    {terminal(`"commandLine": {"forDisplay": "f", "toolEdited": "t", "original": "o"}`), "f", -1},
		"edited by rules": {terminal(`"commandLine": {"toolEdited": "t", "original": "o"}`), "t", -1},
		"shown otherwise": {terminal(`"presentationOverrides": {"commandLine": "p"}, "commandLine": {"original": "o"}`), "o", -1},
		"legacy":          {terminal(`"command": "make"`), "make", -1},
		"refused":         {terminal(`"command": "rm -r x"`) + `, "isConfirmed": {"type": 0}`, "", -1},
		"another tool":    {`"toolId": "copilot_readFile", "toolSpecificData": {"kind": "terminal", "command": "make", "terminalCommandState": {"exitCode": 1}}`, "", -1},
	} {
		t.Run(name, func(t *testing.T) {
			tool, exit := read(t, `[{"kind": "toolInvocationSerialized", `+c.part+`}]`, `{}`).Tools[0], -1
			if tool.Exit != nil {
				exit = *tool.Exit
			}
			if tool.Command != c.want || exit != c.exit {
				t.Errorf("%q ended with %d, want %q and %d", tool.Command, exit, c.want, c.exit)
			}
		})
	}
}

// TestJoin tells which arguments a call is given: by id, else by order.
func TestJoin(t *testing.T) {
	part := func(id, tool, more string) string {
		return `{"kind": "toolInvocationSerialized", "isComplete": true, "toolCallId": "` + id + `", "toolId": "` + tool + `"` + more + `}`
	}
	result := func(calls string) string {
		return `{"metadata": {"toolCallRounds": [{"toolCalls": []}, {"toolCalls": [` + calls + `]}]}}`
	}
	call := func(id, name, args string) string {
		return `{"id": "` + id + `", "name": "` + name + `", "arguments": ` + args + `}`
	}
	for _, c := range []struct{ name, parts, calls, want string }{
		{"by id", part("c2", "copilot_readFile", "") + `,` + part("c1", "copilot_readFile", ""),
			call("c1__vscode-11", "read_file", `{"filePath": "/1"}`) + `,` + call("c2__vscode-12", "read_file", `{"filePath": "/2"}`), "/2 /1"},
		{"by order", part("u1", "copilot_readFile", "") + `,` + part("u2", "copilot_findTextInFiles", "") + `,` + part("u3", "copilot_readFile", ""),
			call("a", "read_file", `{"filePath": "/1"}`) + `,` + call("b", "read_file", `{"filePath": "/2"}`) + `,` + call("c", "grep_search", `{"query": "q"}`), "/1 q /2"},
		{"by order behind one by id", part("c1", "copilot_listDirectory", "") + `,` + part("u", "copilot_listDirectory", ""),
			call("a", "list_dir", `{"path": "/2"}`) + `,` + call("c1", "list_dir", `{"path": "/1"}`), "/1 /2"},
		{"numbers differ", part("u1", "copilot_findFiles", "") + `,` + part("u2", "copilot_findFiles", ""), call("a", "file_search", `{"query": "x"}`), "- -"},
		{"calls of sub-agents are in no round", part("u1", "copilot_findFiles", `, "subAgentInvocationId": "p"`) + `,` + part("u2", "copilot_findFiles", ""),
			call("a", "file_search", `{"query": "x"}`), "- x"},
		{"the message names another file", part("u1", "copilot_readFile", `, "invocationMessage": "[](file:///w/other.go)"`),
			call("a", "read_file", `{"filePath": "/w/a.go"}`), "/w/other.go"},
		{"arguments as text", part("u1", "copilot_replaceString", ""), call("u1", "replace_string_in_file", `"{\"filePath\": \"c:\\\\w\\\\a.go\"}"`), `c:\w\a.go`},
		{"broken arguments", part("u1", "copilot_replaceString", ""), call("u1", "replace_string_in_file", `"{\"filePath"`), "-"},
		{"patch", part("u1", "copilot_applyPatch", ""), call("u1", "apply_patch", `{"input": "*** Update File: /a\n*** Add File: /b\n"}`), "/a,/b"},
		{"several", part("u1", "copilot_multiReplaceString", ""), call("u1", "multi_replace_string_in_file", `{"replacements": [{"filePath": "/a"}, {"filePath": "/b"}, {"filePath": "/a"}]}`), "/a,/b"},
		{"page", part("u1", "vscode_fetchWebPage_internal", ""), call("u1", "fetch_webpage", `{"urls": ["https://a.example/", "https://b.example/"], "query": "q"}`), "https://a.example/,https://b.example/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, tool := range read(t, "["+c.parts+"]", result(c.calls)).Tools {
				d := strings.ReplaceAll(strings.ReplaceAll(tool.Detail, ", ", ","), " ", ",")
				got = append(got, cmp.Or(d, "-"))
			}
			expect.Is(t, strings.Join(got, " "), c.want, got)
		})
	}
}

func TestFiles(t *testing.T) {
	tool := func(id, args string) string {
		return `{"kind": "toolInvocationSerialized", "isComplete": true, "toolId": "` + id + `", "toolSpecificData": {"kind": "input", "rawInput": ` + args + `}}`
	}
	group := `{"kind": "textEditGroup", "uri": {"path": "/w/a.go"}}`
	for _, c := range []struct{ name, parts, want string }{
		{"read", tool("copilot_readFile", `{"filePath": "/w/a.go"}`), "viewed /w/a.go"},
		{"created, with its edits", tool("copilot_createFile", `{"filePath": "/w/a.go"}`) + `,` + group, "created /w/a.go"},
		{"created behind its edits", group + `,` + tool("copilot_createFile", `{"filePath": "/w/a.go"}`), "created /w/a.go"},
		{"created and edited", tool("copilot_createFile", `{"filePath": "/w/a.go"}`) + `,` + group + `,` + tool("copilot_replaceString", `{"filePath": "file:///w/a.go"}`) + `,` + group,
			"created /w/a.go, edited /w/a.go"},
		{"once", group + `,` + group + `,` + tool("copilot_replaceString", `{"filePath": "/w/a.go"}`), "edited /w/a.go"},
		{"folder", tool("copilot_createDirectory", `{"dirPath": "/w/d"}`), ""},
		{"patch", tool("copilot_applyPatch", `{"input": "*** Add File: /n\n*** Delete File: /d\n*** Update File: /o\n*** Move to: /p\n"}`),
			"created /n, deleted /d, deleted /o, renamed /p"},
		{"search and list", tool("copilot_findFiles", `{"path": "/w"}`) + `,` + tool("copilot_listDirectory", `{"path": "/w"}`), ""},
		{"failed", `{"kind": "toolInvocationSerialized", "isComplete": true, "isConfirmed": false, "toolId": "copilot_createFile", "invocationMessage": "[](file:///w/a.go)"}`, ""},
		{"not over", `{"kind": "toolInvocationSerialized", "isComplete": false, "toolId": "copilot_createFile", "invocationMessage": "[](file:///w/a.go)"}`, ""},
		{"hidden", `{"kind": "toolInvocationSerialized", "isComplete": true, "presentation": "hidden", "toolId": "copilot_readFile", "invocationMessage": "[](file:///w/a.go)"}`, "viewed /w/a.go"},
		{"notebook", `{"kind": "notebookEditGroup", "uri": {"scheme": "vscode-notebook-cell", "path": "/w/n.ipynb", "fragment": "x"}}`, "edited /w/n.ipynb"},
		{"no file", `{"kind": "textEditGroup", "uri": {"scheme": "untitled", "path": "Untitled-1"}}`, ""},
		{"diff", `{"kind": "multiDiffData", "multiDiffData": {"resources": [{"modifiedUri": {"path": "/n"}}, {"originalUri": {"path": "/d"}},
			{"originalUri": {"scheme": "git", "path": "/g"}, "modifiedUri": {"scheme": "git", "path": "/g"}, "goToFileUri": {"path": "/e"}}]}}`, "created /n, deleted /d, edited /e"},
		{"outside", `{"kind": "externalEdit", "editKind": "rename", "uri": {"path": "/n"}, "originalUri": {"path": "/o"}}, {"kind": "externalEdit", "editKind": "delete", "uri": {"path": "/d"}}`,
			"deleted /o, renamed /n, deleted /d"},
		{"workspace edit", `{"kind": "workspaceEdit", "edits": [{"newResource": {"path": "/n"}}, {"oldResource": {"path": "/d"}}, {"oldResource": {"path": "/o"}, "newResource": {"path": "/p"}}, {}]}`,
			"created /n, deleted /d, deleted /o, renamed /p"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range read(t, "["+c.parts+"]", `{}`).Files {
				got = append(got, f.Kind+" "+f.Path)
			}
			expect.Is(t, strings.Join(got, ", "), c.want)
		})
	}
}

func TestSubAgents(t *testing.T) {
	call := func(id, within string) string {
		return `{"kind": "toolInvocationSerialized", "toolId": "t", "toolCallId": "` + id + `", "subAgentInvocationId": "` + within + `"}`
	}
	for _, c := range []struct {
		name, parts string
		want        []int
	}{
		{"behind", call("p", "") + `,` + call("a", "p"), []int{0, 1}},
		{"before", call("a", "p") + `,` + call("p", ""), []int{2, 0}},
		{"deeper", call("p", "") + `,` + call("q", "p") + `,` + call("a", "q"), []int{0, 1, 2}},
		{"unknown", call("a", "gone"), []int{0}},
		{"itself", call("a", "a"), []int{0}},
		{"a circle", call("a", "b") + `,` + call("b", "a"), []int{0, 1}},
		{"hidden parent", `{"kind": "toolInvocationSerialized", "toolId": "t", "toolCallId": "p", "presentation": "hidden"},` + call("a", "p"), []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []int
			for _, tool := range read(t, "["+c.parts+"]", `{}`).Tools {
				got = append(got, tool.Within)
			}
			expect.Deep(t, got, c.want)
		})
	}
}

func TestTodos(t *testing.T) {
	list := func(items, more string) string {
		return `{"kind": "toolInvocationSerialized", "toolId": "manage_todo_list", "isComplete": true, "toolSpecificData": {"kind": "todoList", "todoList": [` + items + `]}` + more + `}`
	}
	a := read(t, `[`+list(`{"id": 1, "title": "old"}`, "")+`,`+
		list(`{"id": 1, "title": "a", "status": "completed"}, {"id": "x", "title": "b", "status": "in-progress"}, {"title": "c", "status": "not-started"}, {"status": "completed"}`, "")+`,`+
		list(`{"id": 9, "title": "of a sub-agent"}`, `, "subAgentInvocationId": "p"`)+`]`, `{}`)
	want := []sources.Todo{
		{ID: "1", Title: "a", Status: sources.TodoDone, Raw: "completed", Origin: "todo list"},
		{ID: "x", Title: "b", Status: sources.TodoInProgress, Raw: "in-progress", Origin: "todo list"},
		{ID: "3", Title: "c", Status: sources.TodoOpen, Raw: "not-started", Origin: "todo list"},
	}
	expect.Deep(t, a.Todos, want, "todos")
	if len(a.Tools) != 3 || a.Tools[0].Kind != sources.ToolPlan {
		t.Errorf("tools %+v", a.Tools)
	}
	if a := read(t, `[`+list("", "")+`]`, `{}`); len(a.Todos) > 0 {
		t.Errorf("an emptied list: %+v", a.Todos)
	}
}
