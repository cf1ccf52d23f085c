package chat

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestEdgeCase02ExportsHaveNoID(t *testing.T) {
	export := func(request string) string {
		return `{"responderUsername":"GitHub Copilot","requests":[null,` + request + `]}`
	}
	old := `{"message":"hello","response":["hi"],"providerRequestId":%q}`
	tests := []struct{ name, state, want string }{
		{"first request", export(ask(7, "hi", "there", "")), "vscode:export:7"},
		{"provider's id", export(fmt.Sprintf(old, "5fa1-77")), "vscode:export:5fa1-77"},
		{"response id", export(`{"message":"hello","response":"hi","responseId":"response_a1"}`), "vscode:export:a1"},
		{"what was said", export(fmt.Sprintf(old, "")), "vscode:export:"},
		{"no plain name", export(fmt.Sprintf(old, "../../etc [x]")), "vscode:export:"},
		{"session", sessionOf(ask(7, "hi", "there", "")), testID},
	}
	for _, tt := range tests {
		got := convert(t, tt.state).Session.ID
		switch {
		case tt.name == "what was said" || tt.name == "no plain name":
			if rest := strings.TrimPrefix(got, "vscode:export:"); len(rest) != 16 || rest == got {
				t.Errorf("%s: id %q", tt.name, got)
			}
		case got != tt.want:
			t.Errorf("%s: id %q, want %q", tt.name, got, tt.want)
		}
	}
	if s := convert(t, export(ask(7, "hi", "there", ""))).Session; len(s.Aliases) != 0 {
		t.Errorf("an export is also known as itself: %q", s.Aliases)
	}
	if s := convert(t, sessionOf(ask(7, "hi", "there", ""))).Session; !slices.Equal(s.Aliases, []string{"vscode:export:7"}) {
		t.Errorf("a session does not know its export: %q", s.Aliases)
	}
}

func TestEdgeCase03GrowingCopiesAreOneSession(t *testing.T) {
	small := convert(t, `{"requests":[`+ask(1, "a", "b", "")+`]}`).Session
	large := convert(t, `{"requests":[`+ask(1, "a", "b", "")+","+ask(2, "c", "d", "")+`]}`).Session
	equal(t, "id", large.ID, small.ID)
	equal(t, "id of the first turn", large.Turns[0].ID, small.Turns[0].ID)
}

func TestEdgeCase07TitlesComeLate(t *testing.T) {
	tests := []struct {
		header, title string
		trust         sources.Trust
	}{
		{`"customTitle":"Given","computedTitle":"Made"`, "Given", sources.TrustCustom},
		{`"computedTitle":"Made"`, "Made", sources.TrustDerived},
		{`"customTitle":" "`, "", sources.TrustNone},
	}
	for _, tt := range tests {
		s := convert(t, `{`+tt.header+`,"requests":[`+ask(1, "a", "b", "")+`]}`).Session
		if s.Title != tt.title || s.TitleFrom != tt.trust {
			t.Errorf("%s: %q (%d)", tt.header, s.Title, s.TitleFrom)
		}
	}
}

func TestEdgeCase17VariablesAreNamedNotPrinted(t *testing.T) {
	const secret = "the whole file"
	tests := []struct{ name, variable, kind, want string }{
		{"file", `{"kind":"file","name":"x.go","value":{"scheme":"file","path":"/src/x.go"}}`, "file", "/src/x.go"},
		{"selection", `{"kind":"file","value":{"uri":{"scheme":"file","path":"/src/x.go"},"range":{"startLineNumber":3,"endLineNumber":9}}}`, "selection", "/src/x.go:3-9"},
		{"oldest", `{"name":"selection","values":[{"level":"full","value":"` + secret + `"}]}`, "context", "selection"},
		{"directory", `{"kind":"directory","value":{"scheme":"file","path":"/src"}}`, "directory", "/src"},
		{"symbol", `{"kind":"symbol","name":"Run","value":{"uri":{"scheme":"file","path":"/a.go"},"range":{"startLineNumber":4,"endLineNumber":4}}}`, "symbol", "Run (/a.go:4)"},
		{"paste", `{"kind":"paste","name":"Pasted code","code":"` + secret + `","value":"` + secret + `","copiedFrom":{"uri":{"scheme":"file","path":"/a.go"}}}`, "paste", "Pasted code (/a.go)"},
		{"terminal", `{"kind":"terminalCommand","name":"t","command":"make\nall","output":"` + secret + `","exitCode":2}`, "terminal", "make all (exit code 2)"},
		{"problem", `{"kind":"diagnostic","problemMessage":"unused x","filterUri":{"scheme":"file","path":"/a.go"},"filterRange":{"startLineNumber":7}}`, "problem", "unused x (/a.go:7)"},
		{"image of bytes", `{"kind":"image","name":"shot.png","value":{"bytes":9}}`, "image", "shot.png"},
		{"generic text", `{"kind":"generic","name":"web","value":"` + secret + `"}`, "context", "web"},
		{"new kind", `{"kind":"hologram","name":"h","value":"` + secret + `"}`, "hologram", "h"},
		{"prompt file", `{"kind":"promptFile","value":{"scheme":"file","path":"/p.prompt.md"},"automaticallyAdded":false}`, "prompt file", "/p.prompt.md"},
		{"implicit", `{"kind":"implicit","enabled":true,"isSelection":true,"value":{"uri":{"scheme":"file","path":"/a.go"},"range":{"startLineNumber":1,"endLineNumber":2}}}`, "selection", "/a.go:1-2"},
		{"implicit, off", `{"kind":"implicit","enabled":false,"value":{"scheme":"file","path":"/a.go"}}`, "", ""},
		{"instructions", `{"kind":"promptFile","value":{"scheme":"file","path":"/p.md"},"automaticallyAdded":true}`, "", ""},
		{"prompt text", `{"kind":"promptText","name":"p","value":"` + secret + `"}`, "", ""},
		{"workspace", `{"kind":"workspace","name":"w","value":"` + secret + `"}`, "", ""},
		{"tool without value", `{"kind":"tool","name":"t"}`, "", ""},
		{"null", `null`, "", ""},
	}
	for _, tt := range tests {
		got := convert(t, sessionOf(ask(1, "a", "b", `"variableData":{"variables":[`+tt.variable+`]}`)))
		expect.Lacks(t, asJSON(t, got.Session), secret, tt.name, "the value is in")
		list := got.Session.Turns[0].Attachments
		switch {
		case tt.kind == "" && len(list) == 0:
		case len(list) != 1 || list[0].Kind != tt.kind || list[0].Name != tt.want:
			t.Errorf("%s: %+v, want %s %q", tt.name, list, tt.kind, tt.want)
		}
		equal(t, tt.name+" is new", got.Unknown["attachment hologram"] == 1, tt.kind == "hologram")
	}
}

func TestEdgeCase17ImagesAreKeptOnDemand(t *testing.T) {
	state := sessionOf(ask(1, "a", "b", `"variableData":{"variables":[{"kind":"image","name":"shot.png","value":{"$base64":"AQID"}}]}`))
	for _, wanted := range []bool{false, true} {
		a := convertState(parse(t, state, wanted)).Session.Turns[0].Attachments
		if len(a) != 1 || slices.Equal(a[0].Content, []byte{1, 2, 3}) != wanted {
			t.Errorf("images %v: %+v", wanted, a)
		}
	}
}

func TestEdgeCase18PromptsNobodyTyped(t *testing.T) {
	tests := []struct{ name, text, more, answer string }{
		{"continue", `@agent Continue: "Continue to iterate?"`, "", "first\n\nthen"},
		{"try again", `@agent Try Again`, "", "first\n\nthen"},
		{"enable", `@GitHubCopilot Enable: the agent`, `"confirmation":"Enable"`, "first\n\n*Enable*\n\nthen"},
		{"localized", `@agent 続行: "反復処理を続行しますか?"`, `"confirmation":"続行"`, "first\n\n*続行*\n\nthen"},
		{"system", "Terminal is done", `"isSystemInitiated":true,"systemInitiatedLabel":"Terminal\n_x_ done"`, "first\n\n*Terminal \\_x\\_ done*\n\nthen"},
		{"hidden prompt", "internal", `"requestHiddenFromTranscript":true`, "first\n\nthen"},
		{"typed", `@workspace where is Continue: "x" used?`, "", ""},
		{"typed with an answer of old", "go on please", `"confirmation":"Enable"`, ""},
	}
	for _, tt := range tests {
		got := convert(t, sessionOf(ask(1, "prompt", "first", ""), ask(2, tt.text, "then", tt.more)))
		turns := got.Session.Turns
		if tt.answer == "" {
			equal(t, tt.name+": turns", len(turns), 2)
			continue
		}
		if len(turns) != 1 || turns[0].Assistant != tt.answer || turns[0].User != "prompt" {
			t.Errorf("%s: %+v", tt.name, turns)
			continue
		}
		equal(t, tt.name+": end", turns[0].End, time.UnixMilli(1794216150000).UTC())
	}
	alone := convert(t, sessionOf(ask(1, "@agent Try Again", "then", ""))).Session.Turns
	if len(alone) != 1 || alone[0].User != "" || alone[0].Assistant != "then" {
		t.Errorf("without a turn before: %+v", alone)
	}
}

func TestEdgeCase19TheModelStandsInManyPlaces(t *testing.T) {
	tests := []struct{ more, want string }{
		{`"modelId":"copilot/claude-opus-4.6"`, "claude-opus-4.6"},
		{`"modelId":"copilot/auto","result":{"metadata":{"resolvedModel":"gpt-5.2"},"details":"GPT-5.2 • 1x"}`, "gpt-5.2"},
		{`"modelId":"copilot/auto","result":{"details":"Claude Opus 4.6 • 3x"}`, "Claude Opus 4.6"},
		{`"modelId":"copilot/auto"`, "auto"},
		{`"result":{"details":"GPT-5.2 • 1x"}`, "GPT-5.2"},
		{`"result":{"details":"two\nlines"}`, ""},
		{`"modelId":"openrouter/meta/llama"`, "llama"},
		{``, ""},
	}
	for _, tt := range tests {
		equal(t, tt.more, one(t, ask(1, "a", "b", tt.more)).Model, tt.want)
	}
	s := convert(t, sessionOf(ask(1, "a", "b", `"modelId":"copilot/x"`), ask(2, "a", "b", `"modelId":"copilot/y"`), ask(3, "a", "b", `"modelId":"copilot/x"`))).Session
	expect.List(t, s.Models, []string{"x", "y"}, "models")
}

func TestEdgeCase20Times(t *testing.T) {
	const at = 1794216000000
	tests := []struct {
		name, members string
		at, end       int64
	}{
		{"completed", `"timestamp":1794216000000,"modelState":{"value":1,"completedAt":1794216009000},"elapsedMs":5`, at, at + 9000},
		{"answered", `"timestamp":1794216000000,"responseTimestamp":1794216007000`, at, at + 7000},
		{"elapsed", `"timestamp":1794216000000,"elapsedMs":4000`, at, at + 4000},
		{"timings", `"timestamp":1794216000000,"result":{"timings":{"totalElapsed":3000}},"timeSpentWaiting":250`, at, at + 3000},
		{"waiting as a point in time", `"timestamp":1794216000000,"timeSpentWaiting":1794216002000`, at, at + 2000},
		{"waiting as a duration", `"timestamp":1794216000000,"timeSpentWaiting":2000`, at, 0},
		{"no timestamp", `"elapsedMs":4000`, 0, 0},
		{"clock set back", `"timestamp":1794216000000,"modelState":{"value":1,"completedAt":1694216000000}`, at, 0},
		{"seconds", `"timestamp":1794216000`, 0, 0},
	}
	for _, tt := range tests {
		turn := one(t, `{"message":{"text":"a"},"response":["b"],`+tt.members+`}`)
		for i, want := range []int64{tt.at, tt.end} {
			got := []time.Time{turn.At, turn.End}[i]
			if want == 0 && !got.IsZero() || want != 0 && !got.Equal(time.UnixMilli(want)) {
				t.Errorf("%s: time %d is %v", tt.name, i, got)
			}
		}
	}
}

func TestEdgeCase21Outcomes(t *testing.T) {
	tests := []struct {
		members string
		want    sources.Status
		err     string
	}{
		{`"modelState":{"value":1}`, sources.Complete, ""},
		{`"modelState":{"value":2}`, sources.Cancelled, ""},
		{`"modelState":{"value":3}`, sources.Failed, ""},
		{`"modelState":{"value":0}`, sources.Pending, ""},
		{`"modelState":{"value":4}`, sources.Pending, ""},
		{`"isCanceled":true`, sources.Cancelled, ""},
		{`"isCanceled":false`, sources.Complete, ""},
		{`"response":[]`, sources.Pending, ""},
		{`"response":[],"result":{}`, sources.Complete, ""},
		{`"modelState":{"value":1},"result":{"errorDetails":{"code":"canceled","message":"Canceled"}}`, sources.Cancelled, ""},
		{`"result":{"errorDetails":{"message":"","responseIsFiltered":true}}`, sources.Failed, "filtered"},
		{`"modelState":{"value":1},"result":{"errorDetails":{"message":"Sorry, filtered.","responseIsFiltered":true}}`, sources.Failed, "Sorry, filtered."},
		{`"responseErrorDetails":{"message":"Model unavailable"}`, sources.Failed, "Model unavailable"},
		{`"result":{"errorDetails":{"isRateLimited":true}}`, sources.Failed, "rate limited"},
		{`"result":{"errorDetails":{"isQuotaExceeded":true}}`, sources.Failed, "quota exceeded"},
		{`"result":{"errorDetails":{"message":"TypeError: x\n    at f (a.js:1)\n    at g"}}`, sources.Failed, "TypeError: x"},
		{`"modelState":{"value":1},"result":{"errorDetails":{"message":"It can continue to iterate.","level":0}}`, sources.Complete, ""},
	}
	for _, tt := range tests {
		response := `"response":["b"],`
		if strings.Contains(tt.members, `"response":`) {
			response = ""
		}
		turn := one(t, `{"message":{"text":"a"},`+response+tt.members+`}`)
		if turn.Status != tt.want || turn.Error != tt.err {
			t.Errorf("%s: %s %q", tt.members, turn.Status, turn.Error)
		}
	}
}

func TestEdgeCase21UndoneTurnsAreTakenBack(t *testing.T) {
	for _, mark := range []string{`"shouldBeRemovedOnSend":{"requestId":"request_1"}`, `"shouldBeRemovedOnSend":true`, `"isHidden":true`} {
		got := convert(t, sessionOf(ask(1, "a", "b", ""), ask(2, "undone", "undone", mark), ask(3, "@agent Try Again", "c", ""), ask(4, "d", "e", ""))).Session
		if text := asJSON(t, got.Turns); strings.Contains(text, "undone") || !got.Rewound || len(got.TakenBack) != 1 || got.TakenBack[0].User != "undone" {
			t.Errorf("%s: %s", mark, asJSON(t, got))
		}
		equal(t, mark+": turns", len(got.Turns), 2)
		equal(t, mark+": what joined", got.Turns[0].Assistant, "b\n\nc")
		equal(t, mark+": index", got.Turns[1].Index, 1)
	}
	if convert(t, sessionOf(ask(1, "a", "b", `"shouldBeRemovedOnSend":false,"isHidden":null`))).Session.Rewound {
		t.Error("nothing was undone")
	}
}

func TestEdgeCase24Impostors(t *testing.T) {
	got := convert(t, `{"version":3,"sessionId":"`+testID+`","requests":[{"timestamp":1794216000000,"prompt":"a","completion":"b"},{"timestamp":1,"prompt":"c"},"x",null]}`)
	if len(got.Session.Turns) != 0 || got.Unknown["request shape"] != 2 ||
		!slices.Equal(got.Session.Damage, []string{"2 requests of an unknown shape"}) {
		t.Errorf("%+v %v", got, got.Session.Damage)
	}
	for _, state := range []string{`{"responderUsername":"GitHub Copilot","requests":[]}`, `{}`, ``, `{"requests":{"a":1}}`} {
		got := convertState(nil)
		if state != "" {
			got = convert(t, state)
		}
		if got.Session == nil || len(got.Session.Turns) != 0 || got.Session.Damage != nil {
			t.Errorf("%s: %+v", state, got)
		}
	}
	// A request whose beginning was lost with the log still says what was answered.
	if turn := one(t, `{"response":[{"value":"answer"}]}`); turn.Assistant != "answer" {
		t.Errorf("%+v", turn)
	}
}
