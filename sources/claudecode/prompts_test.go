package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func textBlocks(all ...string) (blocks []any) {
	for _, text := range all {
		blocks = append(blocks, map[string]any{"type": "text", "text": text})
	}
	return blocks
}

func TestPromptsAreAsTyped(t *testing.T) {
	for name, c := range map[string]struct {
		content any
		want    string // empty: no prompt
	}{
		"plain":                 {"  Fix it\n\tnow  ", "  Fix it\n\tnow  "},
		"an open file in front": {textBlocks("<ide_opened_file>a.go</ide_opened_file>", "Fix it"), "Fix it"},
		"a selection behind":    {"Fix it\n<ide_selection>x < y</ide_selection>", "Fix it"},
		"nothing but a block":   {"<ide_opened_file>a.go</ide_opened_file>", ""},
		"a reminder at the end": {"Fix it\n\n<system-reminder>\nno\n</system-reminder>", "Fix it"},
		"a tag of their own":    {"Use <b> and <ide_selection> here", "Use <b> and <ide_selection> here"},
		"a paste":               {"\n\n<pasted_content id=\"2d57\">\nline one\nline two\n</pasted_content id=\"2d57\">", "line one\nline two"},
		"a paste behind words":  {"See:\n\n<pasted_content id=\"a\">\nx\n</pasted_content id=\"a\">", "See:\n\nx"},
		"two pastes":            {"<pasted_content id=\"a\">\nx\n</pasted_content id=\"a\"><pasted_content id=\"b\">y</pasted_content id=\"b\">", "x\n\ny"},
		"a paste without end":   {"<pasted_content id=\"a\">\nx", "<pasted_content id=\"a\">\nx"},
		"output":                {"<local-command-stdout>x</local-command-stdout>", ""},
		"a hook":                {"Stop hook feedback: go on", ""},
		"no such skill":         {"Unknown skill: x", ""},
		"words about skills":    {"Unknown skill: x\nis what it prints. Why?", "Unknown skill: x\nis what it prints. Why?"},
		"a result":              {[]any{map[string]any{"type": "tool_result", "tool_use_id": "t", "content": "x"}}, ""},
		"a number":              {7, ""},
	} {
		s := newLog().user("u", "", c.content).read(t)
		got := ""
		for _, turn := range s.Turns {
			got += turn.User
		}
		expect.Is(t, got, c.want, name)
	}
	for _, text := range []string{"<goal> is a tag, why?", "[Request interrupted by user]", "Warmup"} {
		if s := newLog().typed("u", "", text).read(t); len(s.Turns) != 1 || s.Turns[0].User != text || s.Class != "" {
			t.Errorf("%q was typed: %+v", text, s.Turns)
		}
	}
}

func TestQueue(t *testing.T) {
	op := func(l *log, operation, content string) *log {
		return l.line(map[string]any{"type": "queue-operation", "operation": operation, "content": content, "timestamp": "2026-11-04T10:30:00Z"})
	}
	taken := func(l *log, mode, text string) *log {
		return l.tree("attachment", "q", "a1", map[string]any{"attachment": map[string]any{"type": "queued_command", "prompt": text, "commandMode": mode}})
	}
	base := func() *log { return newLog().typed("u1", "", "first").said("a1", "u1", "one") }
	for name, c := range map[string]struct {
		log  *log
		want string
	}{
		"taken up in mid-turn":      {taken(op(base(), "enqueue", "wait"), "prompt", "wait").said("a2", "q", "two"), "first > one | wait > two"},
		"without a mode":            {taken(base(), "", "wait"), "first > one | wait > "},
		"a notification":            {taken(base(), "task-notification", "done"), "first > one"},
		"only in the queue":         {op(base(), "enqueue", "wait").typed("u2", "a1", "next"), "first > one | wait >  | next > "},
		"told by a line":            {op(base(), "enqueue", "wait").typed("u2", "a1", "wait"), "first > one | wait > "},
		"a command told by a line":  {op(base(), "enqueue", "/x y").user("u2", "a1", "<command-name>/x</command-name><command-args>y</command-args>").said("a2", "u2", "two"), "first > one | /x y > two"},
		"and by its line after it":  {taken(op(base(), "enqueue", "wait"), "prompt", "wait").typed("u2", "q", "wait").said("a2", "u2", "two"), "first > one | wait > two"},
		"typed once more later":     {taken(base(), "prompt", "wait").said("a2", "q", "two").typed("u2", "a2", "wait"), "first > one | wait > two | wait > "},
		"with a picture":            {op(base(), "enqueue", "[Image #1] look").user("u2", "a1", []any{map[string]any{"type": "text", "text": "[Image #1] look"}, map[string]any{"type": "image"}}, proven), "first > one | look > "},
		"of the program itself":     {op(base(), "enqueue", "/context").tree("system", "s", "a1", map[string]any{"subtype": "local_command", "content": "<command-name>/context</command-name>"}), "first > one"},
		"taken back into the input": {op(op(base(), "enqueue", "wait"), "popAll", ""), "first > one"},
		"of a program":              {op(op(base(), "enqueue", "<task-notification>x</task-notification>"), "enqueue", `{"task_id":"a"}`), "first > one"},
	} {
		expect.Is(t, turns(c.log.read(t)), c.want, name)
	}
}

func TestCommands(t *testing.T) {
	tags := func(name, args string) string {
		return fmt.Sprintf("<command-message>m</command-message>\n<command-name>%s</command-name>\n<command-args>%s</command-args>", name, args)
	}
	answered := func() *log {
		return newLog().typed("u", "", "p").said("a", "u", "one").user("v", "a", "<bash-input>ls</bash-input>")
	}
	printed := func(l *log) *log {
		return l.user("w", "v", "<bash-stdout>x\ny</bash-stdout><bash-stderr></bash-stderr>")
	}
	system := func(l *log, more map[string]any) *log {
		return l.tree("system", fmt.Sprint("s", len(l.lines)), "", more)
	}
	for name, c := range map[string]struct {
		log            *log
		turns, actions string
	}{
		"of the program":           {newLog().user("u", "", tags("/compact", "keep")), "", "command /compact keep"},
		"of the project":           {newLog().user("u", "", tags("/changelog", "v1")).said("a", "u", "done"), "/changelog v1 > done", ""},
		"of the project, unheard":  {newLog().user("u", "", tags("/changelog", "v1"), proven), "/changelog v1 > ", ""},
		"not answered by anybody":  {newLog().user("u", "", tags("/frob", "")).typed("u2", "u", "next"), "next > ", "command /frob"},
		"a goal":                   {newLog().user("u", "", tags("/goal", "Ship it")), "", "goal /goal Ship it"},
		"told twice":               {system(system(newLog(), map[string]any{"subtype": "local_command", "content": tags("/usage", "")}), map[string]any{"subtype": "local_command", "content": "<local-command-stdout>x</local-command-stdout>", "commandRun": map[string]any{"command": "usage", "args": ""}}), "", "command /usage"},
		"told by its output":       {system(newLog(), map[string]any{"subtype": "local_command", "content": "x", "commandRun": map[string]any{"command": "model", "args": "opus"}}), "", "command /model opus"},
		"a goal that is worked on": {newLog().user("u", "", tags("/goal", "Ship it")).said("a", "u", "one"), " > one", "goal /goal Ship it"},
		"of the shell":             {newLog().user("u", "", "<bash-input>git log</bash-input>").user("v", "u", "<bash-stdout>x</bash-stdout>").said("a", "v", "Done."), "", "shell !git log"},
		"of the shell, afterwards": {newLog().typed("u", "", "p").said("a", "u", "one").user("v", "a", "<bash-input>ls</bash-input>").said("b", "v", "Done."), "p > one", "shell !ls"},
		"of the shell, printing":   {printed(answered()).said("b", "w", "Done."), "p > one", "shell !ls"},
		"of the shell, twice":      {printed(answered()).said("b", "w", "Done.").user("x", "b", "<bash-input>pwd</bash-input>").said("c", "x", "Done."), "p > one", "shell !ls, shell !pwd"},
		"of the shell, discussed":  {printed(answered()).said("b", "w", "Two files."), "p > one\n\nTwo files.", "shell !ls"},
		"of the shell, then more":  {printed(answered()).said("b", "w", "Done.").said("c", "b", "Two files."), "p > one\n\nTwo files.", "shell !ls"},
		"of the shell, then work":  {printed(answered()).call("1", "w", "Read", nil, "x", false, nil).said("b", "r1", "Done."), "p > one\n\nDone.", "shell !ls"},
		"of the shell, unanswered": {printed(newLog().typed("u", "", "p").user("v", "u", "<bash-input>ls</bash-input>")).said("b", "w", "Done."), "p > ", "shell !ls"},
		"a note to the memory":     {newLog().user("u", "", "<user-memory-input> Use tabs.</user-memory-input>"), "", "command # Use tabs."},
	} {
		s := c.log.read(t)
		var actions []string
		for _, a := range s.Actions {
			actions = append(actions, a.Kind+" "+a.Text)
		}
		if got := strings.Join(actions, ", "); turns(s) != c.turns || got != c.actions {
			t.Errorf("%s: %q and %q, want %q and %q", name, turns(s), got, c.turns, c.actions)
		}
	}
}

func TestWhoseSessionItIs(t *testing.T) {
	sdk := map[string]any{"entrypoint": "sdk-cli", "promptSource": "sdk"}
	learning := "Read /h/.claude/notes/seen.jsonl and identify patterns. Where there are 3, create an instinct file in /h."
	writing := "IMPORTANT: You are running in --print mode. Do not ask.\n\nRead seen.jsonl and identify patterns for the project x.\nThen write an instinct file to /h."
	summing := "Context: This summary will be shown in a list to help users and Claude choose which conversations are relevant.\n\nSum up."
	note := map[string]any{"origin": map[string]any{"kind": "task-notification"}, "promptSource": "system"}
	side := map[string]any{"isSidechain": true}
	for name, c := range map[string]struct {
		log      *log
		class    sources.Class
		headless bool
		turns    string
	}{
		"a person's":              {newLog().typed("u", "", "p"), "", false, "p > "},
		"typed into a window":     {newLog().user("u", "", "p", map[string]any{"entrypoint": "claude-desktop", "promptSource": "sdk"}), "", false, "p > "},
		"a command's":             {newLog().user("u", "", "p", sdk), "", true, "p > "},
		"a warm-up":               {newLog().user("u", "", "Warmup").said("a", "u", "OK"), sources.Automatic, false, "Warmup > OK"},
		"a probe":                 {newLog().user("u", "", "Unknown skill: x"), sources.Automatic, false, ""},
		"an observer":             {newLog().user("u", "", "You are a Claude-Mem, a specialized observer tool.", sdk).user("v", "u", "more", sdk), sources.Automatic, false, "You are a Claude-Mem, a specialized observer tool. >  | more > "},
		"an observer of a hook":   {newLog().queue("dequeue", "").user("u", "", learning), sources.Automatic, false, learning + " > "},
		"an observer that writes": {newLog().user("u", "", writing, sdk), sources.Automatic, false, writing + " > "},
		"a summary for a memory":  {newLog().queue("dequeue", "").user("u", "", summing), sources.Automatic, false, summing + " > "},
		"its words in a terminal": {newLog().typed("u", "", learning), "", false, learning + " > "},
		"a window's":              {newLog().queue("dequeue", "").user("u", "", "Read a.jsonl and identify patterns."), "", false, "Read a.jsonl and identify patterns. > "},
		"a team's":                {newLog().user("u", "", "Do this", map[string]any{"teamName": "x"}), sources.Automatic, false, "Do this > "},
		"a sub-agent's alone":     {newLog().user("u", "", "Look", side).tree("assistant", "a", "u", side), sources.Automatic, false, ""},
		"nothing":                 {newLog().line(map[string]any{"type": "mode"}), "", false, ""},
		"commands alone":          {newLog().user("u", "", "<bash-input>ls</bash-input>"), "", false, ""},
		"a notification between":  {newLog().typed("u", "", "p").said("a", "u", "one").user("n", "a", "<task-notification>x</task-notification>", note).said("b", "n", "two"), "", false, "p > one\n\ntwo"},
		"a notification in front": {newLog().user("n", "", "<task-notification>x</task-notification>", note).said("b", "n", "two").typed("u", "b", "p"), "", false, " > two | p > "},
		"a plan accepted": {newLog().user("u", "", "Implement the following plan:\n\n# P", map[string]any{"planContent": "# P"}).said("a", "u", "done"), "", false,
			"Implement the following plan:\n\n# P > done"},
	} {
		s := c.log.read(t)
		if s.Class != c.class || s.Headless != c.headless || turns(s) != c.turns {
			t.Errorf("%s: %q, headless %v, %q", name, s.Class, s.Headless, turns(s))
		}
	}
}

// What the agent says to a note of its program is no answer to the prompt, unless it went on to work.
func TestRepliesToNotes(t *testing.T) {
	noted := func(l *log, uuid, parent string) *log {
		return l.user(uuid, parent, "<task-notification>x</task-notification>", map[string]any{"origin": map[string]any{"kind": "task-notification"}, "promptSource": "system"})
	}
	answered := func() *log { return noted(newLog().typed("u", "", "p").said("a", "u", "one"), "n", "a") }
	for name, c := range map[string]struct {
		log  *log
		last string
	}{
		"a reply":             {answered().said("b", "n", "two"), "one\n\ntwo"},
		"several":             {noted(answered().said("b", "n", "two"), "m", "b").said("c", "m", "three"), "one\n\ntwo\n\nthree"},
		"work goes on":        {answered().call("1", "n", "Read", nil, "x", false, nil).said("b", "r1", "two"), "two"},
		"work between":        {noted(answered().call("1", "n", "Read", nil, "x", false, nil).said("b", "r1", "two"), "m", "b").said("c", "m", "three"), "two\n\nthree"},
		"before all":          {noted(newLog().typed("u", "", "p"), "n", "u").said("b", "n", "two"), "two"},
		"no note, a new word": {newLog().typed("u", "", "p").said("a", "u", "one").said("b", "a", "two"), "two"},
	} {
		turn := c.log.read(t).Turns[0]
		if last := turn.Assistant[turn.Last:]; last != c.last {
			t.Errorf("%s: the last message is %q, want %q", name, last, c.last)
		}
	}
}

func TestTitles(t *testing.T) {
	custom, model := map[string]any{"type": "custom-title", "customTitle": "Mine"}, map[string]any{"type": "ai-title", "aiTitle": "Its"}
	for _, c := range []struct {
		log   *log
		title string
		trust sources.Trust
	}{
		{newLog().line(custom).line(model).line(map[string]any{"type": "custom-title", "customTitle": "Mine, later"}), "Mine, later", sources.TrustUser},
		{newLog().line(model).line(map[string]any{"type": "ai-title", "aiTitle": "Its, later"}), "Its, later", sources.TrustNamed},
		{newLog().line(model).line(map[string]any{"type": "custom-title", "customTitle": "<local-command-caveat>Caveat: The messages (Fork)"}), "Its", sources.TrustNamed},
		{newLog().line(model).line(map[string]any{"type": "ai-title", "aiTitle": "API Error: 429 {\"error\":{}}"}), "Its", sources.TrustNamed},
		{newLog().line(map[string]any{"type": "ai-title", "aiTitle": "API errors of the login page"}), "API errors of the login page", sources.TrustNamed},
		{newLog().typed("u", "", "p"), "", sources.TrustNone},
	} {
		if s := c.log.read(t); s.Title != c.title || s.TitleFrom != c.trust {
			t.Errorf("%q by %d, want %q by %d", s.Title, s.TitleFrom, c.title, c.trust)
		}
	}
}

func TestTasks(t *testing.T) {
	created := func(l *log, id, subject string) *log {
		return l.call("t"+id, "u", "TaskCreate", map[string]any{"subject": subject}, "", false, map[string]any{"toolUseResult": map[string]any{"task": map[string]any{"id": id, "subject": subject}}})
	}
	l := created(created(created(newLog().typed("u", "", "p"), "1", "One"), "2", "Two"), "3", "Three")
	created(l, "4", "Four")
	l.call("x", "u", "TaskUpdate", map[string]any{"taskId": "1", "status": "completed"}, "", false, nil)
	l.call("y", "u", "TaskUpdate", map[string]any{"taskId": "2", "status": "deleted"}, "", false, nil)
	l.call("z", "u", "TaskUpdate", map[string]any{"taskId": 3, "status": "in_progress", "addBlockedBy": []any{"1"}}, "", false, nil)
	l.call("w", "u", "TaskUpdate", map[string]any{"taskId": "3", "status": "completed"}, "failed", true, nil)
	l.call("v", "u", "TaskUpdate", map[string]any{"taskId": "4", "status": "in_progress"}, "Task not found", false, map[string]any{"toolUseResult": map[string]any{"success": false}})
	var got []string
	for _, todo := range l.read(t).Todos {
		got = append(got, fmt.Sprint(todo.ID, " ", todo.Title, " ", todo.Status, " ", todo.After))
	}
	expect.List(t, got, []string{"1 One done []", "3 Three in_progress [1]"})

	l.call("s", "u", "TodoWrite", map[string]any{"todos": []any{map[string]any{"content": "Four", "status": "completed"}}}, "", false, nil)
	if todos := l.read(t).Todos; len(todos) != 1 || todos[0].Title != "Four" {
		t.Errorf("a list written after the tasks is the session's: %+v", todos)
	}
}

// What the client says where the model did not answer is no summary, and its hint behind one is left out.
func TestSummaries(t *testing.T) {
	for text, want := range map[string]string{
		"You've hit your limit · resets 5pm (Europe/Rome)":                 "",
		"You've hit your weekly limit · resets Monday":                     "",
		"API Error: 529 Overloaded.":                                       "",
		"Please run /login · API Error: 401 {}":                            "",
		"Invalid API key · Please run /login":                              "",
		"Told what usage limit reached means. (disable recaps in /config)": "Told what usage limit reached means.",
	} {
		s := newLog().typed("u", "", "p").tree("system", "w", "u", map[string]any{"subtype": "away_summary", "content": text}).
			user("k", "w", "This session is being continued from a previous conversation.\n\n"+text+"\n\nContinue the conversation from where it left off.", map[string]any{"isCompactSummary": true}).read(t)
		if s.Summary != want || len(s.Checkpoints) > 0 != (want != "") {
			t.Errorf("%q: summary %q, checkpoints %+v", text, s.Summary, s.Checkpoints)
		}
	}
}
