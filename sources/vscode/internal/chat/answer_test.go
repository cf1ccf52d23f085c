package chat

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var update = flag.Bool("update", false, "write the golden file anew")

// parsed is a value of a type.
func parsed[V any](t testing.TB, text string) (v V) {
	t.Helper()
	if err := decode.Text(text, &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// answer is what the parts of one response come to.
type answer struct {
	Text    string
	Tools   []sources.Tool
	Todos   []sources.Todo
	Files   []sources.FileTouch
	Plan    *sources.Artifact
	Refs    []sources.Ref
	Acts    []sources.Act
	Model   string
	Unknown map[string]int
}

func read(t testing.TB, response, result string) answer {
	t.Helper()
	return answerOf(chatlog.Request{Response: parsed[chatlog.Response](t, response), Result: parsed[*chatlog.Result](t, result)})
}

// answerOf converts a session of one request. Its files and references are of no turn here.
func answerOf(r chatlog.Request) answer {
	r.Message = &chatlog.Message{Text: "ask"}
	s, unknown := Convert(&chatlog.Session{Requests: []*chatlog.Request{&r}}, "", sources.Place{Guessed: true})
	a := answer{Text: s.Turns[0].Assistant, Tools: s.Turns[0].Tools, Todos: s.Todos, Files: s.Files, Refs: s.Refs, Acts: s.Acts, Model: s.Turns[0].Model}
	for i := range a.Files {
		a.Files[i].Turn = -1
	}
	for i := range a.Refs {
		a.Refs[i].Turn = -1
	}
	for _, one := range s.Artifacts {
		if one.Kind == sources.Plan {
			a.Plan = &one
		}
	}
	if len(unknown) > 0 {
		a.Unknown = unknown
	}
	return a
}

// TestGolden reads the answers of a rich session, kinds side by side.
func TestGolden(t *testing.T) {
	data := expect.Value(os.ReadFile("testdata/rich.json"))(t)
	var answers []answer
	for _, request := range parsed[[]chatlog.Request](t, string(data)) {
		request.RequestID, request.Timestamp, request.VariableData.Variables = "", 0, nil
		answers = append(answers, answerOf(request))
	}
	got := expect.Value(json.MarshalIndent(answers, "", "\t"))(t)
	got = append(got, '\n')
	if *update {
		must(t, os.WriteFile("testdata/rich.golden.json", got, 0o644))
	}
	want := expect.Value(os.ReadFile("testdata/rich.golden.json"))(t)
	expect.Is(t, string(got), string(want), "answers differ from testdata/rich.golden.json -update writes it", got)
}

// TestText goes through what kinds of parts put into the text.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, response, want string }{
		{"nothing", `null`, ""},
		{"legacy text", `"Hello."`, "Hello."},
		{"legacy texts", `["Hello", {"value": ", you"}, null, "."]`, "Hello, you."},
		{"legacy object", `{"value": "Hello."}`, "Hello."},
		{"markdownContent", `[{"kind": "markdownContent", "content": "a"}, {"kind": "markdownContent", "content": {"value": "b"}},
			{"kind": "markdownVuln", "content": {"value": "c"}, "vulnerabilities": []}]`, "abc"},
		{"icons", `[{"value": "$(check) done, ` + "`$(pwd)`" + ` stays", "supportThemeIcons": true}, {"value": " $(check)"}]`,
			"done, `$(pwd)` stays $(check)"},
		{"warning and info", `[{"value": "a"}, {"kind": "warning", "content": {"value": "w"}}, {"kind": "info", "content": "i\n\n- x"}, {"value": "b"}]`,
			"a\n\n**Warning:** w\n\n**Note:**\n\ni\n\n- x\n\nb"},
		{"hook", `[{"kind": "hook", "hookType": "PostToolUse"}, {"kind": "hook", "stopReason": "blocked"}]`, "**Warning:** blocked"},
		{"notification", `[{"kind": "systemNotification", "content": {"value": "n"}}]`, "**Notification:** n"},
		{"progress", `[{"kind": "progressMessage", "content": {"value": "skipped"}}, {"kind": "progressTask", "content": {"value": "Indexing"}}]`, "*Indexing*"},
		{"command", `[{"kind": "command", "command": {"title": "Open"}}]`, "*Open*"},
		{"confirmation", `[{"kind": "confirmation", "title": "Go on?", "message": {"value": "It was long."}}]`, "**Go on?** It was long."},
		{"elicitation", `[{"kind": "elicitation", "title": {"value": "Sign in"}, "message": "to *docs*", "state": "accepted",
			"acceptedResult": {"user": "dev", "again": true, "n": 3}}]`,
			"**Sign in** to *docs*\n\n**Answer:** accepted\n\n- user: dev\n- again: yes\n- n: 3"},
		{"hidden elicitation", `[{"kind": "elicitationSerialized", "title": "t", "message": "m", "isHidden": true}]`, ""},
		{"rejected plan", `[{"kind": "planReview", "title": "Plan A", "content": "1. x", "actions": [{"id": "go", "label": "Start"}],
			"data": {"action": "go", "rejected": true, "feedback": "no\nno"}}]`,
			"**Plan A**\n\n1. x\n\n**Decision:** rejected\n\n**Feedback:**\n\nno\nno"},
		{"plan with an open fence", `[{"kind": "planReview", "content": "~~~sh\nmake", "data": {"action": "go"}, "actions": [{"id": "go", "label": "Start"}]}]`,
			"~~~sh\nmake\n~~~\n\n**Decision:** Start"},
		{"questions", `[{"kind": "questionCarousel", "message": "Please say", "questions": [
			{"id": "a", "title": "Which?", "options": [{"id": "1", "label": "One", "value": "v1"}, {"id": "2", "label": "Two"}]},
			{"id": "b", "title": "Free", "message": {"value": "What ` + "`x`" + `?"}}, {"id": "c", "title": "Skipped"}, {"id": "d"}],
			"data": {"a": {"selectedValues": ["v1", "2"], "freeformValue": "or\nthree"}, "b": "all of it", "d": {"selectedValue": "y"}}}]`,
			"Please say\n\n- **Which?**\n  - One, Two, or three\n- **Free:** What x?\n  - all of it\n- **Skipped**\n  - *no answer*\n- **d**\n  - y"},
		{"tree", `[{"kind": "treeData", "treeData": {"label": "src", "uri": {"path": "/src"}, "children": [{"label": "a", "children": [{"uri": {"path": "/src/a/b.go"}}]}]}},
			{"label": "bare", "uri": {"path": "/bare"}}]`, "- `src`\n  - `a`\n    - `b.go`\n\n- `bare`"},
		{"pull request without address", `[{"kind": "pullRequest", "title": "Fix", "linkTag": "#42", "command": {"id": "x"}}]`, "**Pull request:** #42 Fix"},
		{"pull request, hostile", `[{"kind": "pullRequest", "title": "a](javascript:x) [b", "linkTag": "", "uri": "https://h.example/o/r/pull/3?a=)"}]`,
			`**Pull request:** [#3 a\](javascript:x) \[b](https://h.example/o/r/pull/3?a=%29)`},
		{"pull request, no page", `[{"kind": "pullRequest", "title": "x", "uri": "command:evil"}]`, "**Pull request:** x"},
		{"changed files in a row", `[{"kind": "externalEdit", "uri": {"path": "/w/a.go"}, "editKind": "create", "diff": {"added": 2, "removed": 0}},
			{"kind": "undoStop", "id": "u"}, {"kind": "externalEdit", "uri": {"path": "/w/b.go"}, "originalUri": {"path": "/w/c.go"}, "editKind": "rename"}, {"value": "end"}]`,
			"**Changed files**\n\n- created `a.go` (+2 −0)\n- renamed `c.go` to `b.go`\n\nend"},
		{"label of a code block", `[{"value": "See\n\n` + "```go\\n" + `"}, {"kind": "codeblockUri", "uri": {"path": "/w/a.go"}}, {"value": "x := 1\n` + "```" + `"}]`,
			"See\n\n`a.go`:\n\n```go\nx := 1\n```"},
		{"unclosed code block before a call", `[{"value": "` + "```go\\nx" + `"}, {"kind": "toolInvocationSerialized", "toolId": "t"}, {"value": "y"}]`,
			"```go\nx\n```\n\ny"},
		{"unclosed code block at the end", `[{"value": "  ~~~~\nx"}]`, "  ~~~~\nx\n  ~~~~"},
		{"thinking between paragraphs", `[{"value": "a."}, {"kind": "thinking", "value": "secret"}, {"value": "b."}]`, "a.\n\nb."},
		{"blank lines", `["\n\n  \n  a", "\n\n", {"kind": "thinking"}, "\n \nb\n\n"]`, "  a\n\nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect.Is(t, read(t, c.response, `{}`).Text, c.want)
		})
	}
}

func TestModelAndRefs(t *testing.T) {
	a := read(t, `[{"kind": "autoModeResolution", "resolved": {"name": "GPT-5.2"}},
		{"kind": "pullRequest", "title": "T", "linkTag": "#9", "uri": {"scheme": "https", "authority": "GitHub.com", "path": "/o/r/pull/7"}},
		{"kind": "toolInvocationSerialized", "toolId": "github-pull-request_create", "isComplete": true,
		 "toolSpecificData": {"kind": "pullRequest", "title": "U", "linkTag": "#8"}}]`, `{}`)
	want := []sources.Ref{{Type: sources.PR, Value: "7", Text: "T", Repo: "github.com/o/r", Turn: -1}, {Type: sources.PR, Value: "8", Text: "U", Turn: -1}}
	expect.Deep(t, a.Refs, want, "refs")
	expect.Is(t, a.Model, "GPT-5.2", "model")
	if a := read(t, `[{"kind": "autoModeResolution", "resolvedModel": "gpt-5-mini", "resolvedModelName": "GPT-5 mini"}]`, `{}`); a.Model != "gpt-5-mini" {
		t.Errorf("model %q", a.Model)
	}
}

// FuzzRead guards that no list of parts, however odd, breaks the reader or gives
// offsets that point nowhere.
func FuzzRead(f *testing.F) {
	rich := expect.Value(os.ReadFile("testdata/rich.json"))(f)
	var requests []struct{ Response, Result json.RawMessage }
	must(f, json.Unmarshal(rich, &requests))
	for _, r := range requests {
		f.Add(string(r.Response), string(r.Result))
	}
	f.Add("[\"é\\n```\", {\"kind\":\"toolInvocation\",\"toolCallId\":\"a\",\"subAgentInvocationId\":\"a\"}, {\"kind\":\"textEditGroup\"}, \"`\\n```\"]", "{}")
	f.Add("[\"```\\n\",{\"kind\":\"codeblockUri\",\"isEdit\":true},\"x\\n```\\ny\",{\"kind\":\"textEditGroup\",\"uri\":{\"path\":\"/`a`\"}}]", "{}")
	f.Fuzz(func(t *testing.T, response, result string) {
		var parts chatlog.Response
		var of *chatlog.Result
		if decode.Text(response, &parts) == nil && decode.Text(result, &of) == nil {
			check(t, answerOf(chatlog.Request{Response: parts, Result: of}))
		}
	})
}

func check(t *testing.T, a answer) {
	t.Helper()
	for i, tool := range a.Tools {
		if tool.After < 0 || tool.After > len(a.Text) || tool.After < len(a.Text) && !startsRune(a.Text, tool.After) {
			t.Errorf("call %d stands at %d of %q", i, tool.After, a.Text)
		}
		if i > 0 && tool.After < a.Tools[i-1].After {
			t.Errorf("call %d stands before the one before it", i)
		}
		if tool.Within < 0 || tool.Within > len(a.Tools) || tool.Within == i+1 {
			t.Errorf("call %d is within %d", i, tool.Within)
		}
		if len(tool.Detail) > tools.DetailSize || strings.ContainsAny(tool.Detail, "\r\n") || len(tool.Name) > tools.DetailSize {
			t.Errorf("detail %q of %q", tool.Detail, tool.Name)
		}
	}
	seen := make(map[[2]string]bool)
	for _, file := range a.Files {
		if key := [2]string{file.Path, file.Kind}; file.Path == "" || seen[key] {
			t.Errorf("file %q twice or without a path", file.Path)
		} else {
			seen[key] = true
		}
	}
}

func startsRune(s string, i int) bool { return s[i]&0xc0 != 0x80 }
