package codexcli_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const (
	own    = "01a20212-2a37-7680-bf12-3542e568d327"
	parent = "01a20207-5be9-7513-ae78-21d7f1de5e69"
	child  = "01a2020f-f5a1-7eb2-abf2-77ce44a087a4"
)

// Lines of a rollout, a second apart: of what a rollout begins with, of an event, an item and
// a response item.
func begins(fields string) string {
	return fmt.Sprintf(`"session_meta","payload":{"id":%q,"timestamp":"2026-11-22T07:00:00.000Z","cwd":"/home/dev/src/widget","originator":"codex-tui","source":"cli"%s}`, own, fields)
}
func event(kind, fields string) string {
	return fmt.Sprintf(`"event_msg","payload":{"type":%q%s}`, kind, fields)
}
func item(kind, fields string) string {
	return fmt.Sprintf(`"event_msg","payload":{"type":"item_completed","thread_id":%q,"turn_id":"t","item":{"type":%q%s}}`, own, kind, fields)
}
func response(kind, fields string) string {
	return fmt.Sprintf(`"response_item","payload":{"type":%q%s}`, kind, fields)
}
func prompt(text string) string {
	return item("UserMessage", fmt.Sprintf(`,"content":[{"type":"text","text":%q}]`, text))
}
func answer(text, phase string) string {
	return item("AgentMessage", fmt.Sprintf(`,"content":[{"type":"Text","text":%q}],"phase":%q`, text, phase))
}

// lines puts them into their envelopes, from a second and an ordinal on.
func lines(from int, all ...string) []byte {
	var out strings.Builder
	for i, line := range all {
		fmt.Fprintf(&out, `{"timestamp":"2026-11-22T07:%02d:%02d.000Z","ordinal":%d,"type":%s}`+"\n", (from+i)/60, (from+i)%60, from+i, line)
	}
	return []byte(out.String())
}

func pathOf(dir, name string) string { return filepath.Join(dir, "sessions", "2026", "11", "22", name) }

// readOf reads the item of a thread.
func readOf(t *testing.T, dir, id string) sources.Reading {
	t.Helper()
	s := open(t, dir)
	l := expect.Value(s.List(context.Background()))(t)
	i := slices.IndexFunc(l.Items, func(it sources.Item) bool { return it.Session == id })
	if i < 0 {
		t.Fatalf("no item of %s among %d, %v", id, len(l.Items), l.Problems)
	}
	r := expect.Value(s.Read(context.Background(), l.Items[i]))(t)
	return r
}

// sessionOf reads one rollout of these lines.
func sessionOf(t *testing.T, all ...string) *sources.Session {
	t.Helper()
	dir := t.TempDir()
	write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), lines(0, all...))
	return readOf(t, dir, own).Layers[0].Session
}

func TestWhatNobodyTypedIsNoTurn(t *testing.T) {
	s := sessionOf(t, begins(`,"history_mode":"paginated"`),
		response("message", `,"role":"user","content":[{"type":"input_text","text":"<environment_context>"}]`),
		response("message", `,"role":"user","content":[{"type":"input_text","text":"typed, but told by an item too"}]`),
		event("user_message", `,"message":"injected","kind":"environment_context"`),
		strings.Replace(prompt("of a reviewer"), own, child, 1),
		prompt("mine"), prompt("mine"),
		event("user_message", `,"message":"the same as an event"`),
		`"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"kept"}]}]}`)
	if len(s.Turns) != 2 || s.Turns[0].User != "mine" || s.Turns[0].ID == s.Turns[1].ID {
		t.Errorf("%+v", s.Turns)
	}
	if len(s.Checkpoints) != 1 || s.Checkpoints[0].Title != "Context compacted" {
		t.Errorf("%+v", s.Checkpoints)
	}
}

// A message that was steered in goes to the turn that is under way, and each has its own
// answer.
func TestSteeredPrompt(t *testing.T) {
	s := sessionOf(t, begins(""), event("task_started", `,"turn_id":"a"`), prompt("first"), answer("on it", "commentary"), prompt("and this"),
		answer("both", "final_answer"), event("task_complete", `,"last_agent_message":"both"`), event("task_started", ""), prompt("killed"), event("task_started", ""), prompt("again"))
	var got []string
	for _, turn := range s.Turns {
		got = append(got, turn.User+"/"+turn.Assistant+"/"+string(turn.Status))
	}
	expect.List(t, got, []string{"first/on it/complete", "and this/both/complete", "killed//cancelled", "again//pending"})
}

func TestFinalAnswerStandsLast(t *testing.T) {
	call := response("function_call", `,"name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"c"`)
	s := sessionOf(t, begins(""), prompt("p"), answer("one", "commentary"), answer("the answer", "final_answer"), call, answer("still tidying", "commentary"))
	turn := s.Turns[0]
	if turn.Assistant != "one\n\nstill tidying\n\nthe answer" || turn.Status != sources.Complete || turn.Tools[0].After != len("one") {
		t.Errorf("%+v", turn)
	}
	s = sessionOf(t, begins(""), prompt("p"), event("task_complete", `,"last_agent_message":"only here"`))
	if s.Turns[0].Assistant != "only here" || s.Turns[0].Status != sources.Complete {
		t.Errorf("%+v", s.Turns[0])
	}
	s = sessionOf(t, begins(""), prompt("p"), event("error", `,"message":"stream ended"`), event("task_complete", `,"last_agent_message":null`))
	if s.Turns[0].Status != sources.Failed || s.Turns[0].Error != "stream ended" {
		t.Errorf("%+v", s.Turns[0])
	}
}

// A turn that the user stopped before its prompt was recorded is the one that is rolled back, and the one before it stays.
func TestRolledBackBeforeThePrompt(t *testing.T) {
	stopped := []string{event("task_started", ""), event("turn_aborted", `,"reason":"interrupted"`)}
	for name, c := range map[string]struct {
		between []string
		want    int // turns that are left of two
	}{
		"stopped at once":                        {stopped, 2},
		"stopped twice":                          {append(stopped, stopped...), 2},
		"stopped behind its prompt":              {[]string{event("task_started", ""), prompt("c"), event("turn_aborted", `,"reason":"interrupted"`)}, 2},
		"a command of the user, which was ended": {[]string{event("task_started", ""), event("exec_command_end", `,"call_id":"u","source":"user_shell","command":["ls"]`), event("turn_aborted", "")}, 1},
		"nothing was stopped":                    {nil, 1},
	} {
		lines := append([]string{begins(""), event("task_started", ""), prompt("a"), answer("A", "final_answer"), event("task_complete", ""), event("task_started", ""), prompt("b"), answer("B", "final_answer"), event("task_complete", "")}, c.between...)
		s := sessionOf(t, append(lines, event("thread_rolled_back", `,"num_turns":1`))...)
		expect.Is(t, len(s.Turns), c.want, name, "turns are left", s.TakenBack)
	}
}

// A prompt is known by the same id in every format: Codex rewrites older rollouts.
func TestMigrationKeepsTheIDsOfTurns(t *testing.T) {
	said := func(text string) string { return event("user_message", fmt.Sprintf(`,"message":%q`, text)) }
	old := sessionOf(t, begins(""), said("a"), said("b"), event("thread_rolled_back", `,"num_turns":1`), said("b"), said("a"))
	migrated := sessionOf(t, begins(`,"history_mode":"paginated"`), prompt("a"), prompt("b"), prompt("a"))
	for i, turn := range old.Turns {
		expect.Is(t, migrated.Turns[i].ID, turn.ID, "turn", i, "has the ids")
	}
	if old.Turns[0].ID == old.Turns[2].ID || len(old.Turns) != 3 {
		t.Errorf("%+v", old.Turns)
	}
}

func TestCalls(t *testing.T) {
	call := func(name, arguments string) string {
		return response("function_call", fmt.Sprintf(`,"name":%q,"call_id":"c","arguments":%q`, name, arguments))
	}
	gave := func(text string) string {
		return response("function_call_output", fmt.Sprintf(`,"call_id":"c","output":%q`, text))
	}
	patch := "*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n*** Add File: c.go\n*** End Patch"
	custom := response("custom_tool_call", fmt.Sprintf(`,"name":"apply_patch","call_id":"c","input":%q`, patch))
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"0.55":        {[]string{call("shell", `{"command":["bash","-lc","go test"]}`), gave(`{"output":"FAIL","metadata":{"exit_code":1}}`)}, "shell run [go test] false 1"},
		"words":       {[]string{call("exec_command", `{"cmd":"go test"}`), gave("Wall time: 1\nProcess exited with code 2\nOutput:\n")}, "exec_command run [go test] false 2"},
		"running":     {[]string{call("exec_command", `{"cmd":"sleep 9"}`), gave("Process running with session ID 1\nOutput:\nExit code: 7 is what it says")}, "exec_command run [sleep 9] ? ?"},
		"killed":      {[]string{call("exec_command", `{"cmd":"x"}`), item("CommandExecution", `,"id":"c","command":["sh","-c","x"],"status":"failed","exit_code":-1`)}, "exec_command run [x] false ?"},
		"no call":     {[]string{item("CommandExecution", `,"id":"exec-1","command":["/bin/bash","-lc","ls"],"status":"completed","exit_code":0`)}, "exec_command run [ls] true 0"},
		"powershell":  {[]string{call("shell", `{"command":["powershell.exe","-NoProfile","-Command","dir"]}`)}, "shell run [dir] ? ?"},
		"a list":      {[]string{call("shell", `{"command":["git","log"]}`)}, "shell run [git log] ? ?"},
		"stdin":       {[]string{call("write_stdin", `{"session_id":1,"chars":"q"}`)}, "write_stdin run [] ? ?"},
		"patch":       {[]string{custom, response("custom_tool_call_output", `,"call_id":"c","output":"{\"output\":\"Success. Updated the following files:\\n\",\"metadata\":{\"exit_code\":0}}"`)}, "apply_patch edit [] true ? a.go deleted b.go renamed c.go created"},
		"bad patch":   {[]string{custom, response("custom_tool_call_output", `,"call_id":"c","output":"apply_patch verification failed: no such file"`)}, "apply_patch edit [] false ?"},
		"no outcome":  {[]string{custom}, "apply_patch edit [] ? ?"},
		"declined":    {[]string{custom, item("FileChange", `,"id":"c","status":"declined","changes":{"/a.go":{"type":"add","content":""}}`)}, "apply_patch edit [] false ?"},
		"heredoc":     {[]string{call("shell", fmt.Sprintf(`{"command":["bash","-lc",%q]}`, "apply_patch <<'EOF'\n"+patch+"\nEOF")), item("FileChange", `,"id":"c","status":"completed","changes":{"/w/a.go":{"type":"update","move_path":"/w/b.go"}}`)}, "shell run [apply_patch <<'EOF'\n" + patch + "\nEOF] true ? /w/a.go deleted /w/b.go renamed"},
		"twice":       {[]string{custom, item("FileChange", `,"id":"c","status":"completed","changes":{"/a.go":{"type":"update"}}`), response("custom_tool_call_output", `,"call_id":"c","output":"Success. Updated the following files:\n"`)}, "apply_patch edit [] true ? /a.go edited"},
		"mcp":         {[]string{item("McpToolCall", `,"id":"m","server":"github","tool":"get_issue","status":"failed"`)}, "get_issue mcp [] false ?"},
		"mcp event":   {[]string{call("github__get_issue", `{}`), event("mcp_tool_call_end", `,"call_id":"c","invocation":{"server":"github","tool":"get_issue"}`)}, "github__get_issue mcp [] ? ?"},
		"web":         {[]string{response("web_search_call", `,"id":"ws_1","action":{"type":"search","query":"zstd window"}`), item("WebSearch", `,"id":"ws_1","query":"zstd window"`)}, "web_search web [] ? ?"},
		"url of file": {[]string{item("ImageView", `,"id":"v","path":"file:///C:/Users/dev/a%20b.png"`)}, "view_image read [] true ? C:/Users/dev/a b.png viewed"},
		"unknown":     {[]string{call("nobody_knows", `not json`)}, "nobody_knows other [] ? ?"},
		"of another":  {[]string{call("exec_command", `{"cmd":5,"command":{"a":1}}`)}, "exec_command run [] ? ?"},
	} {
		s := sessionOf(t, append([]string{begins(""), prompt("p")}, c.lines...)...)
		if len(s.Turns[0].Tools) != 1 {
			t.Errorf("%s: %+v", name, s.Turns[0].Tools)
			continue
		}
		tool, ok, exit := s.Turns[0].Tools[0], "?", "?"
		if tool.OK != nil {
			ok = fmt.Sprint(*tool.OK)
		}
		if tool.Exit != nil {
			exit = fmt.Sprint(*tool.Exit)
		}
		got := fmt.Sprintf("%s %s [%s] %s %s", tool.Name, tool.Kind, tool.Command, ok, exit)
		for _, f := range s.Files {
			got += " " + f.Path + " " + f.Kind
		}
		expect.Is(t, got, c.want, name)
	}
}

func TestPlansAndGoals(t *testing.T) {
	plan := func(call, steps string) string {
		return response("function_call", fmt.Sprintf(`,"name":"update_plan","call_id":%q,"arguments":%q`, call, `{"plan":`+steps+`}`))
	}
	gave := func(call, text string) string {
		return response("function_call_output", fmt.Sprintf(`,"call_id":%q,"output":%q`, call, text))
	}
	goal := func(status string) string {
		return event("thread_goal_updated", fmt.Sprintf(`,"goal":{"objective":"Ship it","status":%q}`, status))
	}
	s := sessionOf(t, begins(""), goal("active"), prompt("p"),
		plan("1", `[{"step":"one","status":"completed"},{"step":"two","status":"in_progress"},{"step":"three","status":"pending"}]`), gave("1", "Plan updated"),
		plan("2", `[{"step":"none","status":"pending"}]`), gave("2", "unsupported call: update_plan"), goal("budget_limited"))
	var got []string
	for _, todo := range s.Todos {
		got = append(got, todo.Title+" "+todo.Status+" "+todo.Origin)
	}
	expect.List(t, got, []string{"one done todo list", "two in_progress todo list", "three open todo list", "Ship it blocked goal"})
	if len(s.Actions) != 1 || s.Actions[0].Text != "/goal Ship it" || s.Actions[0].Turn != -1 || s.Turns[0].User != "p" {
		t.Errorf("%+v", s.Actions)
	}
	if s = sessionOf(t, begins(""), goal("active"), event("thread_goal_cleared", "")); len(s.Todos) != 0 {
		t.Errorf("%+v", s.Todos)
	}
	if s = sessionOf(t, begins(""), prompt("p"), item("Plan", `,"text":"- [ ] do"`)); len(s.Artifacts) != 1 || s.Artifacts[0].Kind != sources.Plan {
		t.Errorf("%+v", s.Artifacts)
	}
}

func TestRefs(t *testing.T) {
	s := sessionOf(t, begins(`,"git":{"repository_url":"https://github.com/octo-org/widget.git"}`), prompt("p"),
		item("CommandExecution", `,"id":"1","command":["bash","-lc","git commit -m x"],"aggregated_output":"[main 5f2d164] store: a clock\n 1 file changed","exit_code":0`),
		item("CommandExecution", `,"id":"2","command":["bash","-lc","gh pr create --title 'A clock'"],"aggregated_output":"https://github.com/octo-org/widget/pull/41\n","exit_code":0`),
		item("CommandExecution", `,"id":"3","command":["bash","-lc","cat notes"],"aggregated_output":"[main 0000000] not mine","exit_code":0`))
	if len(s.Refs) != 2 || s.Refs[0].Value != "5f2d164" || s.Refs[0].Text != "store: a clock" || s.Refs[1].Value != "41" || s.Refs[1].Repo != "" || s.Refs[1].Text != "A clock" {
		t.Errorf("%+v", s.Refs)
	}
}

func TestHomesAreFound(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, ".codex"), 0o700))
	must(t, os.Mkdir(filepath.Join(dir, "other"), 0o700))
	roots := func(c codexcli.Config) (out []string) {
		l := expect.Value(codexcli.New(c).List(context.Background()))(t)
		for _, r := range l.Roots {
			rel, _ := filepath.Rel(dir, r.Path)
			out = append(out, fmt.Sprint(filepath.ToSlash(rel), r.Found))
		}
		return out
	}
	own := func(string) string { return filepath.Join(dir, "other") }
	for _, c := range []struct {
		cfg  codexcli.Config
		want []string
	}{
		{codexcli.Config{}, nil},
		{codexcli.Config{Defaults: true, Home: dir}, []string{".codextrue"}},
		{codexcli.Config{Defaults: true, Home: dir, Env: own}, []string{"othertrue"}},
		{codexcli.Config{Homes: []string{filepath.Join(dir, "other"), filepath.Join(dir, "none")}, Defaults: true, Env: own}, []string{"othertrue", "nonefalse"}},
	} {
		expect.List(t, roots(c.cfg), c.want, c.cfg)
	}
}
