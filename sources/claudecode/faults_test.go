package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// outline sums up a session: its turns with attachments and errors, and what it is.
func outline(s *sources.Session) string {
	var all []string
	for _, t := range s.Turns {
		line := t.User
		for _, a := range t.Attachments {
			line += "[" + a.Kind + " " + a.Name + "]"
		}
		if line += " > " + t.Assistant; t.Error != "" {
			line += "!" + t.Error
		}
		all = append(all, line)
	}
	for _, t := range s.TakenBack {
		all = append(all, "back: "+t.User)
	}
	if s.Class != "" {
		all = append(all, string(s.Class))
	}
	return strings.Join(all, " | ")
}

// at gives a line another time than that of its place.
func at(minute int) map[string]any {
	return map[string]any{"timestamp": fmt.Sprintf("2026-11-04T10:%02d:00.000Z", minute)}
}

// queue adds a line of the queue, of this session where it is not told otherwise.
func (l *log) queue(operation, content string, session ...string) *log {
	return l.line(map[string]any{"type": "queue-operation", "operation": operation, "content": content, "timestamp": "2026-11-04T10:30:00.000Z",
		"sessionId": append(session, own)[0]})
}

// synthetic adds an answer that the client wrote.
func (l *log) synthetic(uuid, parent, text string, isError bool) *log {
	return l.tree("assistant", uuid, parent, map[string]any{"isApiErrorMessage": isError,
		"message": map[string]any{"id": "s" + uuid, "role": "assistant", "model": "<synthetic>", "content": textBlocks(text)}})
}

// queued adds a prompt that was taken up in the middle of a turn.
func (l *log) queued(uuid, parent string, prompt any, origin string, isMeta bool) *log {
	attachment := map[string]any{"type": "queued_command", "prompt": prompt}
	if origin != "" {
		attachment["origin"] = map[string]any{"kind": origin}
	}
	return l.tree("attachment", uuid, parent, map[string]any{"isMeta": isMeta, "attachment": attachment})
}

// TestKindsOfFault has the kinds of faults that histories had, in shapes of our own.
func TestKindsOfFault(t *testing.T) {
	first := func() *log { return newLog().typed("u1", "", "first").said("a1", "u1", "one") }
	part := func(kind, name, value string) map[string]any { return map[string]any{"type": kind, name: value} }
	only := func(blocks ...any) *log { return newLog().user("u1", "", blocks, proven).said("a1", "u1", "one") }
	meta, look := map[string]any{"isMeta": true}, "look again"
	key := func(id string) map[string]any { return map[string]any{"promptId": id} }
	failed := func() *log { return newLog().user("u1", "", "first", key("p")).synthetic("e", "u1", "API Error", true) }
	answer := func(uuid, parent string) map[string]any {
		return map[string]any{"uuid": uuid, "parentUuid": parent, "message": map[string]any{"id": "m", "content": textBlocks("one")}}
	}
	hooks := func(kind string, more map[string]any) *log {
		l := newLog().tree(kind, "hook", "", more).typed("u1", "hook", "first").said("a1", "u1", "one")
		l.tree(kind, "hook", "a1", more).typed("u2", "hook", "second").said("a2", "u2", "two")
		return l.tree(kind, "hook", "a2", more).typed("u3", "hook", "third").said("a3", "u3", "three")
	}
	const three = "first > one | second > two | third > three"
	for name, c := range map[string]struct {
		log  *log
		want string
	}{
		// a prompt of an attachment alone
		"a document":           {only(part("document", "title", "plan.pdf")), "[document plan.pdf] > one"},
		"two documents":        {only(part("document", "title", "a.pdf"), part("document", "title", "b.pdf")), "[document a.pdf][document b.pdf] > one"},
		"a picture":            {only(part("image", "title", "")), "[image Image #1] > one"},
		"an unknown kind":      {only(part("audio", "name", "memo.ogg")), "[audio memo.ogg] > one"},
		"one without a name":   {only(part("container_upload", "x", "")), "[container_upload container_upload] > one"},
		"a document in line":   {first().queued("q", "a1", []any{part("document", "title", "a.pdf")}, "", false), "first > one | [document a.pdf] > "},
		"a document of a tool": {newLog().typed("u1", "", "first").user("r", "u1", []any{map[string]any{"type": "tool_result", "tool_use_id": "x", "content": []any{part("document", "title", "a.pdf")}}}), "first > "},
		// ids that several lines have
		"hooks passed over":        {hooks("progress", map[string]any{"data": map[string]any{"type": "hook_progress"}}), three},
		"hooks that are decoded":   {hooks("system", map[string]any{"subtype": "stop_hook_summary"}), three},
		"hooks of an unknown kind": {hooks("kept_context", nil), three},
		"hooks in prompts' place":  {hooks("user", map[string]any{"isMeta": true, "message": map[string]any{"content": "context"}}), three},
		"a hook and a prompt":      {newLog().tree("system", "x", "", nil).typed("x", "", "first").said("a1", "x", "one"), "first > one"},
		"two prompts of one id":    {first().typed("u1", "a1", "second").said("a2", "u1", "two"), "first > one | second > two"},
		// copies with ids of their own
		"the same turn": {newLog().user("u1", "", "first", at(0)).tree("assistant", "a1", "u1", answer("a1", "u1")).user("v1", "", "first", at(0)).
			tree("assistant", "b1", "v1", answer("b1", "v1")).user("u2", "b1", "second").said("a2", "u2", "two"), "first > one | second > two"},
		"a copy behind it":   {newLog().user("u1", "", "first", at(0)).said("a1", "u1", "one").user("v1", "a1", "first", at(0)).user("u2", "v1", "second").said("a2", "u2", "two"), "first > one | second > two"},
		"no copy, but later": {newLog().user("u1", "", "first", at(0)).said("a1", "u1", "one").user("v1", "a1", "first", at(9)).said("b1", "v1", "two"), "first > one | first > two"},
		// the queue
		"nothing but the queue":   {newLog().queue("enqueue", "wait").queue("dequeue", ""), ""},
		"the queue and titles":    {newLog().queue("enqueue", "wait").line(map[string]any{"type": "ai-title", "aiTitle": "Wait"}), ""},
		"commands in it":          {first().queue("enqueue", "/rate-limit-options").queue("enqueue", "/usage").queue("enqueue", "/own x").queue("enqueue", "!ls"), "first > one"},
		"a timer's":               {first().queue("enqueue", look).user("m", "a1", look, meta).said("a2", "m", "two"), "first > one\n\ntwo"},
		"a timer's, on the way":   {first().queue("enqueue", look).queued("q", "a1", look, "", true), "first > one"},
		"a program's, on the way": {first().queue("enqueue", look).queued("q", "a1", look, "cron", false), "first > one"},
		"a program's, behind":     {first().queue("enqueue", look).user("n", "a1", look, map[string]any{"promptSource": "system"}), "first > one"},
		"a person's":              {first().queue("enqueue", "wait").user("m", "a1", look, meta), "first > one | wait > "},
		"told of a sub-agent":     {first().queue("enqueue", "<agent-notification>\n<agent-id>a1</agent-id>\n</agent-notification>"), "first > one"},
		"told of a shell":         {first().queue("enqueue", "<bash-notification>\n<shell-id>b1</shell-id>\n</bash-notification>"), "first > one"},
		"of the parent":           {first().queue("enqueue", "wait", "aa81fc45-db5c-4d1a-852f-1885e56c3827"), "first > one"},
		"the same, twice":         {first().queue("enqueue", "wait").queue("enqueue", "wait").typed("u2", "a1", "wait").said("a2", "u2", "two"), "first > one | wait >  | wait > two"},
		// what the client writes in the agent's name
		"a limit":               {newLog().typed("u1", "", "first").synthetic("e", "u1", "You've hit your limit", false), "first > !You've hit your limit"},
		"an error":              {newLog().typed("u1", "", "first").synthetic("e", "u1", "API Error: 529", true), "first > !API Error: 529"},
		"an error after work":   {first().synthetic("e", "a1", "API Error: 500", true), "first > one!API Error: 500"},
		"nothing asked":         {first().synthetic("e", "a1", "No response requested.", false), "first > one"},
		"sent again":            {failed().user("u2", "e", "first", key("p")).said("a1", "u2", "one"), "first > one"},
		"sent again, twice":     {failed().user("u2", "e", "first", key("p")).synthetic("f", "u2", "API Error", true).user("u3", "f", "first", key("p")).said("a1", "u3", "one"), "first > one"},
		"typed again after one": {failed().user("u2", "e", "first", key("q")).said("a1", "u2", "one"), "first > !API Error | first > one"},
		"sent again after words": {newLog().user("u1", "", "first", key("p")).said("a0", "u1", "zero").synthetic("e", "a0", "API Error", true).user("u2", "e", "first", key("p")).said("a1", "u2", "one"),
			"first > zero!API Error | first > one"},
		// sessions of nobody
		"an observer by its place": {newLog().user("u1", "", "look", map[string]any{"cwd": "/home/dev/.claude-mem/observer-sessions"}), "look >  | automatic"},
		"a warm-up":                {newLog().user("u1", "", "Warmup").said("a1", "u1", "OK"), "Warmup > OK | automatic"},
		"a timer's session":        {newLog().user("m", "", look, meta).said("a1", "m", "two"), " > two | automatic"},
		"a probe":                  {newLog().user("u1", "", "Unknown slash command: own"), "automatic"},
		"a notice alone":           {newLog().user("u1", "", "<task-notification>x</task-notification>").said("a1", "u1", "one"), "<task-notification>x</task-notification> > one | automatic"},
	} {
		expect.Is(t, outline(c.log.read(t)), c.want, name)
	}
}

// TestActs has what calls tell of plans, questions, refusals and lists.
func TestActs(t *testing.T) {
	in := func(mode string) *log {
		return newLog().user("u", "", "p", proven, map[string]any{"permissionMode": mode})
	}
	plan, command := map[string]any{"plan": "# Pumps\n\nMend them."}, map[string]any{"command": "rm -r x"}
	const approved, no = "User has approved your plan.", "The user doesn't want to proceed with this tool use. The tool use was rejected."
	const said = no + " To tell you how to proceed, the user said:\nUse tabs.\n\nNote: The user's next message may contain a correction."
	ask := map[string]any{"questions": []any{map[string]any{"question": "Which?", "options": []any{map[string]any{"label": "A"}}}}}
	chose := map[string]any{"toolUseResult": map[string]any{"questions": ask["questions"], "answers": map[string]any{"Which?": "A"}}}
	made := map[string]any{"toolUseResult": map[string]any{"task": map[string]any{"id": "1"}}}
	todos := map[string]any{"todos": []any{map[string]any{"content": "One", "status": "pending"}}}
	for name, c := range map[string]struct {
		log  *log
		want string
	}{
		"a plan accepted":           {in("plan").call("1", "u", "ExitPlanMode", plan, approved, false, nil), "planned Pumps accepted"},
		"a plan, nobody asked":      {in("bypassPermissions").call("1", "u", "ExitPlanMode", plan, approved, false, nil), "planned Pumps accepted unasked"},
		"a plan in auto mode":       {in("auto").call("1", "u", "ExitPlanMode", plan, approved, false, nil), "planned Pumps accepted unasked"},
		"a plan refused":            {in("plan").call("1", "u", "ExitPlanMode", plan, said, true, nil), "planned Pumps rejected: Use tabs."},
		"a plan put off":            {in("plan").call("1", "u", "ExitPlanMode", plan, "User chose to stay in plan mode and continue planning", true, nil), "planned Pumps rejected"},
		"a plan in a new session":   {in("plan").call("1", "u", "ExitPlanMode", plan, no, true, nil), ""},
		"a plan, interrupted":       {in("plan").call("1", "u", "ExitPlanMode", plan, no, true, nil).user("i", "r1", "[Request interrupted by user for tool use]"), "planned Pumps rejected"},
		"a plan, and work after it": {in("plan").call("1", "u", "ExitPlanMode", plan, no, true, nil).said("a", "r1", "Else?"), "planned Pumps rejected"},
		"a plan that failed":        {in("plan").call("1", "u", "ExitPlanMode", plan, "<tool_use_error>You are not in plan mode.", true, nil), ""},
		"a plan in a fresh context": {newLog().user("u", "", "Implement the plan", map[string]any{"planContent": "# Pumps\n\nMend them.", "slug": "a-b"}), "wrote a-b.md, planned Pumps accepted"},
		"a call refused":            {in("default").call("1", "u", "Bash", command, said, true, nil), "refused rm -r x rejected: Use tabs."},
		"refused without words":     {in("default").call("1", "u", "Bash", command, no, true, map[string]any{"toolUseResult": "User rejected tool use"}), ""},
		"refused by a rule":         {in("default").call("1", "u", "Bash", command, "Permission to use Bash with command rm -r x has been denied.", true, nil), ""},
		"refused, as the line says": {in("default").call("1", "u", "Bash", command, "Denied.", true, map[string]any{"toolDenialKind": "user-rejected"}), ""},
		"a question answered":       {in("default").call("1", "u", "AskUserQuestion", ask, "User has answered", false, chose), "asked Which?: A"},
		"in a sub-agent":            {in("default").call("1", "u", "AskUserQuestion", ask, "B", false, nil), "asked Which?: B"},
		"a question refused":        {in("default").call("1", "u", "AskUserQuestion", ask, said, true, nil), "asked Which? rejected: Use tabs."},
		"a list":                    {in("default").call("1", "u", "TodoWrite", todos, "ok", false, nil), "listed"},
		"a task":                    {in("default").call("1", "u", "TaskCreate", map[string]any{"subject": "One"}, "ok", false, made), "listed"},
		"a change of a task":        {in("default").call("1", "u", "TaskUpdate", map[string]any{"taskId": "1", "status": "completed"}, "ok", false, nil), "listed"},
		"a state quoted twice":      {in("default").call("1", "u", "TaskUpdate", map[string]any{"taskId": "1", "status": `"completed"`}, "<tool_use_error>InputValidationError", true, nil), "listed"},
		"a task that is refused":    {in("default").call("1", "u", "TaskUpdate", map[string]any{"taskId": "1", "status": "completed"}, "<tool_use_error>Else", true, nil), ""},
		"a question and a text":     {in("default").blocks("c", "u", "m", map[string]any{"type": "tool_use", "id": "1", "name": "AskUserQuestion", "input": ask}).blocks("d", "c", "m", map[string]any{"type": "text", "text": "As said:"}), "asked Which? pending"},
		"a question passed over":    {in("default").blocks("c", "u", "m", map[string]any{"type": "tool_use", "id": "1", "name": "AskUserQuestion", "input": ask}).said("n", "c", "Well:"), ""},
		"a memory":                  {newLog().user("u", "", "<user-memory-input>Use tabs.</user-memory-input>"), "remembered Use tabs."},
	} {
		var got []string
		s := c.log.read(t)
		for _, a := range s.Acts {
			line := strings.TrimSpace(string(a.Kind) + " " + a.Text)
			if a.Verdict != "" {
				line += " " + string(a.Verdict)
			}
			if a.Unasked {
				line += " unasked"
			}
			if a.Pending {
				line += " pending"
			}
			if a.Answer != "" {
				line += ": " + a.Answer
			}
			got = append(got, line)
		}
		expect.Is(t, strings.Join(got, ", "), c.want, name)
		if tool := append(s.Turns, sources.Turn{})[0].Tools; strings.HasPrefix(name, "refused") && (tool[0].Command != "" || tool[0].OK == nil || *tool[0].OK) {
			t.Errorf("%s: it ran: %+v", name, tool[0])
		}
	}
}

// TestBridgedTools has the tools of an editor's bridge, under the names that it gives them.
func TestBridgedTools(t *testing.T) {
	s := newLog().typed("u", "", "p").
		call("1", "u", "mcp__acp__Write", map[string]any{"file_path": "/w/a.go"}, "File created successfully at: /w/a.go", false, nil).
		call("2", "r1", "mcp__acp__Edit", map[string]any{"file_path": "/w/b.go"}, "ok", false, nil).
		call("3", "r2", "mcp__acp__Read", map[string]any{"file_path": "/w/c.go"}, "text", false, nil).
		call("4", "r3", "mcp__acp__Bash", map[string]any{"command": "git commit -m 'Mend it'"}, "Exited with code 0.Final output:\n\n[main abc1239] Mend it\n 1 file changed\n", false, nil).
		call("5", "r4", "mcp__acp__Bash", map[string]any{"command": "make test"}, "Exited with code 2.Final output:\n\nno rule", false, nil).
		call("6", "r5", "mcp__acp__Bash", map[string]any{"command": "make lint"}, "Exit code 1\nbad", true, nil).read(t)
	var got []string
	for _, f := range s.Files {
		got = append(got, f.Kind+" "+f.Path)
	}
	for _, c := range s.Turns[0].Tools[3:] {
		got = append(got, fmt.Sprint(c.Command, " ", *c.Exit, " ", *c.OK))
	}
	for _, r := range s.Refs {
		got = append(got, r.Value+" "+r.Text)
	}
	want := "created /w/a.go, edited /w/b.go, viewed /w/c.go, git commit -m 'Mend it' 0 true, make test 2 false, make lint 1 false, abc1239 Mend it"
	expect.Is(t, strings.Join(got, ", "), want)
}

// TestWorkOfSubAgents has what sub-agents with files of their own did for the session whose folder holds them.
func TestWorkOfSubAgents(t *testing.T) {
	write := func(l *log, id, parent string) *log {
		return l.call(id, parent, "Write", map[string]any{"file_path": "/p/x.py"}, "File created successfully at: /p/x.py", false, nil)
	}
	asked := func(task string) *log { return newLog().user("u", "", task) }
	team := func(message string) *log { return write(asked(message), "1", "u").said("a", "r1", "done") }
	commit := map[string]any{"command": "git commit -m y"}
	const message = "<teammate-message teammate_id=\"team-lead\" summary=\"Fix x > y\">"
	for name, c := range map[string]struct {
		log  *log
		want string
	}{
		"asked":                  {write(asked("do x"), "1", "u"), `"1": do x | created /p/x.py -1`},
		"one of a team":          {team(message + "\ndo x\n\n</teammate-message>"), `"": do x | created /p/x.py -1`},
		"with a summary alone":   {team(message + "</teammate-message>"), `"": Fix x > y | created /p/x.py -1`},
		"that was cut":           {team(message + "do x"), `"": do x | created /p/x.py -1`},
		"two messages":           {team("<teammate-message teammate_id=\"b\">do x</teammate-message>\n\n<teammate-message>wait</teammate-message>"), `"": do x | created /p/x.py -1`},
		"edited behind it":       {write(asked("do x"), "1", "u").call("2", "r1", "Edit", map[string]any{"file_path": "/p/x.py"}, "ok", false, nil), `"1": do x | created /p/x.py -1 | edited /p/x.py -1`},
		"it looked":              {asked("do x").call("1", "u", "Read", map[string]any{"file_path": "/p/x.py"}, "text", false, nil), `"1": do x`},
		"a commit":               {asked("do x").call("1", "u", "Bash", commit, "[main 0a1b2c3] y", false, nil), `"1": do x | commit 0a1b2c3 y -1`},
		"a commit that failed":   {asked("do x").call("1", "u", "Bash", commit, "Exit code 1\nnothing to commit", true, nil), `"1": do x`},
		"a commit of a team":     {asked(message+"do x</teammate-message>").call("1", "u", "Bash", commit, "[main 0a1b2c3] y", false, nil), `"": do x | commit 0a1b2c3 y -1`},
		"a warm-up of the cache": {asked("Warmup").said("a", "u", "OK"), ""},
	} {
		p := newParser("", "")
		must(t, p.log().Read(t.Context(), strings.NewReader(strings.Join(c.log.lines, "\n")+"\n"), 0))
		got := ""
		if s := p.work("1"); s != nil {
			got = workIn(s)
		}
		expect.Is(t, got, c.want, name)
	}
}

// workIn sums up what sub-agents did for a session.
func workIn(s *sources.Session) string {
	var all []string
	for _, d := range s.Delegated {
		all = append(all, fmt.Sprintf("%q: %s", d.ID, d.Task))
	}
	for _, f := range s.Files {
		all = append(all, fmt.Sprint(f.Kind, " ", f.Path, " ", f.Turn))
	}
	for _, r := range s.Refs {
		all = append(all, fmt.Sprint(r.Type, " ", r.Value, " ", r.Text, " ", r.Turn))
	}
	return strings.Join(all, " | ")
}

// TestWorkInTheTranscript has commits of sub-agents whose lines stand in the transcript: of the turn of the call, where that is known.
func TestWorkInTheTranscript(t *testing.T) {
	commit := map[string]any{"command": "git commit -m y"}
	spawned := map[string]any{"toolUseResult": map[string]any{"status": "teammate_spawned", "teammate_id": "fixer@team"}}
	for name, c := range map[string]struct{ task, answer, want string }{
		"of a call":       {"do x", "Done.", `"task": do x | commit 0a1b2c3 y 0`},
		"of another task": {"do z", "Done.", `"task": do x | "s1": do z | commit 0a1b2c3 y -1`},
	} {
		l := newLog().typed("u", "", "p").call("task", "u", "Agent", map[string]any{"description": "Look", "prompt": "do x\n"}, "Spawned.", false, spawned)
		from := len(l.lines)
		l.user("s1", "", c.task).call("1", "s1", "Bash", commit, "[main 0a1b2c3] y", false, nil).said("s9", "r1", c.answer).side(from)
		s := l.read(t)
		if got := workIn(s); got != c.want || strings.Contains(s.Delegated[0].Answer, "Spawned") {
			t.Errorf("%s:\ngot  %s (%s)\nwant %s", name, got, s.Delegated[0].Answer, c.want)
		}
	}
}
