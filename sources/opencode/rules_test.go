package opencode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// told sums up a session: prompts with how they ended, what was taken back, what the user did
// beside prompts.
func told(s *sources.Session) string {
	marks := map[sources.Status]string{sources.Pending: "?", sources.Failed: "!", sources.Cancelled: "~"}
	var out []string
	for _, t := range s.Turns {
		text := t.User + ">" + strings.ReplaceAll(t.Assistant, "\n\n", "/") + marks[t.Status]
		if t.Inherited {
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	for _, t := range s.TakenBack {
		out = append(out, "-"+t.User+">"+t.Assistant)
	}
	for _, a := range s.Actions {
		out = append(out, fmt.Sprintf("%s@%d", a.Text, a.Turn))
	}
	for _, c := range s.Checkpoints {
		out = append(out, "#"+c.Title)
	}
	return strings.Join(out, " ")
}

func synthetic(words string) object {
	return object{"type": "text", "text": words, "synthetic": true}
}

func with(base object, more object) object {
	for name, value := range more {
		base[name] = value
	}
	return base
}

// What is a prompt in version 1, what is an answer, and how a turn ends.
func TestTurns(t *testing.T) {
	const s, at = "ses_1", int64(begin)
	headless := object{"permission": `[{"permission":"question","pattern":"*","action":"deny"}]`}
	for what, c := range map[string]struct {
		fields object
		fill   func(h *home)
		want   string
	}{
		"a prompt": {nil, func(h *home) { h.asked(s, "m1", at, "a"); h.answered(s, "m2", "m1", at+1, says("b")) }, "a>b"},
		"answers of several requests": {nil, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.message(s, "m2", at+1, with(assistant("m1", at+1), object{"finish": "tool-calls"}), says("b"), calls("read", "completed", object{"filePath": "/x"}, nil))
			h.answered(s, "m3", "m1", at+2, says("c"))
		}, "a>b/c"},
		"a prompt while the agent works": {nil, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.asked(s, "m2", at+1, "b")
			h.answered(s, "m3", "m1", at+2, says("of a"))
			h.answered(s, "m4", "m2", at+3, says("of b"))
		}, "a>of a b>of b"},
		"what is injected is none": {nil, func(h *home) {
			h.message(s, "m1", at, user(at), synthetic("Called the Read tool"), says("a"), object{"type": "text", "text": "hidden", "ignored": true})
			h.answered(s, "m2", "m1", at+1, says("b"), synthetic("not said"))
			h.message(s, "m3", at+2, user(at+2), synthetic("Continue if you have next steps"))
			h.answered(s, "m4", "m3", at+3, says("c"))
		}, "a>b/c"},
		"a command of the user": {nil, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.answered(s, "m2", "m1", at+1, says("b"))
			h.message(s, "m3", at+2, user(at+2), synthetic("The following tool was executed by the user"))
			h.answered(s, "m4", "m3", at+3, calls("bash", "completed", object{"command": "git log"}, object{"output": "x"}))
		}, "a>b !git log@0"},
		"a subtask": {nil, func(h *home) {
			h.message(s, "m1", at, user(at), object{"type": "subtask", "prompt": "look at it", "description": "d", "agent": "general", "command": "review"})
		}, "/review\n\nlook at it>?"},
		"a compaction": {nil, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.message(s, "m2", at+1, user(at+1), object{"type": "compaction", "auto": true}, says("What did we do so far?"))
			h.message(s, "m3", at+2, with(assistant("m2", at+2), object{"summary": true, "mode": "compaction", "agent": "compaction"}), says("## Goal\nx"))
			h.message(s, "m4", at+3, user(at+3), synthetic("Continue"))
			h.answered(s, "m5", "m4", at+4, says("b"))
		}, "a>b #Goal"},
		"no answer yet": {nil, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.message(s, "m2", at+1, with(assistant("m1", at+1), object{"time": object{"created": at}, "finish": nil}), says(""))
		}, "a>?"},
		"stopped by the user": {nil, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.message(s, "m2", at+1, with(assistant("m1", at+1), object{"error": object{"name": "MessageAbortedError", "data": object{"message": "aborted"}}}), says("b"))
		}, "a>b~"},
		"failed": {nil, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.message(s, "m2", at+1, with(assistant("m1", at+1), object{"error": object{"name": "APIError", "data": object{"message": "too many"}}}))
		}, "a>!"},
		"an answer without its prompt": {nil, func(h *home) { h.answered(s, "m2", "m1", at, says("b")) }, ">b"},
		"an undo that still can be redone": {object{"revert": `{"messageID":"m3","snapshot":"x"}`}, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.answered(s, "m2", "m1", at+1, says("b"))
			h.asked(s, "m3", at+2, "c")
			h.answered(s, "m4", "m3", at+3, says("d"))
		}, "a>b -c>d"},
		"an undo of a part": {object{"revert": `{"messageID":"m2","partID":"prt_m2_001"}`}, func(h *home) {
			h.asked(s, "m1", at, "a")
			h.answered(s, "m2", "m1", at+1, says("b"), says("c"))
		}, "a>b ->c"},
		"an undo of nothing that is there": {object{"revert": `{"messageID":"gone"}`}, func(h *home) { h.asked(s, "m1", at, "a") }, "a>?"},
		"quotes of run":                    {headless, func(h *home) { h.asked(s, "m1", at, `"say \"hi\" now"`) }, `say "hi" now>?`},
		"several words of run":             {headless, func(h *home) { h.asked(s, "m1", at, `"a b" "c d"`) }, `"a b" "c d">?`},
		"one word of run":                  {headless, func(h *home) { h.asked(s, "m1", at, `"a"`) }, `"a">?`},
		"quotes of a person":               {nil, func(h *home) { h.asked(s, "m1", at, `"a b"`) }, `"a b">?`},
	} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) { h.session(s, at, c.fields); c.fill(h) })
		got := sessionOf(t, dir, s)
		if told(got) != c.want || got.Rewound != (len(got.TakenBack) > 0) || got.Headless != (c.fields["permission"] != nil) {
			t.Errorf("%s: %q, want %q", what, told(got), c.want)
		}
	}
}

func TestTurnsOfVersion2(t *testing.T) {
	const s, at = "ses_1", int64(begin)
	said := func(words string, more object) object {
		return with(object{"time": object{"created": at, "completed": at + 9}, "agent": "build", "model": object{"id": "m", "providerID": "p"}, "content": []any{says(words)}, "finish": "stop"}, more)
	}
	for what, c := range map[string]struct {
		fields object
		fill   func(h *home)
		want   string
	}{
		"a prompt, injected text, a skill and a switch": {nil, func(h *home) {
			h.v2(s, "system", 1, at, object{"text": "injected"})
			h.v2(s, "agent-switched", 2, at, object{"agent": "plan"})
			h.v2(s, "user", 3, at, object{"text": "a", "files": []any{object{"uri": "file:///x/y.png", "mime": "image/png"}}})
			h.v2(s, "synthetic", 4, at, object{"text": "injected", "description": "x"})
			h.v2(s, "skill", 5, at, object{"skill": "s", "name": "s", "text": "injected"})
			h.v2(s, "assistant", 6, at, said("b", nil))
			h.v2(s, "location-switched", 7, at, object{"location": object{"directory": "/y"}})
		}, "a>b"},
		"a command of the user": {nil, func(h *home) {
			h.v2(s, "user", 1, at, object{"text": "a"})
			h.v2(s, "shell", 2, at, object{"command": "git log", "status": "exited", "exit": 0, "output": object{"text": "x"}})
		}, "a>? !git log@0"},
		"a compaction": {nil, func(h *home) {
			h.v2(s, "user", 1, at, object{"text": "a"})
			h.v2(s, "compaction", 2, at, object{"status": "completed", "reason": "auto", "summary": "## Goal\nx", "recent": "r"})
			h.v2(s, "compaction", 3, at, object{"status": "running", "reason": "auto", "summary": "## Half", "recent": "r"})
			h.v2(s, "compaction", 4, at, object{"status": "failed", "reason": "auto", "error": object{"type": "x", "message": "y"}})
		}, "a>? #Goal"},
		"how a turn ends": {nil, func(h *home) {
			for i, outcome := range []string{"succeeded", "failed", "interrupted"} {
				h.v2(s, "user", int64(3*i), at, object{"text": outcome})
				h.v2(s, "assistant", int64(3*i+1), at, said("b", object{"finish": "tool-calls"}))
				h.v2(s, "idle", int64(3*i+2), at, object{"outcome": outcome})
			}
		}, "succeeded>b failed>b! interrupted>b~"},
		"an undo": {object{"revert": `{"messageID":"msg_ses_1_002","files":[]}`}, func(h *home) {
			h.v2(s, "user", 1, at, object{"text": "a"})
			h.v2(s, "user", 2, at, object{"text": "b"})
			h.v2(s, "assistant", 3, at, said("c", nil))
		}, "a>? -b>c"},
		"a fork": {object{"fork_session_id": "ses_0"}, func(h *home) {
			h.sessionV2("ses_0", at-100, nil)
			h.v2("ses_0", "user", 1, at-50, object{"text": "a"})
			h.v2(s, "user", 1, at-50, object{"text": "a"})
			h.v2(s, "user", 2, at+1, object{"text": "b"})
		}, "(a>~) b>?"},
		"a fork of what is gone": {object{"fork_session_id": "ses_0"}, func(h *home) { h.v2(s, "user", 1, at-50, object{"text": "a"}) }, "a>?"},
	} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) { h.sessionV2(s, at, c.fields); c.fill(h) })
		got := sessionOf(t, dir, s)
		if told(got) != c.want || got.Parent != fmt.Sprint(c.fields["fork_session_id"]) && c.fields["fork_session_id"] != nil {
			t.Errorf("%s: %q, want %q; fork of %q", what, told(got), c.want, got.Parent)
		}
		if what == "a prompt, injected text, a skill and a switch" && (fmt.Sprint(got.Turns[0].Attachments) != "[{image /x/y.png []}]" || got.Models[0] != "m") {
			t.Errorf("%+v", got.Turns[0])
		}
		if r := readOf(t, dir, s); len(r.Unknown) > 0 {
			t.Errorf("%s: unknown %v", what, r.Unknown)
		}
	}
}

// Calls of tools: what they are about, how they ended, which files they touched.
func TestCalls(t *testing.T) {
	const s, at = "ses_1", int64(begin)
	for what, c := range map[string]struct {
		call       object
		tool, file string
	}{
		"a command":                 {calls("bash", "completed", object{"command": "go  test\n./...", "description": "Run the tests"}, object{"metadata": object{"exit": 2}}), "run bash Run the tests|go  test\n./...|2|false", ""},
		"a running command":         {calls("bash", "running", object{"command": "sleep 9"}, nil), "run bash sleep 9|sleep 9||", ""},
		"a refused command":         {calls("bash", "error", object{"command": "rm -rf /"}, object{"error": "The user rejected permission to use this specific tool call."}), "run bash rm -rf /|||false", ""},
		"an exit code of no system": {calls("bash", "completed", object{"command": "x"}, object{"metadata": object{"exit": 1e15}}), "run bash x|x||true", ""},
		"an edit":                   {calls("edit", "completed", object{"filePath": folder + "/a.go", "oldString": "x", "newString": "y"}, nil), "edit edit a.go|||true", "edited a.go"},
		"a failed edit":             {calls("edit", "error", object{"filePath": folder + "/a.go"}, object{"error": "not found"}), "edit edit a.go|||false", ""},
		"a new file":                {calls("write", "completed", object{"filePath": folder + "/a.go", "content": "x"}, object{"metadata": object{"exists": false}}), "create write a.go|||true", "created a.go"},
		"a file again":              {calls("write", "completed", object{"filePath": folder + "/a.go", "content": "x"}, object{"metadata": object{"exists": true}}), "edit write a.go|||true", "edited a.go"},
		"a patch": {calls("apply_patch", "completed", object{"patchText": "*** Begin Patch\n*** Add File: a.go\n+x\n*** Delete File: b.go\n*** End Patch"}, nil),
			"edit apply_patch a.go, b.go|||true", "created a.go, deleted b.go"},
		"a patch that tells its files": {calls("apply_patch", "completed", object{"patchText": "*** Begin Patch\n*** Update File: a.go\n*** End Patch"},
			object{"metadata": object{"files": []any{object{"filePath": folder + "/a.go", "type": "move", "movePath": folder + "/b.go"}}}}), "edit apply_patch a.go, b.go|||true", "deleted a.go, renamed b.go"},
		"reading":                  {calls("read", "completed", object{"filePath": folder + "/a.go"}, nil), "read read a.go|||true", "viewed a.go"},
		"a list":                   {calls("list", "completed", object{"path": folder}, nil), "list list .|||true", ""},
		"a search":                 {calls("grep", "completed", object{"pattern": "x.*y", "path": "a"}, nil), "search grep x.*y|||true", ""},
		"a page":                   {calls("webfetch", "completed", object{"url": "https://example.com/x", "format": "text"}, nil), "web webfetch https://example.com/x|||true", ""},
		"one of a server":          {calls("github_create_issue", "completed", object{"title": "a title", "n": 1}, nil), "other github_create_issue a title|||true", ""},
		"one that failed to parse": {calls("invalid", "completed", object{"tool": "x"}, nil), "other invalid x|||true", ""},
		"no parameters":            {calls("read", "completed", nil, nil), "read read |||true", ""},
	} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.session(s, at, nil)
			h.asked(s, "m1", at, "a")
			h.answered(s, "m2", "m1", at+1, says("é"), c.call)
		})
		got := sessionOf(t, dir, s)
		tool := got.Turns[0].Tools[0]
		exit, ok := "", ""
		if tool.Exit != nil {
			exit = fmt.Sprint(*tool.Exit)
		}
		if tool.OK != nil {
			ok = fmt.Sprint(*tool.OK)
		}
		if text := fmt.Sprintf("%s %s %s|%s|%s|%s", tool.Kind, tool.Name, tool.Detail, tool.Command, exit, ok); text != c.tool || tool.After != len("é") {
			t.Errorf("%s: %q, want %q; after %d", what, text, c.tool, tool.After)
		}
		var touched []string
		for _, f := range got.Files {
			touched = append(touched, f.Kind+" "+strings.TrimPrefix(f.Path, folder+"/"))
		}
		expect.Is(t, strings.Join(touched, ", "), c.file, what, "files")
	}
}

// What a command changed is in the list of changes, and once.
func TestFilesThatWereChangedSomehow(t *testing.T) {
	const s, at = "ses_1", int64(begin)
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		h.session(s, at, nil)
		h.message(s, "m1", at, with(user(at), object{"summary": object{"diffs": []any{object{"file": "b.go", "status": "deleted"}, object{"file": "c/d.go", "status": "added"}}}}), says("a"))
		h.answered(s, "m2", "m1", at+1, calls("edit", "completed", object{"filePath": folder + "/a.go"}, nil), calls("bash", "completed", object{"command": "rm b.go"}, nil),
			object{"type": "patch", "hash": "x", "files": []any{folder + "/a.go", folder + "/b.go", folder + "/c/d.go"}})
		h.sessionV2("ses_2", at, nil)
		h.v2("ses_2", "user", 1, at, object{"text": "a"})
		h.v2("ses_2", "assistant", 2, at, object{"content": []any{}, "snapshot": object{"files": []any{"e.go"}}})
	})
	want := []string{"edited a.go edit", "deleted b.go ", "created c/d.go "}
	for id, want := range map[string][]string{s: want, "ses_2": {"edited e.go "}} {
		var got []string
		for _, f := range sessionOf(t, dir, id).Files {
			got = append(got, f.Kind+" "+strings.TrimPrefix(f.Path, folder+"/")+" "+f.Tool)
		}
		expect.List(t, got, want, id)
	}
}

func TestWhatElseASessionHas(t *testing.T) {
	const s, at = "ses_1", int64(begin)
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		h.session(s, at, object{"title": " A name ", "time_archived": at + 5, "agent": "build"})
		h.message(s, "m1", at, user(at), says("a"), object{"type": "file", "mime": "image/png", "filename": "shot.png", "url": "data:image/png;base64,AAAA"},
			object{"type": "file", "mime": "text/plain", "filename": "a.go", "url": "file:///x/a.go", "source": object{"type": "file", "path": "src/a.go", "text": object{"value": "@a.go"}}},
			object{"type": "file", "mime": "application/x-directory", "url": "file:///C:/x%20y"}, object{"type": "agent", "name": "general"})
		h.message(s, "m2", at+1, with(assistant("m1", at+1), object{"mode": "plan", "agent": "plan"}), says("b"),
			calls("write", "completed", object{"filePath": folder + "/.opencode/plans/1-calm-otter.md", "content": "# Plan\n\n- [ ] x\n"}, object{"metadata": object{"exists": false}}),
			calls("bash", "completed", object{"command": "git commit -m 'x: y'"}, object{"output": "[main abc1234] x: y\n 1 file changed\n"}),
			calls("todowrite", "completed", object{"todos": []any{object{"content": "old", "status": "pending"}}}, nil))
		h.message(s, "m3", at+2, with(assistant("m1", at+2), object{"agent": "reviewer", "modelID": "other"}), says("c"))
		for i, status := range []string{"pending", "in_progress", "completed", "cancelled"} {
			h.insert("todo", object{"session_id": s, "content": status, "status": status, "priority": "high", "position": i, "time_created": at, "time_updated": at + 9000}, nil)
		}
		h.sessionV2("ses_2", at, nil)
		h.v2("ses_2", "user", 1, at, object{"text": "a"})
		h.v2("ses_2", "assistant", 2, at, object{"content": []any{with(calls("todowrite", "completed", object{"todos": []any{object{"content": "kept in a call", "status": "pending"}}}, nil), object{"name": "todowrite"})}})
	})
	got := sessionOf(t, dir, s)
	turn := got.Turns[0]
	attached := fmt.Sprint(turn.Attachments)
	var todos []string
	for _, x := range got.Todos {
		todos = append(todos, x.ID+" "+x.Title+" "+x.Status)
	}
	if got.Title != "A name" || got.TitleFrom != sources.TrustNamed || !got.Archived || attached != "[{image shot.png []} {file src/a.go []} {directory C:/x y []}]" ||
		strings.Join(todos, ", ") != "1 pending open, 2 in_progress in_progress, 3 completed done" || got.Updated.UnixMilli() != at+9000 {
		t.Errorf("%+v\n%s\n%q", got, attached, todos)
	}
	if turn.Mode != "plan" || turn.Agent != "reviewer" || turn.Model != "other" || !slices.Equal(got.Models, []string{"scripted-model", "other"}) || turn.Tokens.In != 36 || turn.Tokens.Out != 6 {
		t.Errorf("%+v, %v, %v", turn, got.Models, turn.Tokens)
	}
	if len(got.Artifacts) != 1 || got.Artifacts[0].Kind != sources.Plan || got.Artifacts[0].Text != "# Plan\n\n- [ ] x\n" || len(got.Refs) != 1 || got.Refs[0].Value != "abc1234" {
		t.Errorf("%+v, %+v", got.Artifacts, got.Refs)
	}
	if todos := sessionOf(t, dir, "ses_2").Todos; len(todos) != 1 || todos[0].Title != "kept in a call" {
		t.Errorf("%+v", todos)
	}
}

// A fork is told by the times of what it copied; what the parent has no more is still a copy.
func TestForks(t *testing.T) {
	const at = int64(begin)
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		add := func(id string, created int64, prompts ...int64) {
			h.session(id, created, object{"title": "x (fork #1)"})
			for i, p := range prompts {
				m := fmt.Sprintf("%s_%d", id, i)
				h.asked(id, m, p, fmt.Sprint("p", p-at))
				h.answered(id, m+"a", m, p+1, says("x"))
			}
		}
		add("ses_9", at, at+1, at+10)           // prompt 20 was taken back since
		add("ses_8", at+30, at+1, at+20, at+40) // of ses_9
		add("ses_7", at+50, at+1, at+20, at+40, at+60)
		add("ses_6", at+70, at+65, at+80) // of one that is gone
		h.session("ses_5", at+90, object{"directory": "/elsewhere"})
		h.asked("ses_5", "ses_5_0", at+1, "p1")
	})
	for id, want := range map[string]string{
		"ses_9": " p1>x p10>x", "ses_8": "ses_9 (p1>x) (p20>x) p40>x", "ses_7": "ses_8 (p1>x) (p20>x) (p40>x) p60>x", "ses_6": " p65>x p80>x", "ses_5": " p1>?",
	} {
		if s := sessionOf(t, dir, id); s.Parent+" "+told(s) != want {
			t.Errorf("%s: %q, want %q", id, s.Parent+" "+told(s), want)
		}
	}
}

// A sub-agent works for the session at the root. One whose session is gone is nobody's prompt.
func TestSubAgents(t *testing.T) {
	const at = int64(begin)
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		child := func(id, parent, title string) {
			h.session(id, at, object{"parent_id": parent, "title": title, "agent": "explore"})
			h.asked(id, id+"1", at+1, "task of "+id)
			h.answered(id, id+"2", id+"1", at+2, says("looking"), calls("edit", "completed", object{"filePath": "/x/" + id}, nil), says("done by "+id))
		}
		h.session("root", at, nil)
		h.asked("root", "r1", at, "a")
		h.answered("root", "r2", "r1", at+1, calls("task", "completed", object{"description": "Deleted since", "prompt": "p", "subagent_type": "general"},
			object{"output": "<task id=\"gone\">\n<task_result>\nwas here\n</task_result>\n</task>", "metadata": object{"sessionId": "gone"}}))
		child("a", "root", "Look (@explore subagent)")
		child("b", "a", "Child session - 2026")
		child("c", "nobody", "")
		child("d", "e", "")
		child("e", "d", "")
	})
	for id, name := range map[string]string{"a": "Look (explore)", "b": "explore"} {
		r := readOf(t, dir, id)
		if len(r.Layers) > 0 || len(r.Sessions) != 1 || r.Sessions[0].ID != "root" {
			t.Fatalf("%s: %+v", id, r)
		}
		s := r.Sessions[0].Layers[0].Session
		d := s.Delegated[0]
		if d.ID != id || d.Name != name || d.Task != "task of "+id || d.Answer != "done by "+id || d.Calls != 1 || s.Files[0].Turn != -1 || s.Files[0].Path != "/x/"+id {
			t.Errorf("%s: %+v, %+v", id, d, s.Files)
		}
	}
	for _, id := range []string{"c", "d", "e"} {
		if s := sessionOf(t, dir, id); s.Class != sources.Automatic || len(s.Turns) != 1 {
			t.Errorf("%s: %+v", id, s)
		}
	}
	if d := sessionOf(t, dir, "root").Delegated; len(d) != 1 || d[0].ID != "gone" || d[0].Name != "Deleted since (general)" || d[0].Task != "p" || d[0].Answer != "was here" {
		t.Errorf("%+v", d)
	}
}
