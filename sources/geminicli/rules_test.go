package geminicli_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// shellRun is how the program tells the model of a command that the user ran with "!".
const shellRun = "I ran the following shell command:\n```sh\nls -1 && false\n```\n\nThis produced the following result:\n```\nCommand exited with code 1.\nAGENTS.md\n```"

// A command that the user ran stands beside the prompts, once.
func TestCommandsOfTheUser(t *testing.T) {
	dir := files{
		chatAt("w", firstID): linesOfChat(head(firstID), user("u", 1, "/git:say hello"), gemini("g", 1, "a"), user("r", 2, shellRun), user("v", 3, "q")),
		"tmp/w/logs.json":    fmt.Appendf(nil, `[{"sessionId":%[1]q,"messageId":0,"type":"user","message":"/git:say hello","timestamp":"2026-04-02T09:00:59.000Z"},{"sessionId":%[1]q,"messageId":1,"type":"user","message":"/quit","timestamp":"2026-04-02T09:04:00.000Z"}]`, firstID),
	}.write(t, t.TempDir())
	s := readHome(t, config(dir)).logs[firstID[:8]]
	var got []string
	for _, a := range s.Actions {
		got = append(got, fmt.Sprint(a.Turn, " ", a.Text))
	}
	expect.Is(t, strings.Join(got, ", "), "0 !ls -1 && false, 1 /quit")
}

// A sub-agent whose file has the id of the session worked for it: what it was asked and said is no turn, in either format,
// with a kind or with the program's words around its task. What it did alone is no person's session.
func TestSubagentWithTheIDOfItsSession(t *testing.T) {
	work := `"kind":"subagent"`
	task := user("w1", 2, "Count the words.")
	asked := ran(tool("invoke_agent", "success", `{"agent_name":"counter","prompt":"Count the words."}`, "Result: 7"))
	main := linesOfChat(head(firstID), user("u", 1, "How many words?"), gemini("g", 1, "", asked), gemini("h", 9, "Seven."))
	edit := gemini("w2", 3, "seven words", ran(tool("write_file", "success", `{"file_path":"/w/count.txt"}`, "ok")))
	worker := strings.Replace(head(firstID), `"kind":"main"`, work, 1)
	later := "tmp/w/chats/session-2026-04-02T09-01-" + firstID[:8]
	unnamed := fmt.Appendf(nil, `{"sessionId":%q,"messages":[%s,%s,%s]}`, firstID,
		user("w1", 2, "Your task is to do a deep investigation of the codebase to solve this:\n<objective>\nCount the words.\n</objective>"), edit,
		user("w3", 4, "You have exceeded the maximum number of turns. You have one final chance to complete the task with a short grace period."))
	if s := readHome(t, config(files{later + ".json": unnamed}.write(t, t.TempDir()))).logs[firstID[:8]]; s.Class != sources.Automatic || len(s.Turns) != 1 {
		t.Errorf("alone: %s %s", s.Class, told(s.Turns))
	}
	for name, home := range map[string]files{
		"log":                     {chatAt("w", firstID): main, later + ".jsonl": linesOfChat(worker, task, edit)},
		"one log":                 {chatAt("w", firstID): append(append(linesOfChat(strings.Split(strings.TrimSpace(string(main)), "\n")[:3]...), linesOfChat(worker, task, edit)...), linesOfChat(head(firstID), gemini("h", 9, "Seven."))...)},
		"document":                {chatAt("w", firstID): main, later + ".json": fmt.Appendf(nil, `{"sessionId":%q,"messages":[%s,%s],%s}`, firstID, task, edit, work)},
		"document without a kind": {chatAt("w", firstID): main, later + ".json": unnamed},
	} {
		s := readHome(t, config(home.write(t, t.TempDir()))).logs[firstID[:8]]
		expect.Is(t, told(s.Turns), "How many words? | Seven. | complete\n", name)
		if d := s.Delegated; len(d) != 1 || d[0].Task != "Count the words." || d[0].Calls != 1 || s.Class != "" {
			t.Errorf("%s: %+v", name, d)
		}
		if len(s.Files) != 1 || s.Files[0].Path != "/w/count.txt" {
			t.Errorf("%s: %+v", name, s.Files)
		}
	}
}

// Files that hold contexts and nothing that was said are what a deleted chat leaves: its turns stay.
func TestContextsAlone(t *testing.T) {
	dir := files{chatAt("w", firstID): linesOfChat(head(firstID), sets(`"messages":[`+user("c", 0, "<session_context>x</session_context>")+`]`))}.write(t, t.TempDir())
	src := geminicli.New(config(dir))
	list, err := src.List(t.Context())
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%+v: %v", list, err)
	}
	r, err := src.Read(t.Context(), list.Items[0])
	if err != nil || len(r.Sessions) != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	for _, of := range r.Sessions {
		if len(of.Layers) != 1 || !of.Layers[0].Provisional {
			t.Errorf("%+v", of)
		}
	}
}

// What is said in a chat: who said it, and what came of it.
func TestTurns(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
		taken string
	}{
		"a message with calls is written twice": {[]string{
			user("u", 1, "p"), gemini("g", 1, "look"), gemini("g", 1, "look", ran(tool("read_file", "success", `{"file_path":"/w/a.go"}`, "x"))), gemini("h", 2, "done"),
		}, "p | look ¶ done | complete\n", ""},
		"what calls gave is no prompt": {[]string{
			user("u", 1, "p"), gemini("g", 1, "a"),
			`{"id":"r","timestamp":"2026-04-02T09:02:00.000Z","type":"user","content":[{"functionResponse":{"response":{"output":"x"}}},{"text":"and a hint"}]}`,
			`{"timestamp":"2026-04-02T09:02:00.000Z","id":"r2","type":"user","content":{"functionResponse":{"response":{"output":"x"}}}}`,
		}, "p | a | complete\n", ""},
		"what the program says is no prompt": {[]string{
			user("c", 0, "This is the Gemini CLI. We are setting up the context for our chat."), gemini("t", 0, "Got it. Thanks for the context!"),
			user("u", 1, "p"), gemini("g", 1, "one"), user("v", 2, "System: Please continue."), gemini("h", 2, "two"), user("w", 3, "Please continue."), gemini("i", 3, "three"),
			user("x", 4, "You have stopped calling tools without finishing. You have one final chance to complete the task with a short grace period."),
		}, "p | one ¶ two | complete\nPlease continue. | three | complete\n", ""},
		"what the user ran is no prompt": {[]string{
			user("u", 1, "p"), gemini("g", 1, "a"), user("r", 2, shellRun), user("v", 3, "I ran the following shell command:\nls"), gemini("h", 3, "b"),
		}, "p | a | complete\nI ran the following shell command:\nls | b | complete\n", ""},
		"a person may say the same": {[]string{user("u", 1, "What does Got it. Thanks for the context! mean?"), gemini("g", 1, "Got it. Thanks for the context!")},
			"What does Got it. Thanks for the context! mean? | Got it. Thanks for the context! | complete\n", ""},
		"what was typed is shown, not what was sent": {[]string{
			`{"id":"u","timestamp":"2026-04-02T09:01:00.000Z","type":"user","content":[{"text":"expanded"}],"displayContent":[{"text":"/fix it"}]}`, gemini("g", 1, "a"),
		}, "/fix it | a | complete\n", ""},
		"files behind a prompt": {[]string{
			user("u", 1, "Read @a.go\n--- Content from referenced files ---\nContent from @a.go:\npackage a\n--- End of content ---"), gemini("g", 1, "a"),
		}, "Read @a.go | a | complete\n", ""},
		"what hooks say": {[]string{user("k", 0, "<hook_context>memory</hook_context>"), user("u", 1, "p\n\n<hook_context>more</hook_context>"), gemini("g", 1, "a")}, "p | a | complete\n", ""},
		"thoughts are not said": {[]string{
			user("u", 1, "p"), `{"id":"g","timestamp":"2026-04-02T09:01:30.000Z","type":"gemini","content":[{"text":"hmm","thought":true},{"text":"a"}],"thoughts":[{"subject":"s","description":"d"}]}`,
		}, "p | a | complete\n", ""},
		"no answer": {[]string{user("u", 1, "p"), user("v", 2, "q"), gemini("g", 2, "", ran(tool("glob", "success", `{"pattern":"*"}`, ""))), user("w", 3, "r")},
			"p |  | cancelled\nq |  | complete\nr |  | pending\n", ""},
		"stopped by the user": {[]string{user("u", 1, "p"), gemini("g", 1, "", ran(tool("write_file", "cancelled", `{"file_path":"/w/a"}`, "[Operation Cancelled] Reason: User denied execution."))), user("v", 2, "q"), gemini("h", 2, "a")},
			"p |  | cancelled\nq | a | complete\n", ""},
		"stopped while it answered": {[]string{user("u", 1, "p"), gemini("g", 1, "I look", ran(tool("glob", "success", `{}`, ""))), `{"id":"i","timestamp":"2026-04-02T09:01:40.000Z","type":"info","content":"Request cancelled."}`}, "p | I look | cancelled\n", ""},
		"the program has the model go on": {[]string{user("u", 1, "p"), gemini("g", 1, "one"),
			`{"id":"v","timestamp":"2026-04-02T09:01:40.000Z","type":"user","content":[{"text":"Please continue."}],"displayContent":[{"text":"p"}]}`, gemini("h", 2, "two")}, "p | one ¶ two | complete\n", ""},
		"an error": {[]string{user("u", 1, "p"), `{"id":"e","timestamp":"2026-04-02T09:01:40.000Z","type":"error","content":"[API Error: 429]"}`,
			user("v", 2, "q"), gemini("g", 2, "a"), `{"id":"f","timestamp":"2026-04-02T09:02:40.000Z","type":"error","content":"Unknown command: /x"}`}, "p |  | failed\nq | a | complete\n", ""},
		"work without a prompt": {[]string{gemini("g", 1, "a")}, " | a | complete\n", ""},
		"rewound": {[]string{user("u", 1, "p"), gemini("g", 1, "a"), user("v", 2, "q"), gemini("h", 2, "b"), rewindTo("v"),
			sets(`"messages":[` + user("u", 1, "p") + `,` + gemini("g", 1, "a") + `]`), user("w", 3, "r"), gemini("i", 3, "c")}, "p | a | complete\nr | c | complete\n", "q | b | complete\n"},
		"rewound twice, an id comes again": {[]string{user("u", 1, "p"), gemini("g", 1, "a"), rewindTo("u"), user("u", 2, "q"), gemini("h", 2, "b"), rewindTo("h"), gemini("i", 3, "c")},
			"q | c | complete\n", "p | a | complete\n | b | complete\n"},
		"rewound to what nobody knows": {[]string{user("u", 1, "p"), gemini("g", 1, "a"), rewindTo("x"), user("v", 2, "q"), gemini("h", 2, "b")}, "q | b | complete\n", "p | a | complete\n"},
		"rewound to what calls gave": {[]string{user("u", 1, "p"), gemini("g", 1, "a"),
			`{"id":"r","timestamp":"2026-04-02T09:02:00.000Z","type":"user","content":[{"functionResponse":{"id":"c"}}]}`, gemini("h", 2, "b"), rewindTo("r")}, "p | a | complete\n", " | b | complete\n"},
		"rewound behind a compression, where ids are new": {[]string{user("u", 1, "p"), gemini("g", 1, "a"), user("v", 2, "q"), gemini("h", 2, "b"),
			sets(`"messages":[` + user("n1", 3, "<state_snapshot>sum</state_snapshot>") + `,` + gemini("n2", 3, "Got it. Thanks for the additional context!") + `,` + user("n3", 3, "q") + `,` + gemini("n4", 3, "b") + `]`),
			user("w", 4, "r"), gemini("i", 4, "c"), rewindTo("n3")}, "p | a | complete\n", "q | b | complete\nr | c | complete\n"},
		"a new context is no rewind":           {[]string{user("u", 1, "p"), gemini("g", 1, "a"), sets(`"messages":[]`), user("v", 2, "q"), gemini("h", 2, "b")}, "p | a | complete\nq | b | complete\n", ""},
		"a lost prompt takes no other's place": {[]string{user("u", 1, "p"), gemini("g", 1, "a"), `{"id":"v","type":`, gemini("h", 2, "b")}, "p | a | complete\n | b | complete\n", ""},
		"the bytes of a power failure":         {[]string{user("u", 1, "p"), "\x00\x00" + gemini("g", 1, "a")}, "p | a | complete\n", ""},
		"two records in a line":                {[]string{user("u", 1, "p") + gemini("g", 1, "a")}, "p | a | complete\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := sessionOf(t, c.lines...)
			expect.Is(t, told(s.Turns), c.want)
			if got := told(s.TakenBack); got != c.taken || s.Rewound != (c.taken != "") {
				t.Errorf("taken back\n%swant\n%s", got, c.taken)
			}
		})
	}
}

// What a call is, and what came of it.
func TestCalls(t *testing.T) {
	shell := func(gave string) string { return tool("run_shell_command", "success", `{"command":"go test"}`, gave) }
	for name, c := range map[string]struct{ call, want string }{
		"edit":             {tool("replace", "success", `{"file_path":"/w/a.go"}`, "ok"), "replace edit [a.go] true edited /w/a.go"},
		"edit that failed": {tool("replace", "error", `{"file_path":"/w/a.go"}`, "not found"), "replace edit [a.go] false"},
		"new file":         {tool("write_file", "success", `{"file_path":"/w/a.go"}`, "ok", `,"resultDisplay":{"filePath":"/w/b.go","isNewFile":true}`), "write_file create [b.go] true created /w/b.go"},
		"older name":       {tool("read_file", "success", `{"absolute_path":"/w/a.go"}`, "x"), "read_file read [a.go] true viewed /w/a.go"},
		"running":          {`{"id":"c","name":"read_file","args":{"file_path":"/w/a.go"},"status":"executing"}`, "read_file read [a.go] ?"},
		"command":          {shell("<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 7\n</untrusted_context>"), "run_shell_command run [go test] true `go test` 0"},
		"command that failed": {shell("Output: Exit Code: 7\nExit Code: 7\nmore\nExit Code: 1\nProcess Group PGID: 7"),
			"run_shell_command run [go test] false `go test` 1"},
		"command of 2025":     {shell("Command: go test\nDirectory: (root)\nStdout: x\nStderr: (empty)\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)"), "run_shell_command run [go test] true `go test` 0"},
		"in the background":   {shell("Command moved to background (PID: 7). Output hidden. Press Ctrl+B to view."), "run_shell_command run [go test] true `go test`"},
		"killed":              {shell("Output: x\nSignal: 9\n"), "run_shell_command run [go test] true `go test`"},
		"refused command":     {tool("run_shell_command", "cancelled", `{"command":"rm -r x"}`, "[Operation Cancelled] Reason: User denied execution."), "run_shell_command run [rm -r x] false"},
		"search":              {tool("google_web_search", "success", `{"query":"jwt"}`, "x"), "google_web_search web [jwt] true"},
		"a tool nobody knows": {tool("frobnicate", "success", `{"n":1,"path":["a"],"what":"that"}`, "x"), "frobnicate other [that] true"},
		"of a server":         {tool("mcp_github_get_issue", "success", `{"title":"t"}`, "x"), "mcp_github_get_issue mcp [t] true"},
		"displays of others":  {tool("glob", "success", `{"pattern":"*.go"}`, "x", `,"resultDisplay":[[{"text":"x"}]]`), "glob search [*.go] true"},
		"commit": {tool("run_shell_command", "success", `{"command":"git commit -m x"}`, "Output: [main 0123abc] x\nProcess Group PGID: 7"),
			"run_shell_command run [git commit -m x] true `git commit -m x` 0 commit 0123abc x"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sessionOf(t, user("u", 1, "p"), gemini("g", 1, "", ran(c.call)), gemini("h", 2, "a"))
			expect.Is(t, calledIn(s), c.want)
		})
	}
}

// calledIn is the one call of a session, and all that came of it.
func calledIn(s *sources.Session) string {
	tool := s.Turns[0].Tools[0]
	out := fmt.Sprintf("%s %s [%s] ", tool.Name, tool.Kind, tool.Detail)
	if tool.OK == nil {
		out += "?"
	} else {
		out += fmt.Sprint(*tool.OK)
	}
	if tool.Command != "" {
		out += " `" + tool.Command + "`"
	}
	if tool.Exit != nil {
		out += fmt.Sprint(" ", *tool.Exit)
	}
	for _, f := range s.Files {
		out += " " + f.Kind + " " + f.Path
	}
	for _, r := range s.Refs {
		out += " " + r.Type + " " + r.Value + " " + r.Text
	}
	return out
}

// A compression is a checkpoint, once, with the sections that it has.
func TestCheckpoints(t *testing.T) {
	snapshot := func(body string) string {
		return sets(`"messages":[` + user("s", 5, "<state_snapshot>"+body+"</state_snapshot>\n") + `,` + gemini("t", 5, "Got it. Thanks for the additional context!") + `]`)
	}
	whole := "\n<overall_goal>\ngoal\n</overall_goal>\n<key_knowledge>know</key_knowledge><active_constraints>must</active_constraints>" +
		"<file_system_state>files</file_system_state><recent_actions>did</recent_actions><task_state>next</task_state>\n"
	s := sessionOf(t, user("u", 1, "p"), gemini("g", 1, "a"), snapshot(whole), snapshot(whole), snapshot("<overall_goal>x</overall_goal> and more"), snapshot("<odd>y</odd>"), snapshot(" "))
	if len(s.Checkpoints) != 3 {
		t.Fatalf("%+v", s.Checkpoints)
	}
	c := s.Checkpoints[0]
	if c.Number != 1 || c.Overview != "goal" || c.Technical != "know\n\nmust" || c.Important != "files" || c.WorkDone != "did" || c.NextSteps != "next" || c.Raw != "" || c.At.Minute() != 5 {
		t.Errorf("%+v", c)
	}
	if s.Checkpoints[1].Raw != "<overall_goal>x</overall_goal> and more" || s.Checkpoints[2].Raw != "<odd>y</odd>" {
		t.Errorf("%+v", s.Checkpoints[1:])
	}
	s = sessionOf(t, user("u", 1, "p"), gemini("g", 1, "a"), user("v", 2, "q"), snapshot("taken back too"), rewindTo("u"))
	expect.Is(t, len(s.Checkpoints), 0, "a rewind leaves", s.Checkpoints)
}

// The last list of tasks counts, of those that were not taken back and did not fail.
func TestTodos(t *testing.T) {
	list := func(status, call string) string {
		return ran(tool("write_todos", call, `{"todos":[{"description":"one","status":"`+status+`"},{"description":"never","status":"cancelled"}]}`, ""))
	}
	s := sessionOf(t, user("u", 1, "p"), gemini("g", 1, "", list("pending", "success")), gemini("h", 2, "", list("completed", "success")),
		gemini("i", 2, "", list("blocked", "error")), user("v", 3, "q"), gemini("j", 3, "", list("in_progress", "success")), rewindTo("v"))
	if len(s.Todos) != 1 || s.Todos[0].Title != "one" || s.Todos[0].Status != sources.TodoDone {
		t.Errorf("%+v", s.Todos)
	}
}

// Tokens count once for each message, by their total.
func TestTokens(t *testing.T) {
	used := `,"tokens":{"input":100,"output":10,"cached":50,"thoughts":5,"tool":2,"total":117}`
	s := sessionOf(t, user("u", 1, "p"), gemini("g", 1, "", used), gemini("g", 1, "", used, ran(tool("glob", "success", `{}`, ""))),
		gemini("h", 2, "a", `,"tokens":{"input":7,"output":3,"thoughts":2}`), gemini("i", 2, "b", `,"tokens":{"input":-1,"output":9e99,"total":1e300}`), gemini("j", 2, "c", `,"tokens":null`))
	if got := s.Turns[0].Tokens; got == nil || got.In != 109 || got.Out < 20 {
		t.Errorf("%+v", got)
	}
}

// Attachments of a prompt, and a prompt of nothing but them.
func TestAttachments(t *testing.T) {
	s := sessionOf(t, `{"id":"u","timestamp":"2026-04-02T09:01:00.000Z","type":"user","content":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"fileData":{"mimeType":"application/pdf","fileUri":"gs://x/y.pdf"}}]}`,
		gemini("g", 1, "a"), user("v", 2, "Read @b.go\n--- Content from referenced files ---\nContent from @b.go:\nx"), gemini("h", 2, "b"))
	got := fmt.Sprint(s.Turns[0].Attachments, s.Turns[1].Attachments)
	expect.Is(t, got, "[{image  []} {file gs://x/y.pdf []}] [{file b.go []}]")
}

// What nobody knows is counted, what is of another type too, and the rest is read.
func TestUnknown(t *testing.T) {
	dir := files{chatAt("w", firstID): linesOfChat(head(firstID), user("u", 1, "p"), `{"id":"x","timestamp":"2026-04-02T09:01:00.000Z","type":"telepathy","content":"?"}`,
		sets(`"mood":"good","summary":"S"`), `{"what":"else"}`, `{"id":"g","timestamp":"9999-12-31T23:59:59Z","type":"gemini","content":"a","model":7,"tokens":[]}`)}.write(t, t.TempDir())
	h := readHome(t, config(dir))
	s := h.logs[firstID[:8]]
	if told(s.Turns) != "p | a | complete\n" || s.Title != "S" || s.TitleFrom != sources.TrustNamed || s.Updated.Year() != 2026 {
		t.Errorf("%+v", s)
	}
	for _, what := range []string{"message telepathy", "$set mood", "record", "model of another type", "tokens of another type"} {
		expect.Is(t, h.unknown[what], 1, what, "counted", "times", h.unknown)
	}
}

// A line of more than a file may hold is left out and told, whatever it is.
func TestLongLine(t *testing.T) {
	s := sessionOf(t, user("u", 1, "p"), gemini("g", 1, strings.Repeat("x", 65<<20)), gemini("h", 2, "a"))
	if told(s.Turns) != "p | a | complete\n" || len(s.Damage) != 1 || !strings.Contains(s.Damage[0], "MB was skipped") {
		t.Errorf("%s %q", told(s.Turns), s.Damage)
	}
}

// A program that embeds the client gives one id to all chats: their names tell them apart, in both formats.
func TestOneIDForAll(t *testing.T) {
	const at, name = "tmp/w/chats/", "session-2026-05-02T09-00-embedded"
	dir := files{at + strings.Replace(name, "05", "04", 1) + ".jsonl": linesOfChat(head("embedded-1"), user("u", 1, "first")), at + name + ".jsonl": linesOfChat(head("embedded-1"), user("u", 1, "second")),
		at + name + ".json": fmt.Appendf(nil, `{"sessionId":"embedded-1","messages":[%s]}`, user("u", 1, "second"))}.write(t, t.TempDir())
	src := geminicli.New(config(dir))
	list, err := src.List(t.Context())
	if err != nil || len(list.Items) != 2 {
		t.Fatalf("%+v: %v", list, err)
	}
	for _, item := range list.Items {
		r, err := src.Read(t.Context(), item)
		if err != nil || len(r.Sessions) != 1 || r.Sessions[0].ID != "gemini-cli:w:"+path.Base(item.Key) || len(r.Sessions[0].Layers[0].Session.Turns) != 1 {
			t.Errorf("%+v: %v", r, err)
		}
	}
}
