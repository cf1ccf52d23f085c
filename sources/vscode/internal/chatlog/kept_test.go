package chatlog

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// of keeps one request of members.
func of(t testing.TB, members string, images bool) string {
	t.Helper()
	d := decode.New(strings.NewReader(`{"requests":[{` + members + `}]}`))
	d.Large = images
	s := &Session{}
	err := d.Read(s)
	must(t, err)
	return strings.TrimSuffix(strings.TrimPrefix(dump(s), `{"requests":[`), `]}`)
}

func TestKeptOfARequest(t *testing.T) {
	uri := `{"$mid":1,"fsPath":"/a.go","external":"file:///a.go","path":"/a.go","scheme":"file","_sep":1}`
	for name, c := range map[string]struct{ in, want string }{
		"result": {
			`"result":{"errorDetails":{"message":"no","code":"canceled","responseIsFiltered":true,"confirmationButtons":[{"data":1}]},"timings":{"totalElapsed":5},"details":"M • 1x","nextQuestion":{},
			"usage":{"promptTokens":1,"promptTokenDetails":[1]},"metadata":{"sessionId":"x","agentId":"a","modelMessageId":"m","responseId":"r","cacheKey":"file:///w","resolvedModel":"M",
			"promptTokens":2,"outputTokens":3,"maxToolCallsExceeded":true,"toolCallResults":{"c":{"content":[{"value":"secret"}]}},"codeBlocks":[{"code":"secret"}],"renderedGlobalContext":[{"text":"secret"}],
			"globalContextCacheKey":"k","summaries":[{"toolCallRoundId":"t","text":"sum","model":"m","usage":{}}]}}`,
			`{"result":{"errorDetails":{"message":"no","code":"canceled","responseIsFiltered":true},"details":"M • 1x","usage":{"promptTokens":1},"metadata":{"sessionId":"x","cacheKey":"file:///w","globalContextCacheKey":"k","resolvedModel":"M","promptTokens":2,"outputTokens":3,"summaries":[{"text":"sum"}]},"timings":{"totalElapsed":5}}}`,
		},
		"rounds": {
			`"result":{"metadata":{"toolCallRounds":[{"id":"t","response":"secret","thinking":{"text":"secret"},"statefulMarker":{},"toolInputRetry":0,"toolCalls":[{"id":"c__vscode-1","name":"create_file","arguments":"{\"filePath\":\"/a.go\",\"content\":\"secret\"}"}]}]}}`,
			`{"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"c__vscode-1","name":"create_file","arguments":{"filePath":"/a.go"}}]}]}}}`,
		},
		"rendered prompt": {
			`"result":{"metadata":{"renderedUserMessage":[{"type":1,"text":"<workspace_info>\nfolder /w\n</workspace_info> secret <repoContext>Repository name: x"},{"type":3,"cacheType":"e"},{"type":1,"text":"y</repoContext>"}]}}`,
			`{"result":{"metadata":{"renderedUserMessage":"Repository name: xy"}}}`,
		},
		"rendered prompt without": {`"result":{"metadata":{"renderedUserMessage":[{"text":"<context>"}]}}`, `{"result":{}}`},
		"agent": {`"agent":{"extensionId":{"value":"GitHub.copilot-chat","_lower":"x"},"id":"i","name":"agent","fullName":"F","metadata":{"sampleRequest":"x"},"slashCommands":[{}]}`,
			`{"agent":{"name":"agent","id":"i"}}`},
		"references": {`"contentReferences":[{"kind":"reference","reference":` + uri + `,"options":{"status":{}}},{"kind":"reference","reference":{"uri":` + uri + `,"range":{"startLineNumber":1}}},{"kind":"reference","reference":{"variableName":"v","value":{"uri":` + uri + `}}},{"kind":"reference","reference":"text"}]`,
			`{"contentReferences":[{"reference":{"scheme":"file","path":"/a.go"}},{"reference":{"uri":"file:///a.go","range":{"startLineNumber":1}}},{"reference":{"value":{"uri":"file:///a.go"}}},{"reference":{"Text":"text"}}]}`},
		"citations": {`"codeCitations":[{"value":` + uri + `,"license":"MIT","snippet":"secret"}]`, `{"codeCitations":[{"value":{"scheme":"file","path":"/a.go"},"license":"MIT"}]}`},
		"left out":  {`"followups":[{"message":"x"}],"usedContext":{"documents":[]},"requestId":"r","vote":1`, `{"requestId":"r"}`},
		"very old":  {`"message":"hi","response":["a","b"]`, `{"message":{"text":"hi"},"response":{"Parts":[{"value":{"value":"a"}},{"value":{"value":"b"}}]}}`},
		"mode":      {`"modeInfo":{"kind":"agent","modeInstructions":{"name":"Plan","content":"secret"}}`, `{"modeInfo":{"kind":"agent","modeInstructions":{"name":"Plan"}}}`},
	} {
		expect.Is(t, of(t, c.in, false), c.want, name)
	}
}

func TestLongValuesAreCut(t *testing.T) {
	long := strings.Repeat("é", 3000)
	for in, want := range map[string]int{
		`"response":[{"value":"` + long + `"}]`: len(long),
		`"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"arguments":"{\"pattern\":\"x` + long + `\"}"}]}]}}`:           2047,
		`"result":{"metadata":{"renderedUserMessage":[{"text":"<repoContext>` + long + `"}]}}`:                                 maxShort,
		`"variableData":{"variables":[{"kind":"string","value":"` + long + `"},{"value":"x"}]}`:                                0,
		`"variableData":{"variables":[{"kind":"diagnostic","problemMessage":"` + long + `","value":["` + long + `", [1,2]]}]}`: maxShort,
	} {
		if got := of(t, in, false); len(got) < want || len(got) > want+100 || strings.Contains(got, "\ufffd") {
			t.Errorf("%.60s: %d bytes, want %d", in, len(got), want)
		}
	}
}

func argumentsOf(t *testing.T, text string) string {
	t.Helper()
	var a *tools.Arguments
	must(t, decode.Text(strconv.Quote(text), &a))
	return dump(a)
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		`{"filePath":"/a","oldString":"secret","explanation":"why"}`:                                                                                    `{"filePath":"/a"}`,
		`{"urls":["https://x"],"query":"q","nested":{"path":"/no"}}`:                                                                                    `{"query":"q","urls":["https://x"]}`,
		`{"replacements":[{"filePath":"/a","newString":"secret"},{"filePath":"/b"}]}`:                                                                   `{"replacements":[{"filePath":"/a"},{"filePath":"/b"}]}`,
		`{"input":"*** Begin Patch\n*** Update File: /a.go\n*** Move to: /b.go\n@@\n-secret\n*** Add File: /c: d.go\n*** End Patch","explanation":"e"}`: `{"input":{"Files":[{"Path":"/a.go","Kind":"deleted"},{"Path":"/b.go","Kind":"renamed"},{"Path":"/c: d.go","Kind":"created"}]}}`,
		"*** Begin Patch\n*** Delete File: x\n*** End Patch":                                                                                            `{"input":{"Files":[{"Path":"x","Kind":"deleted"}]}}`,
		`{"filePath":"/a","content":"torn`:                                                                                                              `{}`,
		`{"input":"text"}`:                                                                                                                              `{"input":{"Text":"text"}}`,
		``:                                                                                                                                              `{}`,
	} {
		expect.Is(t, argumentsOf(t, in), want, in)
	}
}

// Bytes of images stand there in two forms, and their values are never kept
// unless they are asked for.
func TestEdgeCase17ImageBytes(t *testing.T) {
	data := []byte{0, 1, 254, 255, 10, 13, 77}
	b64 := base64.StdEncoding.EncodeToString(data)
	var asMap []string
	for i, b := range data {
		asMap = append(asMap, fmt.Sprintf(`"%d":%d`, i, b))
	}
	for name, value := range map[string]string{
		"map":    "{" + strings.Join(asMap, ",") + "}",
		"base64": `{"$base64":"` + b64 + `"}`,
	} {
		in := `"variableData":{"variables":[{"kind":"image","id":"i","name":"n","mimeType":"image/png","value":` + value + `,"modelDescription":"x"}]}`
		want := func(v string) string {
			return `{"variableData":{"variables":[{"kind":"image","name":"n","value":{` + v + `}}]}}`
		}
		expect.Is(t, of(t, in, false), want(""), name)
		expect.Is(t, of(t, in, true), want(`"Bytes":"`+b64+`"`), name, "wanted")
	}
	large := `"variableData":{"variables":[{"value":{"$base64":"` + strings.Repeat("A", maxImage*4/3+4) + `"}}]}`
	if got := of(t, large, true); len(got) > 200 {
		t.Errorf("an image that is too large: %.200s", got)
	}
}
