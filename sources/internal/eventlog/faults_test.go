package eventlog

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// actsOf writes the acts of a session in a line.
func actsOf(s *sources.Session) string {
	var all []string
	for _, a := range s.Acts {
		line := strings.TrimSpace(fmt.Sprintf("%s %s", a.Kind, a.Verdict)) + ": " + a.Text
		if a.Answer != "" {
			line += " -> " + a.Answer
		}
		if a.Unasked {
			line += " (unasked)"
		}
		if a.Pending {
			line += " (pending)"
		}
		all = append(all, line)
	}
	return strings.Join(all, "; ")
}

// called writes the start of a call.
func called(n int, id, tool, args string) string {
	return ev("tool.execution_start", n, `{"toolCallId":"`+id+`","toolName":"`+tool+`","arguments":`+args+`}`)
}

// gave writes the result of a call that succeeded.
func gave(n int, id, text string) string {
	return ev("tool.execution_complete", n, `{"toolCallId":"`+id+`","success":true,"result":{"content":`+quoted(text)+`}}`)
}

// refused writes the result of a call that did not run.
func refused(n int, id, code, text string) string {
	return ev("tool.execution_complete", n, `{"toolCallId":"`+id+`","success":false,"error":{"code":"`+code+`","message":`+quoted(text)+`}}`)
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

func TestWhatAPersonAnsweredIsAnAct(t *testing.T) {
	ask := called(2, "q", "ask_user", `{"question":"Which queue?","choices":["nats","kafka"]}`)
	form := called(2, "q", "ask_user", `{"message":"Some choices.","requestedSchema":{"type":"object","properties":{
"queue":{"title":"Queue","description":"Which queue?"},"size":{"type":"number","title":"Size"},"why":{}}}}`)
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"selected":       {[]string{ask, gave(3, "q", "User selected: nats")}, "asked: Which queue? -> nats"},
		"typed":          {[]string{ask, gave(3, "q", "User responded: none: write\nto disk")}, "asked: Which queue? -> none: write\nto disk"},
		"typed, before":  {[]string{ask, gave(3, "q", "User response (freeform): both")}, "asked: Which queue? -> both"},
		"a form":         {[]string{form, gave(3, "q", "User responded: queue=nats, size=3, why=it is small, fast")}, "asked: Which queue? -> nats; asked: Size -> 3; asked: why -> it is small, fast"},
		"part of a form": {[]string{form, gave(3, "q", "User responded: size=3")}, "asked: Which queue?; asked: Size -> 3; asked: why"},
		"nobody":         {[]string{ask, gave(3, "q", "User responded: The user is not available to respond and will look later.")}, "asked: Which queue?"},
		"not wanted":     {[]string{ask, gave(3, "q", "User skipped question")}, "asked rejected: Which queue?"},
		"cancelled":      {[]string{form, gave(3, "q", "User cancelled the request.")}, "asked rejected: Which queue?"},
		"recorded": {[]string{ask, ev("human_response.recorded", 3, `{"requestId":"r","toolCallId":"q","actor":"human_response","response":{"responseKind":"user_input","question":"Which queue?","answer":"kafka"}}`),
			gave(4, "q", "User selected: kafka")}, "asked: Which queue? -> kafka"},
		"recorded alone": {[]string{ev("human_response.recorded", 3, `{"requestId":"r","actor":"human_response","response":{"question":"Which port?","answer":"80"}}`)}, "asked: Which port? -> 80"},
		"by a program": {[]string{ask, ev("human_response.recorded", 3, `{"requestId":"r","toolCallId":"q","actor":"host_automation","response":{"answer":"kafka"}}`),
			gave(4, "q", "User selected: kafka")}, "asked: Which queue?"},
		"no answer yet": {[]string{ask, ev("session.shutdown", 3, `{}`)}, "asked: Which queue? (pending)"},
		"went on":       {[]string{ask, ev("user.message", 3, `{"content":"Never mind"}`)}, ""},
	} {
		expect.Is(t, actsOf(readRecords(t, append([]string{ev("user.message", 1, `{"content":"Q"}`)}, c.records...)...)), c.want, name)
	}
}

func TestWhatBecameOfAPlanIsAnAct(t *testing.T) {
	const approved = "Plan approved! Exited plan mode.\n\nYou are now in autopilot mode (edits will be auto-approved). Proceed."
	const not = "Plan not approved. User feedback:\n\nKeep the\nold one.\n\nPlease update the plan based on this feedback and try again."
	plan := called(2, "p", "exit_plan_mode", `{"summary":"# New queue\n- nats","actions":["interactive"]}`)
	decided := func(actor, said string) string {
		return ev("human_response.recorded", 3, `{"requestId":"r","toolCallId":"p","actor":"`+actor+`","response":{"responseKind":"exit_plan_mode","planContent":"# Queue of nats\n1. x",`+said+`}}`)
	}
	requested := ev("exit_plan_mode.requested", 2, `{"requestId":"r","planContent":"# Own queue\n","summary":"- s"}`)
	for name, c := range map[string]struct {
		mode    string
		records []string
		want    string
	}{
		"approved":         {"plan", []string{plan, gave(3, "p", approved)}, "planned accepted: New queue"},
		"on its own":       {"autopilot", []string{plan, gave(3, "p", approved)}, "planned accepted: New queue (unasked)"},
		"by a program":     {"plan", []string{plan, decided("host_automation", `"approved":true`), gave(4, "p", approved)}, "planned accepted: Queue of nats (unasked)"},
		"refused":          {"plan", []string{plan, gave(3, "p", not)}, "planned rejected: New queue -> Keep the\nold one."},
		"without words":    {"plan", []string{plan, gave(3, "p", "Plan not approved. User feedback:\n\nUser requested changes but did not provide specific feedback.")}, "planned rejected: New queue"},
		"kept from it":     {"plan", []string{plan, refused(3, "p", "rejected", "The user rejected this tool call.")}, "planned rejected: New queue"},
		"recorded":         {"plan", []string{plan, decided("human_response", `"approved":true,"selectedAction":"interactive"`), gave(4, "p", approved)}, "planned accepted: Queue of nats"},
		"recorded refusal": {"plan", []string{plan, decided("human_response", `"approved":false,"feedback":"Smaller."`), gave(4, "p", not)}, "planned rejected: Queue of nats -> Smaller."},
		"events alone":     {"plan", []string{requested, ev("exit_plan_mode.completed", 3, `{"requestId":"r","approved":true}`)}, "planned accepted: Own queue"},
		"events, refused":  {"plan", []string{requested, ev("exit_plan_mode.completed", 3, `{"requestId":"r","approved":false,"feedback":"No."}`)}, "planned rejected: Own queue -> No."},
		"events of a call": {"plan", []string{plan, requested, ev("exit_plan_mode.completed", 3, `{"requestId":"r","approved":true}`), gave(4, "p", approved)}, "planned accepted: Own queue"},
		"no answer yet":    {"plan", []string{plan}, "planned: New queue (pending)"},
	} {
		s := readRecords(t, append([]string{ev("user.message", 1, `{"content":"Q","agentMode":"`+c.mode+`"}`)}, c.records...)...)
		if got := actsOf(s); got != c.want || len(s.Artifacts) > 0 {
			t.Errorf("%s: %q, want %q; %v", name, got, c.want, s.Artifacts)
		}
	}
}

func TestWhatAPersonRefusedDidNotRun(t *testing.T) {
	push := called(2, "c", "bash", `{"command":"git push --force","description":"Push"}`)
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"in silence":       {[]string{push, refused(3, "c", "rejected", "The user rejected this tool call.")}, ""},
		"with words":       {[]string{push, refused(3, "c", "denied", "The user rejected this tool call. User feedback: not to main")}, "refused rejected: git push --force -> not to main"},
		"by a rule":        {[]string{push, refused(3, "c", "denied", "Permission to run this tool was denied due the following rules: shell(git push)")}, ""},
		"then stopped":     {[]string{push, ev("permission.completed", 3, `{"requestId":"r","toolCallId":"c","result":{"kind":"denied-interactively-by-user","feedback":"ask me first"}}`), ev("abort", 4, `{"reason":"user_initiated"}`)}, "refused rejected: git push --force -> ask me first"},
		"both":             {[]string{push, ev("permission.completed", 3, `{"toolCallId":"c","result":{"kind":"denied-interactively-by-user","feedback":"no"}}`), refused(4, "c", "denied", "The user rejected this tool call. User feedback: no")}, "refused rejected: git push --force -> no"},
		"nobody was asked": {[]string{push, ev("permission.completed", 3, `{"toolCallId":"c","result":{"kind":"denied-no-approval-rule-and-could-not-request-from-user"}}`)}, ""},
	} {
		s := readRecords(t, append([]string{ev("user.message", 1, `{"content":"Q"}`)}, c.records...)...)
		tool := s.Turns[0].Tools[0]
		if got := actsOf(s); got != c.want || tool.Command != "" || tool.OK == nil || *tool.OK {
			t.Errorf("%s: %q, want %q; %+v", name, got, c.want, tool)
		}
	}
	s := readRecords(t, ev("user.message", 1, `{"content":"Q"}`), push, ev("permission.completed", 3, `{"toolCallId":"c","result":{"kind":"approved-for-session"}}`), gave(4, "c", "done\n<exited with exit code 0>"))
	if tool := s.Turns[0].Tools[0]; tool.Exit == nil || *tool.Exit != 0 || tool.Command == "" {
		t.Errorf("what was permitted: %+v", tool)
	}
}

func TestListsMemoriesAndPlansThatCallsWrote(t *testing.T) {
	own := "/home/ada/.copilot/session-state/" + testID + "/"
	for name, c := range map[string]struct {
		tool, args, want string
	}{
		"new rows":       {"sql", `{"query":"INSERT INTO todos (id, title) VALUES ('a', 'A')"}`, "listed: "},
		"changed rows":   {"sql", `{"query":"update todos set status = 'done' where id = 'a'; select * from todos"}`, "listed: "},
		"a look":         {"sql", `{"query":"SELECT id, status FROM todos"}`, ""},
		"another table":  {"sql", `{"query":"INSERT INTO todo_deps VALUES ('a', 'b')"}`, ""},
		"a checklist":    {"update_todo", `{"todos":"- [x] a\n- [ ] b"}`, "listed: "},
		"an empty one":   {"update_todo", `{"todos":""}`, ""},
		"a memory":       {"store_memory", `{"subject":"build","fact":"make all","citations":"x","reason":"y"}`, "remembered: build -> make all"},
		"a vote":         {"vote_memory", `{"fact":"make all","direction":"upvote"}`, ""},
		"the plan":       {"create", `{"path":"` + own + `plan.md","file_text":"# P"}`, "wrote: plan.md"},
		"by a patch":     {"apply_patch", `"*** Begin Patch\n*** Update File: ` + own + `plan.md\n*** End Patch"`, "wrote: plan.md"},
		"a report":       {"edit", `{"path":"` + strings.ReplaceAll(own, "/", `\\`) + `research\\r.md","old_str":"a"}`, "wrote: r.md"},
		"another's plan": {"edit", `{"path":"/home/ada/.copilot/session-state/` + parentID + `/plan.md"}`, ""},
		"a look at it":   {"view", `{"path":"` + own + `plan.md"}`, ""},
		"one of ours":    {"create", `{"path":"/home/ada/src/app/plan.md"}`, ""},
	} {
		s := readRecords(t, ev("user.message", 1, `{"content":"Q"}`), called(2, "c", c.tool, c.args), gave(3, "c", "ok"))
		expect.Is(t, actsOf(s), c.want, name)
	}
	s := readRecords(t, ev("user.message", 1, `{"content":"Q"}`), called(2, "c", "update_todo", `{"todos":"- [x] one\n- [ ] two\n- [~] three"}`), gave(3, "c", "ok"),
		called(4, "d", "edit", `{"path":"`+own+`plan.md"}`), refused(5, "d", "failure", "No match found"))
	var got []string
	for _, todo := range s.Todos {
		got = append(got, todo.Title+" "+todo.Status)
	}
	if g := strings.Join(got, ", "); g != "one done, two open, three in_progress" || actsOf(s) != "listed: " {
		t.Errorf("%s; %s", g, actsOf(s))
	}
}

func TestErrorsAndAborts(t *testing.T) {
	prompt, answer := ev("user.message", 1, `{"content":"Q"}`), ev("assistant.message", 2, `{"content":"A"}`)
	fail := func(n int, kind string) string {
		return ev("session.error", n, `{"errorType":"`+kind+`","message":"M"}`)
	}
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"of the model":      {[]string{prompt, fail(2, "rate_limit")}, "failed M"},
		"of any kind":       {[]string{prompt, ev("session.error", 2, `{"message":"M"}`)}, "failed M"},
		"of a server":       {[]string{prompt, answer, fail(3, "mcp")}, "complete"},
		"of the editor":     {[]string{prompt, fail(2, "ide"), answer}, "complete"},
		"of the next start": {[]string{prompt, answer, ev("session.resume", 3, `{}`), fail(4, "authentication")}, "complete"},
		"after the end":     {[]string{prompt, answer, ev("session.shutdown", 3, `{}`), fail(4, "quota")}, "complete"},
		"sent again":        {[]string{prompt, fail(2, "query"), ev("user.message", 3, `{"content":"Q"}`), ev("assistant.message", 4, `{"content":"A"}`)}, "complete"},
		"and again":         {[]string{prompt, fail(2, "query"), ev("user.message", 3, `{"content":"Q"}`), fail(4, "query")}, "failed M"},
		"by the person":     {[]string{prompt, ev("abort", 2, `{"reason":"user_initiated"}`)}, "cancelled"},
		"from elsewhere":    {[]string{prompt, ev("abort", 2, `{"reason":"remote_command"}`)}, "cancelled"},
		"by a limit":        {[]string{prompt, ev("abort", 2, `{"reason":"autopilot_credit_limit"}`)}, "failed stopped: autopilot_credit_limit"},
		"done":              {[]string{prompt, ev("session.task_complete", 2, `{"summary":"S","success":true}`)}, "complete"},
		"not done":          {[]string{prompt, ev("session.task_complete", 2, `{"summary":"S","success":false}`)}, "pending"},
	} {
		s := readRecords(t, c.records...)
		if got := strings.TrimSpace(string(s.Turns[0].Status) + " " + s.Turns[0].Error); got != c.want || len(s.Turns) != 1 {
			t.Errorf("%s: %q of %d turns, want %q", name, got, len(s.Turns), c.want)
		}
	}
}

func TestPromptsThatNobodyTyped(t *testing.T) {
	typed, answer := ev("user.message", 1, `{"content":"Q"}`), ev("assistant.message", 2, `{"content":"A"}`)
	for name, c := range map[string]struct {
		records []string
		want    string // prompts
		class   sources.Class
	}{
		"of a skill":          {[]string{typed, answer, ev("user.message", 3, `{"content":"Skill","source":"skill-pdf"}`)}, "Q", ""},
		"of a timer":          {[]string{typed, answer, ev("user.message", 3, `{"content":"Tick","source":"schedule-1"}`), ev("assistant.message", 4, `{"content":"B"}`)}, "Q", ""},
		"to go on":            {[]string{typed, answer, ev("user.message", 3, `{"content":"Go on","isAutopilotContinuation":true}`)}, "Q", ""},
		"empty, in autopilot": {[]string{typed, answer, ev("user.message", 3, `{"content":"","agentMode":"autopilot","attachments":[]}`)}, "Q", ""},
		"a notice":            {[]string{typed, answer, ev("user.message", 3, `{"content":"<system_notification>\nAgent done\n</system_notification>"}`)}, "Q", ""},
		"from another place":  {[]string{typed, answer, ev("user.message", 3, `{"content":"From my phone","source":"command-77"}`)}, "Q|From my phone", ""},
		"of a program alone":  {[]string{ev("user.message", 1, `{"content":"Watch","source":"system"}`), answer}, "Watch", sources.Automatic},
		"and then a person":   {[]string{ev("user.message", 1, `{"content":"Watch","source":"system"}`), answer, ev("user.message", 3, `{"content":"Stop"}`)}, "|Stop", ""},
		"an id of two":        {[]string{typed, answer, strings.Replace(ev("user.message", 3, `{"content":"R"}`), `"user.message-3"`, `"user.message-1"`, 1)}, "Q|R", ""},
		"told twice":          {[]string{typed, answer, typed, answer}, "Q", ""},
		"a copy":              {[]string{ev("user.message", 1, `{"content":"Q","messageId":"m"}`), answer, strings.Replace(ev("user.message", 1, `{"content":"Q","messageId":"m"}`), `"user.message-1"`, `"other"`, 1)}, "Q", ""},
	} {
		s := readRecords(t, c.records...)
		var got []string
		for _, turn := range s.Turns {
			got = append(got, turn.User)
		}
		if g := strings.Join(got, "|"); g != c.want || s.Class != c.class {
			t.Errorf("%s: %q of class %q, want %q", name, g, s.Class, c.want)
		}
	}
	s := readRecords(t, typed, answer, called(3, "u", "tool", `{}`), ev("tool.user_requested", 4, `{"toolCallId":"c","toolName":"bash","arguments":{"command":"git log"}}`),
		called(5, "c", "bash", `{"command":"git log"}`), gave(6, "c", "x"))
	if len(s.Turns[0].Tools) != 1 || len(s.Actions) != 1 || s.Actions[0].Text != "!git log" {
		t.Errorf("what the user ran: %+v, %+v", s.Turns[0].Tools, s.Actions)
	}
}

func TestAttachmentsOfEveryType(t *testing.T) {
	for attachment, want := range map[string]string{
		`{"type":"extension_context","title":"Board"}`:                              "extension context Board",
		`{"type":"github_actions_job","jobName":"lint"}`:                            "actions job lint",
		`{"type":"hologram"}`:                                                       "hologram ",
		`{"type":"github_commit","oid":"abcdef1234567","message":"Mend"}`:           "commit Mend",
		`{"type":"github_url","url":"https://github.com/ada/app/wiki"}`:             "url https://github.com/ada/app/wiki",
		`{"type":"directory","path":"C:\\src\\app","displayName":"app"}`:            `directory C:\src\app`,
		`{"type":"blob","mimeType":"application/pdf","displayName":"p","data":"A"}`: "file p",
	} {
		s := readRecords(t, ev("user.message", 1, `{"content":"","agentMode":"autopilot","attachments":[`+attachment+`]}`))
		if len(s.Turns) != 1 || len(s.Turns[0].Attachments) != 1 {
			t.Errorf("%s is no prompt: %+v", attachment, s.Turns)
			continue
		}
		if a := s.Turns[0].Attachments[0]; a.Kind+" "+a.Name != want {
			t.Errorf("%s: %q, want %q", attachment, a.Kind+" "+a.Name, want)
		}
	}
}

// TestCommandsInTheBackground are known by what a later call or a notice tells of them.
func TestCommandsInTheBackground(t *testing.T) {
	start := called(2, "c", "bash", `{"command":"make && git commit -qm 'Ship it'","mode":"async","shellId":"s1"}`)
	other := called(4, "d", "bash", `{"command":"npm start","mode":"async"}`)
	for name, c := range map[string]struct {
		records []string
		exit    string
		refs    string
	}{
		"a later call": {[]string{start, gave(3, "c", "<command started in background with shellId: s1>"),
			called(5, "r", "read_bash", `{"shellId":"s1","delay":5}`), gave(6, "r", "built\n<command with id: s1 exited with exit code 0>")}, "0", "commit  Ship it"},
		"with its hash": {[]string{start, gave(3, "c", "x\n<command with shellId: s1 is still running after 30 seconds. The command is still running.>"), other, gave(4, "d", "<command started in background with ID: s2>"),
			called(5, "r", "read_bash", `{"shellId":"s1"}`), gave(6, "r", "[main abc1234] Ship it\n<shellId: s1 completed with exit code 0>")}, "0", "commit abc1234 Ship it"},
		"failed": {[]string{start, gave(3, "c", "<command started in background with shellId: s1>"),
			called(5, "r", "read_powershell", `{"shellId":"s1"}`), gave(6, "r", "no\n<command with id: s1 exited with exit code 2>")}, "2", ""},
		"a notice": {[]string{start, gave(3, "c", "<command started in background with shellId: s1>"),
			ev("system.notification", 4, `{"content":"x","kind":{"type":"shell_completed","shellId":"s1","exitCode":101}}`)}, "101", ""},
		"a notice of another": {[]string{start, gave(3, "c", "<command started in background with shellId: s1>"),
			ev("system.notification", 4, `{"content":"x","kind":{"type":"shell_completed","shellId":"s9","exitCode":1}}`)}, "?", ""},
		"stopped": {[]string{start, gave(3, "c", "<command started in background with shellId: s1>"),
			called(5, "r", "stop_bash", `{"shellId":"s1"}`), gave(6, "r", "<command with id: s1 stopped>")}, "?", ""},
		"still running": {[]string{start, gave(3, "c", "<command started in background with shellId: s1>"),
			called(5, "r", "read_bash", `{"shellId":"s1"}`), gave(6, "r", "<command with shellId: s1 is still running after 5 seconds.>")}, "?", ""},
	} {
		s := readRecords(t, append([]string{ev("user.message", 1, `{"content":"Q"}`)}, c.records...)...)
		tool, exit, got := s.Turns[0].Tools[0], "?", []string{}
		if tool.Exit != nil {
			exit = fmt.Sprint(*tool.Exit)
		}
		for _, r := range s.Refs {
			got = append(got, r.Type+" "+r.Value+" "+r.Text)
		}
		if g := strings.Join(got, ", "); exit != c.exit || g != c.refs {
			t.Errorf("%s: exit %s and %q, want %s and %q", name, exit, g, c.exit, c.refs)
		}
	}
}

// TestSubAgents have their events in the same log, marked in one of two ways, and may go on in the
// background.
func TestSubAgents(t *testing.T) {
	task := called(2, "t", "task", `{"agent_type":"explore","description":"Look around","prompt":"Find it"}`)
	for name, c := range map[string]struct {
		mark   func(string) string
		result string
	}{
		"agentId":          {func(r string) string { return strings.TrimSuffix(r, "}") + `,"agentId":"a1"}` }, "Found."},
		"parentToolCallId": {func(r string) string { return strings.Replace(r, `"data":{`, `"data":{"parentToolCallId":"t",`, 1) }, "Found.\n\n(agent_id: look — use write_agent to send follow-up messages)"},
		"in the background": {func(r string) string { return strings.Replace(r, `"data":{`, `"data":{"parentToolCallId":"t",`, 1) },
			"Agent started in background with agent_id: look. You'll be notified."},
	} {
		began := ev("subagent.started", 3, `{"toolCallId":"t","agentName":"explore"}`)
		if name == "agentId" {
			began = c.mark(began)
		}
		own := []string{
			c.mark(ev("user.message", 4, `{"content":"Find it"}`)),
			c.mark(ev("assistant.message", 5, `{"content":"I look.","toolRequests":[{"toolCallId":"s1","name":"view","arguments":{"path":"a.go"}},{"toolCallId":"s2","name":"edit","arguments":{"path":"/home/ada/src/app/b.go"}},
{"toolCallId":"s3","name":"update_todo","arguments":{"todos":"- [ ] mine"}}]}`)),
			c.mark(gave(6, "s1", "x")), c.mark(called(7, "s2", "edit", `{"path":"/home/ada/src/app/b.go"}`)), c.mark(gave(8, "s2", "x")), c.mark(gave(9, "s3", "x")),
			c.mark(ev("assistant.message", 10, `{"content":"Found."}`)),
		}
		end := []string{gave(11, "t", c.result), ev("subagent.completed", 12, `{"toolCallId":"t","agentName":"explore"}`), ev("assistant.message", 13, `{"content":"A"}`)}
		if name == "in the background" {
			own, end = append([]string{gave(3, "t", c.result)}, own...), end[1:]
		}
		s := readRecords(t, append(append([]string{ev("user.message", 1, `{"content":"Q"}`), task, began}, own...), end...)...)
		if len(s.Turns) != 1 || len(s.Turns[0].Tools) != 1 || s.Turns[0].Assistant != "A" || len(s.Todos)+len(s.Acts) > 0 {
			t.Errorf("%s: %s", name, asJSON(t, s))
		}
		if len(s.Delegated) != 1 || s.Delegated[0].Calls != 3 || s.Delegated[0].Answer != "Found." || s.Delegated[0].Task != "Find it" || s.Delegated[0].End.IsZero() {
			t.Errorf("%s: %+v", name, s.Delegated)
		}
		if len(s.Files) != 1 || filepath.Base(s.Files[0].Path) != "b.go" || s.Files[0].Turn != 0 {
			t.Errorf("%s: %+v", name, s.Files)
		}
	}
}
