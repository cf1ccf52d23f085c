package chat

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestModes(t *testing.T) {
	tests := []struct{ info, want string }{
		{`{"kind":"agent","isBuiltin":true}`, "agent"},
		{`{"kind":"agent","isBuiltin":false,"modeInstructions":{"name":"Plan"}}`, "Plan"},
		{`{"kind":"agent","telemetryModeId":"custom","telemetryModeName":"Review"}`, "Review"},
		{`{"modeId":"edit"}`, "edit"},
		{`null`, ""},
	}
	for _, tt := range tests {
		equal(t, tt.info, one(t, ask(1, "a", "b", `"modeInfo":`+tt.info)).Mode, tt.want)
	}
}

func TestTokensOfEveryAge(t *testing.T) {
	tests := []struct {
		more string
		want *sources.Tokens
	}{
		{`"promptTokens":10,"completionTokens":2,"result":{"usage":{"promptTokens":99}}`, &sources.Tokens{In: 10, Out: 2}},
		{`"completionTokens":2`, &sources.Tokens{Out: 2}},
		{`"result":{"usage":{"promptTokens":10,"completionTokens":2}}`, &sources.Tokens{In: 10, Out: 2}},
		{`"result":{"metadata":{"promptTokens":10,"outputTokens":2}}`, &sources.Tokens{In: 10, Out: 2}},
		{`"promptTokens":-5`, nil},
		{``, nil},
	}
	for _, tt := range tests {
		expect.Deep(t, one(t, ask(1, "a", "b", tt.more)).Tokens, tt.want, tt.more)
	}
}

func TestCitationsAreLicenceAndAddress(t *testing.T) {
	got := one(t, ask(1, "a", "b", `"codeCitations":[
		{"license":"MIT","value":{"scheme":"https","authority":"example.com","path":"/x"},"snippet":"secret"},
		{"license":"MIT","value":"https://example.com/x"},{"license":"GPL-3.0","value":"https://example.com/y"},{}]`)).Citations
	want := []sources.Citation{{License: "MIT", Value: "https://example.com/x"}, {License: "GPL-3.0", Value: "https://example.com/y"}}
	expect.List(t, got, want)
}

func TestFilesAndVerdicts(t *testing.T) {
	got := convert(t, sessionOf(ask(1, "a", "b", ""), `{"requestId":"request_2","timestamp":1794216060000,"message":{"text":"edit"},"response":[
		{"kind":"textEditGroup","uri":{"scheme":"file","path":"/src/p/a.go"},"edits":[[]],"done":true}],
		"editedFileEvents":[{"uri":{"scheme":"file","path":"/src/p/a.go"},"eventKind":1},{"uri":{"scheme":"file","path":"/src/p/b/c.go"},"eventKind":2},
			{"uri":{"scheme":"file","path":"/src/p/d.go"},"eventKind":3}],
		"variableData":{"variables":[{"kind":"file","value":{"scheme":"file","path":"/else/e.go"}}]},
		"contentReferences":[{"kind":"reference","reference":{"uri":{"scheme":"file","path":"/else/f.go"},"range":{}}},
			{"kind":"reference","reference":{"scheme":"file","path":"/src/p/a.go"}},{"kind":"reference","reference":"a text: /x"},
			{"kind":"reference","reference":{"variableName":"v","value":{"scheme":"file","path":"/else/g.go"}}}],
		"modelState":{"value":1,"completedAt":1794216090000}}`))
	at := time.UnixMilli(1794216090000).UTC()
	want := []sources.FileTouch{
		{Path: "/src/p/a.go", Kind: sources.Edited, Turn: 1, At: at, Verdict: sources.Accepted},
		{Path: "/src/p/b/c.go", Kind: sources.Edited, Turn: 1, At: at, Verdict: sources.Rejected},
		{Path: "/else/e.go", Kind: sources.Viewed, Turn: 1, At: at},
		{Path: "/else/f.go", Kind: sources.Mentioned, Turn: 1, At: at},
		{Path: "/else/g.go", Kind: sources.Mentioned, Turn: 1, At: at},
	}
	for i := range got.Session.Files {
		got.Session.Files[i].Tool = ""
	}
	expect.List(t, got.Session.Files, want)
	equal(t, "root", got.Session.Place.Cwd, "/src/p")
}

func TestEditedRoot(t *testing.T) {
	tests := []struct {
		paths string
		want  string
	}{
		{"/home/dev/src/w/a.go /home/dev/src/w/b/c.go", "/home/dev/src/w"},
		{"/srv/w/a.go", "/srv/w"},
		{"c:/Users/dev/w/a.go C:\\x", ""},
		{`c:/Users/dev/w/a.go c:\Users\dev\w\b.go`, "c:/Users/dev/w"},
		{"/home/dev/a.go /home/dev/w/b.go", ""},
		{"/tmp/a.go", ""},
		{"relative.go", ""},
	}
	for _, tt := range tests {
		files := []sources.FileTouch{{Path: "/other/x", Kind: sources.Viewed}}
		for p := range strings.FieldsSeq(tt.paths) {
			files = append(files, sources.FileTouch{Path: p, Kind: sources.Edited})
		}
		equal(t, tt.paths, editedRoot(files), tt.want)
	}
}

func TestCompactionSummariesAreArtifacts(t *testing.T) {
	long := "First paragraph.\r\n\r\n" + strings.Repeat("x", maxSummary)
	got := convert(t, sessionOf(
		ask(1, "a", "b", `"result":{"metadata":{"summary":{"text":"Old one","toolCallRoundId":"r"}}}`),
		ask(2, "a", "b", `"result":{"metadata":{"summary":{"text":"repeated"},"summaries":[{"text":"Short"},{"text":" "},{"text":"`+strings.ReplaceAll(long, "\r\n", `\r\n`)+`"}]}}`),
	)).Session
	var names []string
	for _, a := range got.Artifacts {
		names = append(names, a.Kind+" "+a.Name+" "+a.Text[:5])
	}
	expect.List(t, names, []string{"summary summary-1.md Old o", "summary summary-2.md Short", "summary summary-3.md First"})
	if got.Summary != "First paragraph." || got.SummaryFrom != sources.TrustDerived || len(got.Checkpoints) != 0 {
		t.Errorf("%q %d", got.Summary, got.SummaryFrom)
	}
}

func TestPlace(t *testing.T) {
	request := func(n int, metadata string) string {
		return ask(n, "a", "b", `"result":{"metadata":{`+metadata+`}}`)
	}
	told := `"renderedUserMessage":[{"text":"<repoContext>Below is the information\nRepository name: widget\nOwner: octo-org\nCurrent branch: %s\nDefault branch: main\n</repoContext>"},
		{"text":"<workspace_info>I am working in a workspace with the following folders:\n- /src/widget \nI am working in a workspace that has the following structure:\n- no folder\n</workspace_info>"}]`
	header := `"repoData":{"remoteUrl":"https://me:token@github.com/octo-org/widget.git","remoteVendor":"github","remoteBaseBranch":"main"},"workingDirectory":"file:///src/own",`
	requests := `"requests":[` + request(1, `"cacheKey":"file:///src/cached",`+strings.ReplaceAll(told, "%s", "one")) + "," +
		request(2, `"cacheKey":"file:///else",`+strings.ReplaceAll(told, "%s", "two")) + `]}`
	repo := sources.Place{Cwd: "/src/own", Repository: "https://me:token@github.com/octo-org/widget.git", BaseBranch: "main", HostType: "github", Branch: "two", Guessed: true}
	expect.Deep(t, convert(t, `{`+header+requests).Session.Place, repo, "noted")
	said := sources.Place{Cwd: "/src/cached", Repository: "octo-org/widget", HostType: "github", Branch: "two", Guessed: true}
	expect.Deep(t, convert(t, `{`+requests).Session.Place, said, "said")
	s, _ := Convert(parse(t, `{`+header+requests, false), "", sources.Place{Cwd: "/w"})
	if repo.Cwd, repo.Guessed = "/w", false; !reflect.DeepEqual(s.Place, repo) {
		t.Errorf("of a workspace: %+v", s.Place)
	}
}

func TestFoldersOfAWorkspace(t *testing.T) {
	tests := []struct {
		name      string
		got, want []string
	}{
		{"cache of two", cachedFolders("file:///a%20b,vscode-remote://wsl%2BUbuntu/c"), []string{"/a b", "/c"}},
		{"cache with a comma", cachedFolders("file:///a,b"), []string{"/a,b"}},
		{"cache of none", cachedFolders(""), nil},
	}
	for _, tt := range tests {
		expect.Deep(t, tt.got, tt.want, tt.name)
	}
}

func TestADraftIsNoFact(t *testing.T) {
	got := convert(t, `{"requests":[`+ask(1, "a", "b", "")+`],"inputState":{"inputText":"unsent","mode":{"kind":"ask"},"selectedModel":{"identifier":"copilot/x"}},
		"pendingRequests":[{"id":"p","request":{"message":{"text":"unsent"}}}]}`).Session
	if text := asJSON(t, got); strings.Contains(text, "unsent") || got.Turns[0].Mode != "" || got.Models != nil {
		t.Error(text)
	}
}
