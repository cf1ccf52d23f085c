package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// actsOf writes acts as "kind/text/answer/verdict", pending ones with a question mark behind.
func actsOf(s *sources.Session) string {
	var all []string
	for _, a := range s.Acts {
		line := strings.Trim(fmt.Sprintf("%s/%s/%s/%s", a.Kind, a.Text, a.Answer, a.Verdict), "/")
		if a.Pending {
			line += "?"
		}
		all = append(all, line)
	}
	return strings.Join(all, "; ")
}

// saidOf is a request with parts and further members.
func saidOf(n int, text, parts, more string) string {
	return fmt.Sprintf(`{"requestId":"request_%d","timestamp":%d,"message":{"text":%q},"response":[%s]%s}`, n, 1794216000000+n*60000, text, parts, more)
}

const (
	done  = `,"modelState":{"value":1}`
	waits = `,"modelState":{"value":4}`
)

// What is asked, planned, refused and listed are acts, told once, and pending only where nothing follows.
func TestActs(t *testing.T) {
	question := func(data string) string {
		return `{"kind":"questionCarousel","questions":[{"id":"q","title":"Store","message":"Which store?","options":[{"id":"a","label":"SQLite"}]}]` + data + `}`
	}
	call := func(id, name, more string) string {
		return `{"kind":"toolInvocationSerialized","toolCallId":"` + id + `","toolId":"` + name + `"` + more + `}`
	}
	args := func(id, name, text string) string {
		return `,"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"` + id + `","name":"` + name + `","arguments":` + text + `}]}]}}`
	}
	plan := func(data string) string {
		return `{"kind":"planReview","title":"P","content":"# Move the cache\n\n- [ ] a","actions":[{"id":"go","label":"Start"}],"data":` + data + `}`
	}
	ask := `{"questions":[{"header":"Store","question":"Which store?","options":[{"label":"SQLite"}]}]}`
	list := `{"kind":"toolInvocationSerialized","toolId":"manage_todo_list","isComplete":true,"toolSpecificData":{"kind":"todoList","todoList":[{"id":1,"title":"a"},{"id":2,"title":"b","status":"cancelled"}]}}`
	button := `{"kind":"confirmation","title":"Run the migration?","message":"It takes an hour."}`
	edit := `{"kind":"toolInvocationSerialized","toolId":"copilot_createFile","isComplete":true,"invocationMessage":"[](file:///w/a.go)"}`
	for name, c := range map[string]struct{ requests, want string }{
		"answered":                      {saidOf(1, "x", question(`,"data":{"q":{"selectedValue":"a"}}`), done), "asked/Which store?/SQLite"},
		"answered in own words":         {saidOf(1, "x", question(`,"data":{"q":"a file"}`), done), "asked/Which store?/a file"},
		"skipped":                       {saidOf(1, "x", question(`,"isUsed":true`), done), "asked/Which store?//rejected"},
		"waits":                         {saidOf(1, "x", question(``), waits), "asked/Which store??"},
		"waits, bookkeeping behind":     {saidOf(1, "x", question(``)+`,{"kind":"undoStop"},{"kind":"thinking","value":""}`, waits), "asked/Which store??"},
		"words behind":                  {saidOf(1, "x", question(``)+`,"Well."`, waits), "asked/Which store?"},
		"a prompt behind":               {saidOf(1, "x", question(``), waits) + "," + saidOf(2, "y", "", done), "asked/Which store?"},
		"by a call and a part":          {saidOf(1, "x", call("c", "vscode_askQuestions", `,"isComplete":true,"pastTenseMessage":"Asked"`)+`,`+question(`,"data":{"q":"a"}`), done+args("c", "vscode_askQuestions", ask)), "asked/Which store?/SQLite"},
		"by a call alone":               {saidOf(1, "x", call("c", "vscode_askQuestions", `,"isComplete":true,"pastTenseMessage":"Asked"`), done+args("c", "vscode_askQuestions", ask)), "asked/Which store?"},
		"by a call that waits":          {saidOf(1, "x", call("c", "vscode_askQuestions", `,"isComplete":false`), waits+args("c", "vscode_askQuestions", ask)), "asked/Which store??"},
		"by a call, cancelled":          {saidOf(1, "x", call("c", "vscode_askQuestions", `,"isComplete":false`), `,"modelState":{"value":2}`+args("c", "vscode_askQuestions", ask)), ""},
		"elicited, given":               {saidOf(1, "x", `{"kind":"elicitationSerialized","title":"Name","message":"of the branch","state":"accepted","acceptedResult":{"name":"fix"}}`, done), "asked/Name of the branch/fix"},
		"elicited, accepted":            {saidOf(1, "x", `{"kind":"elicitation","title":"Start it?","state":"accepted"}`, done), "asked/Start it?/accepted"},
		"elicited, declined":            {saidOf(1, "x", `{"kind":"elicitation2","title":"Start it?","state":"rejected"}`, done), "asked/Start it?//rejected"},
		"a button":                      {saidOf(1, "x", button, done) + "," + saidOf(2, "@agent Yes: run", `"ran"`, done+`,"confirmation":"Yes"`), "asked/Run the migration?/Yes"},
		"no button, but a prompt":       {saidOf(1, "x", button, done) + "," + saidOf(2, "do something else", `"ok"`, done), ""},
		"a button that waits":           {saidOf(1, "x", button, waits), "asked/Run the migration??"},
		"whether to go on is no act":    {saidOf(1, "x", `{"kind":"confirmation","title":"Continue to iterate?","data":{"copilotRequestedRoundLimit":50}}`, waits), ""},
		"a plan accepted":               {saidOf(1, "x", plan(`{"action":"go"}`), done), "planned/Move the cache//accepted; wrote/plan-review.md"},
		"a plan accepted, with words":   {saidOf(1, "x", plan(`{"action":"go","feedback":"in two steps"}`), done), "planned/Move the cache/in two steps/accepted; wrote/plan-review.md"},
		"a plan rejected":               {saidOf(1, "x", plan(`{"rejected":true,"feedback":"no cache"}`), done), "planned/Move the cache/no cache/rejected"},
		"a plan that waits":             {saidOf(1, "x", plan(`{}`), waits), "planned/Move the cache?; wrote/plan-review.md"},
		"refused with words":            {saidOf(1, "x", call("c", "run_in_terminal", `,"isComplete":true,"isConfirmed":{"type":0,"reasonMessage":"use make"},"toolSpecificData":{"kind":"terminal","command":"rm -r out"}`), done), "refused/rm -r out/use make/rejected"},
		"refused":                       {saidOf(1, "x", call("c", "run_in_terminal", `,"isComplete":true,"isConfirmed":{"type":5},"toolSpecificData":{"kind":"terminal","command":"rm -r out"}`), done), ""},
		"refused, in a message":         {saidOf(1, "x", call("c", "run_in_terminal", `,"isComplete":true,"isConfirmed":{"type":0,"reasonMessage":{"value":"later"}},"toolSpecificData":{"kind":"terminal","command":"ls"}`), done), "refused/ls/later/rejected"},
		"a list":                        {saidOf(1, "x", list, done), "listed"},
		"a list of a sub-agent":         {saidOf(1, "x", strings.Replace(list, `"isComplete"`, `"subAgentInvocationId":"p","isComplete"`, 1), done), ""},
		"an edit that was taken back":   {saidOf(1, "x", "", done) + "," + saidOf(2, "make it", edit, done+`,"isHidden":true`), "undone/make it"},
		"words that were taken back":    {saidOf(1, "x", "", done) + "," + saidOf(2, "make it", `"no"`, done+`,"isHidden":true`), ""},
		"a question that was":           {saidOf(1, "x", "", done) + "," + saidOf(2, "make it", question(`,"data":{"q":"a"}`), done+`,"isHidden":true`), ""},
		"two plans, the newest by name": {saidOf(1, "x", plan(`{"action":"go"}`), done) + "," + saidOf(2, "y", strings.Replace(plan(`{"action":"go"}`), "cache", "store", 1), done), "planned/Move the cache//accepted; wrote/plan-review.md; planned/Move the store//accepted; wrote/plan-review.md"},
	} {
		expect.Is(t, actsOf(convert(t, sessionOf(c.requests)).Session), c.want, name)
	}
}

// Commits are known by what git printed, else by their subject where it is sure that they were made.
func TestCommits(t *testing.T) {
	for name, c := range map[string]struct{ terminal, want string }{
		"printed":          {`"commandLine":{"original":"git commit -m 'Mend it'"},"terminalCommandOutput":{"text":"\u001b[1m[main 0123abc] Mend it\u001b[0m\r\n 1 file changed"},"terminalCommandState":{"exitCode":0}`, "0123abc Mend it"},
		"quiet":            {`"commandLine":{"original":"git add -A && git commit -qm 'Mend it'"},"terminalCommandState":{"exitCode":0}`, " Mend it"},
		"quiet, old":       {`"command":"git commit -q -m \"Mend it\"","terminalCommandState":{"exitCode":0}`, " Mend it"},
		"failed":           {`"commandLine":{"original":"git commit -qm 'Mend it'"},"terminalCommandState":{"exitCode":1}`, ""},
		"how is not told":  {`"commandLine":{"original":"git commit -qm 'Mend it'"}`, ""},
		"over by its code": {`"commandLine":{"original":"git commit -qm 'Mend it'"},"terminalCommandState":{"exitCode":0}`, " Mend it"},
	} {
		over := `"isComplete":true`
		if name == "over by its code" {
			over = `"isComplete":false`
		}
		s := convert(t, sessionOf(saidOf(1, "x", `{"kind":"toolInvocationSerialized","toolId":"run_in_terminal",`+over+`,"toolSpecificData":{"kind":"terminal",`+c.terminal+`}}`, done))).Session
		got := ""
		for _, r := range s.Refs {
			got += r.Value + " " + r.Text
		}
		expect.Is(t, got, c.want, name)
	}
}

// Sub-agents stand with their task and what they answered.
func TestDelegated(t *testing.T) {
	part := func(name, data string) string {
		return `{"kind":"toolInvocationSerialized","toolCallId":"p","toolId":"` + name + `","isComplete":true,"pastTenseMessage":"x","toolSpecificData":` + data + `}`
	}
	inner := `{"kind":"toolInvocationSerialized","toolCallId":"i","subAgentInvocationId":"p","toolId":"copilot_readFile","isComplete":true}`
	rounds := `,"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"p__vscode-3","name":"runSubagent","arguments":"{\"prompt\":\"List the routes.\",\"description\":\"Find routes\"}"}]}]}}`
	for name, c := range map[string]struct {
		parts, more string
		want        sources.Delegation
	}{
		"all is told":       {part("runSubagent", `{"kind":"subagent","description":"Find routes","prompt":"List the routes.","result":"Two."}`) + "," + inner, "", sources.Delegation{ID: "p", Name: "Find routes", Task: "List the routes.", Answer: "Two.", Calls: 1}},
		"the round tells":   {part("runSubagent", `{"kind":"subagent"}`), rounds, sources.Delegation{ID: "p", Name: "Find routes", Task: "List the routes."}},
		"told by its agent": {part("runSubagent", `{"kind":"subagent","agentName":"Explore","prompt":"List the routes.","result":"Two."}`), "", sources.Delegation{ID: "p", Name: "Explore", Task: "List the routes.", Answer: "Two."}},
	} {
		got := convert(t, sessionOf(saidOf(1, "x", c.parts, done+c.more))).Session.Delegated
		if len(got) != 1 {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		got[0].At, got[0].End = c.want.At, c.want.End
		expect.Is(t, got[0], c.want, name)
	}
}

// A prompt may be an attachment alone, and what nobody knows of it goes by its name.
func TestPromptsOfAttachments(t *testing.T) {
	for name, c := range map[string]struct{ message, variable, want string }{
		"an image":              {`"message":{"text":""},`, `{"kind":"image","name":"shot.png","value":{"$base64":"AQID"}}`, "image shot.png"},
		"a file, no message":    {``, `{"kind":"file","value":{"path":"/w/a.go"}}`, "file /w/a.go"},
		"parts that are empty":  {`"message":{"text":"","parts":[{"kind":"text","text":""}]},`, `{"kind":"directory","value":{"path":"/w"}}`, "directory /w"},
		"a kind nobody knows":   {`"message":{"text":"see"},`, `{"kind":"hologram","name":"h","value":"secret"}`, "hologram h"},
		"by its whole name":     {`"message":{"text":"see"},`, `{"kind":"hologram","fullName":"the hologram","value":{"deep":1}}`, "hologram the hologram"},
		"that lies somewhere":   {`"message":{"text":"see"},`, `{"kind":"scene","value":{"path":"/w/s.glb"}}`, "scene /w/s.glb"},
		"that has no name":      {`"message":{"text":"see"},`, `{"kind":"scene"}`, "scene scene"},
		"a person typed it too": {`"message":{"text":"see"},`, `{"kind":"symbol","name":"Run"}`, "symbol Run"},
	} {
		s := convert(t, sessionOf(`{"requestId":"r",`+c.message+`"variableData":{"variables":[`+c.variable+`]},"response":[],"modelState":{"value":1}}`)).Session
		if len(s.Turns) != 1 || len(s.Turns[0].Attachments) != 1 || s.Class != "" {
			t.Errorf("%s: %+v", name, s)
			continue
		}
		if a := s.Turns[0].Attachments[0]; a.Kind+" "+a.Name != c.want {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// A place that says nothing never wins over one that says something.
func TestPlacesThatSayNothing(t *testing.T) {
	untitled := sources.Place{Workspace: "/home/dev/.config/Code/Workspaces/1790000000000/workspace.json"}
	cached := `"result":{"metadata":{"cacheKey":"file:///src/told"}}`
	atHome := `"result":{"metadata":{"cacheKey":"file:///home/dev"}}`
	edits := `"response":[{"kind":"textEditGroup","uri":{"path":"/src/made/a.go"}}]`
	for name, c := range map[string]struct {
		workspace    sources.Place
		header, more string
		want         sources.Place
	}{
		"untitled, told":           {untitled, "", cached, sources.Place{Cwd: "/src/told", Guessed: true}},
		"untitled, noted":          {untitled, `"workingDirectory":"file:///src/own",`, cached, sources.Place{Cwd: "/src/own", Guessed: true}},
		"untitled, edited":         {untitled, "", edits, sources.Place{Cwd: "/src/made", Guessed: true}},
		"untitled, nothing else":   {untitled, "", `"response":[]`, untitled},
		"untitled, with folders":   {sources.Place{Workspace: untitled.Workspace, Folders: []string{"/a", "/b"}}, "", cached, sources.Place{Workspace: untitled.Workspace, Folders: []string{"/a", "/b"}}},
		"a home, told":             {sources.Place{Cwd: "/home/dev"}, "", cached, sources.Place{Cwd: "/src/told", Guessed: true}},
		"a home, nothing else":     {sources.Place{Cwd: `C:\Users\dev`}, "", `"response":[]`, sources.Place{Cwd: `C:\Users\dev`}},
		"a window, a home is told": {sources.Place{Guessed: true}, "", atHome + "," + edits, sources.Place{Cwd: "/src/made", Guessed: true}},
		"a folder stays":           {sources.Place{Cwd: "/src/w"}, `"workingDirectory":"file:///src/own",`, cached + "," + edits, sources.Place{Cwd: "/src/w"}},
		"a short folder stays":     {sources.Place{Cwd: "/app"}, "", cached, sources.Place{Cwd: "/app"}},
	} {
		s, _ := Convert(parse(t, `{`+c.header+`"requests":[{"requestId":"r","message":{"text":"a"},`+c.more+`}]}`, false), "", c.workspace)
		expect.Deep(t, s.Place, c.want, name)
	}
}

// What a person made of edits stands at the files, whoever changed them.
func TestVerdictsOfCalls(t *testing.T) {
	created := `{"kind":"toolInvocationSerialized","toolId":"copilot_createFile","isComplete":true,"invocationMessage":"[](file:///w/a.go)"}`
	group := `{"kind":"textEditGroup","uri":{"path":"/w/a.go"}}`
	read := `{"kind":"toolInvocationSerialized","toolId":"copilot_readFile","isComplete":true,"invocationMessage":"[](file:///w/a.go)"}`
	for name, c := range map[string]struct{ parts, want string }{
		"of a call":       {created, "created accepted"},
		"of an edit":      {group, "edited accepted"},
		"of both":         {created + "," + group, "created accepted"},
		"of a file read":  {read, "viewed , edited accepted"},
		"of nothing else": {``, "edited accepted"},
	} {
		s := convert(t, sessionOf(saidOf(1, "x", c.parts, done+`,"editedFileEvents":[{"uri":{"path":"/w/a.go"},"eventKind":1},{"uri":{"path":"/w/a.go"},"eventKind":3}]`))).Session
		var got []string
		for _, f := range s.Files {
			got = append(got, f.Kind+" "+string(f.Verdict))
		}
		expect.Is(t, strings.Join(got, ", "), c.want, name, got)
	}
}
