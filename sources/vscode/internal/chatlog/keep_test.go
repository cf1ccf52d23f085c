package chatlog

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// of keeps one request of members.
func of(t testing.TB, members string, opt Options) string {
	t.Helper()
	n, err := DecodeDocument(strings.NewReader(`{"requests":[{`+members+`}]}`), opt)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(dump(n), `{"requests":[`), `]}`)
}

func TestKeptOfARequest(t *testing.T) {
	uri := `{"$mid":1,"fsPath":"/a.go","external":"file:///a.go","path":"/a.go","scheme":"file","_sep":1}`
	short := `{"path":"/a.go","scheme":"file"}`
	for name, c := range map[string]struct{ in, want string }{
		"result": {
			`"result":{"errorDetails":{"message":"no","code":"canceled","responseIsFiltered":true,"confirmationButtons":[{"data":1}]},"timings":{"totalElapsed":5},"details":"M • 1x","nextQuestion":{},
			"usage":{"promptTokens":1,"promptTokenDetails":[1]},"metadata":{"sessionId":"x","agentId":"a","modelMessageId":"m","responseId":"r","cacheKey":"file:///w","resolvedModel":"M",
			"promptTokens":2,"outputTokens":3,"maxToolCallsExceeded":true,"toolCallResults":{"c":{"content":[{"value":"secret"}]}},"codeBlocks":[{"code":"secret"}],"renderedGlobalContext":[{"text":"secret"}],
			"globalContextCacheKey":"k","summaries":[{"toolCallRoundId":"t","text":"sum","model":"m","usage":{}}]}}`,
			`{"result":{"details":"M • 1x","errorDetails":{"code":"canceled","message":"no","responseIsFiltered":true},"metadata":{"agentId":"a","cacheKey":"file:///w","globalContextCacheKey":"k","maxToolCallsExceeded":true,` +
				`"modelMessageId":"m","outputTokens":3,"promptTokens":2,"resolvedModel":"M","responseId":"r","sessionId":"x","summaries":[{"model":"m","text":"sum","toolCallRoundId":"t"}]},"timings":{"totalElapsed":5},"usage":{"promptTokens":1}}}`,
		},
		"rounds": {
			`"result":{"metadata":{"toolCallRounds":[{"id":"t","response":"secret","thinking":{"text":"secret"},"statefulMarker":{},"toolInputRetry":0,"toolCalls":[{"id":"c__vscode-1","name":"create_file","arguments":"{\"filePath\":\"/a.go\",\"content\":\"secret\"}"}]}]}}`,
			`{"result":{"metadata":{"toolCallRounds":[{"id":"t","toolCalls":[{"arguments":{"filePath":"/a.go"},"id":"c__vscode-1","name":"create_file"}]}]}}}`,
		},
		"rendered prompt": {
			`"result":{"metadata":{"renderedUserMessage":[{"type":1,"text":"<workspace_info>\nfolder /w\n</workspace_info> secret <repoContext>Repository name: x"},{"type":3,"cacheType":"e"},{"type":1,"text":"y</repoContext>"}]}}`,
			`{"result":{"metadata":{"renderedUserMessage":{"repoContext":"Repository name: xy","workspaceInfo":"\nfolder /w\n"}}}}`,
		},
		"rendered prompt without": {`"result":{"metadata":{"renderedUserMessage":[{"text":"<context>"}]}}`, `{"result":{"metadata":{}}}`},
		"agent": {`"agent":{"extensionId":{"value":"GitHub.copilot-chat","_lower":"x"},"id":"i","name":"agent","fullName":"F","metadata":{"sampleRequest":"x"},"slashCommands":[{}]}`,
			`{"agent":{"extensionId":{"value":"GitHub.copilot-chat"},"fullName":"F","id":"i","name":"agent"}}`},
		"references": {`"contentReferences":[{"kind":"reference","reference":` + uri + `,"options":{"status":{}}},{"kind":"reference","reference":{"uri":` + uri + `,"range":{"startLineNumber":1}}},` +
			`{"kind":"reference","reference":{"variableName":"v","value":{"uri":` + uri + `}}},{"kind":"reference","reference":"text"}]`,
			`{"contentReferences":[{"kind":"reference","reference":` + short + `},{"kind":"reference","reference":{"range":{"startLineNumber":1},"uri":` + short + `}},` +
				`{"kind":"reference","reference":{"value":{"uri":` + short + `},"variableName":"v"}},{"kind":"reference","reference":"text"}]}`},
		"citations": {`"codeCitations":[{"value":` + uri + `,"license":"MIT","snippet":"secret"}]`, `{"codeCitations":[{"license":"MIT","value":` + short + `}]}`},
		"left out":  {`"followups":[{"message":"x"}],"usedContext":{"documents":[]},"requestId":"r","vote":1`, `{"requestId":"r","vote":1}`},
		"very old":  {`"message":"hi","response":["a","b"]`, `{"message":"hi","response":["a","b"]}`},
		"external":  {`"editedFileEvents":[{"uri":{"external":"file:///x","fsPath":"/x"},"eventKind":1}]`, `{"editedFileEvents":[{"eventKind":1,"uri":{"external":"file:///x","fsPath":"/x"}}]}`},
		"mode":      {`"modeInfo":{"kind":"agent","modeInstructions":{"name":"Plan","content":"secret"}}`, `{"modeInfo":{"kind":"agent","modeInstructions":{"name":"Plan"}}}`},
	} {
		if got := of(t, c.in, Options{}); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

func TestKeptOfParts(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"markdown": {`{"value":"text","supportThemeIcons":true,"uris":{"file:///x":{"path":"/x","$mid":1}}}`, `{"supportThemeIcons":true,"uris":{"file:///x":{"path":"/x"}},"value":"text"}`},
		"thinking": {`{"kind":"thinking","value":"secret","id":"t"}`, `{"id":"t","kind":"thinking"}`},
		"edits":    {`{"kind":"textEditGroup","uri":{"path":"/x"},"edits":[[{"text":"secret"}],[]],"done":true}`, `{"done":true,"edits":[null,null],"kind":"textEditGroup","uri":{"path":"/x"}}`},
		"renames":  {`{"kind":"workspaceEdit","edits":[{"oldResource":{"path":"/x"},"newResource":{"path":"/y"},"metadata":{}}]}`, `{"edits":[{"newResource":{"path":"/y"},"oldResource":{"path":"/x"}}],"kind":"workspaceEdit"}`},
		"terminal": {`{"kind":"toolInvocationSerialized","toolSpecificData":{"kind":"terminal","commandLine":{"original":"ls"},"cwd":{"path":"/w"},"terminalCommandOutput":{"text":"secret"},"terminalCommandState":{"exitCode":1}}}`,
			`{"kind":"toolInvocationSerialized","toolSpecificData":{"commandLine":{"original":"ls"},"cwd":{"path":"/w"},"kind":"terminal","terminalCommandState":{"exitCode":1}}}`},
		"details": {`{"resultDetails":{"input":"{\"query\":\"q\"}","output":[{"type":"embed","value":"secret"}],"isError":true}}`, `{"resultDetails":{"input":{"query":"q"},"isError":true}}`},
		"image":   {`{"resultDetails":{"output":{"type":"data","mimeType":"image/png","base64Data":"secret"}}}`, `{"resultDetails":{}}`},
		"tree":    {`{"kind":"treeData","treeData":{"label":"a","uri":{"path":"/a"},"children":[{"label":"b","children":[{"label":"c"}]}]}}`, `{"kind":"treeData","treeData":{"children":[{"children":[{"label":"c"}],"label":"b"}],"label":"a","uri":{"path":"/a"}}}`},
		"answers": {`{"kind":"questionCarousel","questions":[{"id":"q","title":"Which?","options":[{"label":"A"}]}],"data":{"q":{"selectedValue":"A","freeformValue":"B"},"r":"C"}}`,
			`{"data":{"q":{"freeformValue":"B","selectedValue":"A"},"r":"C"},"kind":"questionCarousel","questions":[{"id":"q","options":[{"label":"A"}],"title":"Which?"}]}`},
		"plan":    {`{"kind":"planReview","title":"T","content":{"value":"# Plan"},"planUri":{"path":"/p"},"data":{"action":"go","rejected":false,"feedback":"f"}}`, `{"content":{"value":"# Plan"},"data":{"action":"go","feedback":"f","rejected":false},"kind":"planReview","planUri":{"path":"/p"},"title":"T"}`},
		"diffs":   {`{"kind":"multiDiffData","multiDiffData":{"title":"T","resources":[{"originalUri":{"path":"/a"},"modifiedUri":{"path":"/a"},"added":1,"removed":2}]}}`, `{"kind":"multiDiffData","multiDiffData":{"resources":[{"added":1,"modifiedUri":{"path":"/a"},"originalUri":{"path":"/a"},"removed":2}],"title":"T"}}`},
		"unknown": {`{"kind":"sparkle","n":1,"deep":{"secret":1},"list":["secret"]}`, `{"kind":"sparkle","n":1}`},
	} {
		if got := of(t, `"response":[`+c.in+`]`, Options{}); got != `{"response":[`+c.want+`]}` {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

func TestLongValuesAreCut(t *testing.T) {
	long := strings.Repeat("é", 3000)
	for in, want := range map[string]int{
		`"response":[{"kind":"x","resultError":"` + long + `"}]`:                                                               maxShort,
		`"response":[{"toolSpecificData":{"kind":"subagent","result":"` + long + `"}}]`:                                        maxShort,
		`"response":[{"value":"` + long + `"}]`:                                                                                len(long),
		`"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"arguments":"{\"command\":\"x` + long + `\"}"}]}]}}`:           maxArgument - 1,
		`"result":{"metadata":{"renderedUserMessage":[{"text":"<repoContext>` + long + `"}]}}`:                                 maxShort,
		`"response":[{"resultDetails":[` + strings.Repeat(`{"path":"/x"},`, 500) + `{}]}]`:                                     maxDetails * len(`{"path":"/x"},`),
		`"variableData":{"variables":[{"kind":"string","value":"` + long + `"},{"value":"x"}]}`:                                0,
		`"variableData":{"variables":[{"kind":"generic","value":{"scheme":"file","path":"/x","external":"` + long + `"}}]}`:    0,
		`"variableData":{"variables":[{"kind":"diagnostic","problemMessage":"` + long + `","value":["` + long + `", [1,2]]}]}`: maxShort,
	} {
		if got := of(t, in, Options{}); len(got) < want || len(got) > want+100 || strings.Contains(got, "\ufffd") {
			t.Errorf("%.60s: %d bytes, want %d", in, len(got), want)
		}
	}
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		`{"filePath":"/a","oldString":"secret","explanation":"why"}`:                                                                                    `{"explanation":"why","filePath":"/a"}`,
		`{"urls":["https://x"],"query":"q","nested":{"path":"/no"}}`:                                                                                    `{"query":"q","urls":["https://x"]}`,
		`{"replacements":[{"filePath":"/a","newString":"secret"},{"filePath":"/b"}]}`:                                                                   `{"replacements":[{"filePath":"/a"},{"filePath":"/b"}]}`,
		`{"input":"*** Begin Patch\n*** Update File: /a.go\n*** Move to: /b.go\n@@\n-secret\n*** Add File: /c: d.go\n*** End Patch","explanation":"e"}`: `{"explanation":"e","input":[{"op":"deleted","path":"/a.go"},{"op":"renamed","path":"/b.go"},{"op":"created","path":"/c: d.go"}]}`,
		"*** Begin Patch\n*** Delete File: x\n*** End Patch":                                                                                            `{"input":[{"op":"deleted","path":"x"}]}`,
		`{"filePath":"/a","content":"torn`:                                                                                                              `{}`,
		`{"input":"secret"}`:                                                                                                                            `{}`,
		``:                                                                                                                                              `{}`,
	} {
		if got := dump(arguments().Leaf(tree.NewString(in))); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
}

// Bytes of images stand there in three forms, and their values are never kept
// unless they are asked for.
func TestQuirk17ImageBytes(t *testing.T) {
	data := []byte{0, 1, 254, 255, 10, 13, 77}
	b64 := base64.StdEncoding.EncodeToString(data)
	var asMap, asList []string
	for i, b := range data {
		asMap = append(asMap, fmt.Sprintf(`"%d":%d`, i, b))
		asList = append(asList, fmt.Sprint(b))
	}
	for name, value := range map[string]string{
		"map":    "{" + strings.Join(asMap, ",") + "}",
		"base64": `{"$base64":"` + b64 + `"}`,
		"buffer": `{"type":"Buffer","data":[` + strings.Join(asList, ",") + `]}`,
	} {
		in := `"variableData":{"variables":[{"kind":"image","id":"i","name":"n","mimeType":"image/png","value":` + value + `,"modelDescription":"x"}]}`
		want := func(v string) string {
			return `{"variableData":{"variables":[{"id":"i","kind":"image","mimeType":"image/png","name":"n","value":` + v + `}]}}`
		}
		if got := of(t, in, Options{}); got != want(`{"bytes":7}`) {
			t.Errorf("%s: %s", name, got)
		}
		if got := of(t, in, Options{Images: true}); got != want(`{"base64":"`+b64+`","bytes":7}`) {
			t.Errorf("%s, wanted: %s", name, got)
		}
	}
	large := `"variableData":{"variables":[{"value":{"$base64":"` + strings.Repeat("A", maxImage*4/3+4) + `"}}]}`
	if got := of(t, large, Options{Images: true}); len(got) > 200 || !strings.Contains(got, `"bytes"`) {
		t.Errorf("an image that is too large: %.200s", got)
	}
}
