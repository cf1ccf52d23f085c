package claudecode

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const own = "3f0d5a10-77a1-4b0e-8f5d-0a6f1f3e2b05"

// log makes the lines of a transcript, each a minute behind the one before.
type log struct {
	lines   []string
	version string
}

func newLog() *log { return &log{version: "2.1.330"} }

// tree adds a line of the tree; parent "" is none.
func (l *log) tree(kind, uuid, parent string, more map[string]any) *log {
	all := map[string]any{"type": kind, "uuid": uuid, "parentUuid": nil, "isSidechain": false, "sessionId": own, "cwd": "/home/dev/src/widget",
		"version": l.version, "gitBranch": "main", "timestamp": fmt.Sprintf("2026-11-04T10:%02d:00.000Z", len(l.lines))}
	if parent != "" {
		all["parentUuid"] = parent
	}
	for name, value := range more {
		all[name] = value
	}
	return l.line(all)
}

func (l *log) line(v map[string]any) *log {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	l.lines = append(l.lines, string(b))
	return l
}

// user adds a line of a person without the marks of newer versions.
func (l *log) user(uuid, parent string, content any, more ...map[string]any) *log {
	all := map[string]any{"message": map[string]any{"role": "user", "content": content}}
	for _, m := range more {
		for name, value := range m {
			all[name] = value
		}
	}
	return l.tree("user", uuid, parent, all)
}

var proven = map[string]any{"origin": map[string]any{"kind": "human"}, "promptSource": "typed"}

func (l *log) typed(uuid, parent, text string) *log { return l.user(uuid, parent, text, proven) }

func (l *log) said(uuid, parent, text string) *log {
	return l.blocks(uuid, parent, "msg "+uuid, map[string]any{"type": "text", "text": text})
}

func (l *log) blocks(uuid, parent, message string, blocks ...map[string]any) *log {
	return l.tree("assistant", uuid, parent, map[string]any{"message": map[string]any{"id": message, "role": "assistant", "model": "claude-opus-5-5", "content": blocks}})
}

// call adds a call and its result.
func (l *log) call(id, parent, name string, input map[string]any, content string, isError bool, more map[string]any) *log {
	l.blocks("c"+id, parent, "msg "+id, map[string]any{"type": "tool_use", "id": id, "name": name, "input": input})
	return l.user("r"+id, "c"+id, []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": content, "is_error": isError}}, more)
}

func (l *log) read(t testing.TB) *sources.Session {
	t.Helper()
	s, _ := parse(t, strings.Join(l.lines, "\n")+"\n", 0)
	return s
}

// parse reads a text as the transcript of a session.
func parse(t testing.TB, text string, limit int) (*sources.Session, *jsonl.Log[record]) {
	t.Helper()
	p := newParser(own, "")
	in := p.log()
	must(t, in.Read(context.Background(), strings.NewReader(text), limit))
	s := p.finish()
	s.Damage = in.Damage()
	return s, in
}

// turns sums up the turns: prompt, answer and state.
func turns(s *sources.Session) string {
	var all []string
	for _, t := range s.Turns {
		line := t.User + " > " + t.Assistant
		if t.Inherited {
			line = "(" + line + ")"
		}
		all = append(all, line)
	}
	for _, t := range s.TakenBack {
		all = append(all, "back: "+t.User+" > "+t.Assistant)
	}
	return strings.Join(all, " | ")
}

func TestRewinds(t *testing.T) {
	base := func() *log { return newLog().typed("u1", "", "first").said("a1", "u1", "one") }
	boundary := map[string]any{"subtype": "compact_boundary"}
	queued := map[string]any{"promptSource": "queued", "origin": map[string]any{"kind": "human"}}
	for name, c := range map[string]struct {
		log  *log
		want string
	}{
		"typed behind the same line": {base().typed("u2", "a1", "second").said("a2", "u2", "two").typed("u3", "a1", "third").said("a3", "u3", "three"),
			"first > one | third > three | back: second > two"},
		"all that followed goes too": {base().typed("u2", "a1", "second").said("a2", "u2", "two").typed("u3", "a2", "more").typed("u4", "a1", "other"),
			"first > one | other >  | back: second > two | back: more > "},
		"and what replaced it": {base().typed("u2", "a1", "second").typed("u3", "a1", "third").typed("u4", "a1", "fourth"),
			"first > one | fourth >  | back: second >  | back: third > "},
		"without a mark, never answered": {base().user("u2", "a1", "second").user("u3", "a1", "third"),
			"first > one | third >  | back: second > "},
		"without a mark, answered": {base().user("u2", "a1", "second").said("a2", "u2", "two").user("u3", "a1", "third"),
			"first > one | second > two | third > "},
		"by an old version, answered": {(&log{version: "2.0.76"}).user("u1", "", "first").user("u2", "u1", "second").said("a2", "u2", "two").user("u3", "u1", "third"),
			"first >  | third >  | back: second > two"},
		"out of the queue": {base().typed("u2", "a1", "second").said("a2", "u2", "two").user("u3", "a1", "third", queued),
			"first > one | second > two | third > "},
		"out of the queue, unanswered": {base().typed("u2", "a1", "second").user("u3", "a1", "third", queued),
			"first > one | second >  | third > "},
		"over a bridge": {base().line(map[string]any{"type": "bridge-session"}).typed("u2", "a1", "second").said("a2", "u2", "two").typed("u3", "a1", "third"),
			"first > one | second > two | third > "},
		"what went on": {base().typed("u2", "a1", "second").typed("u3", "a1", "third").said("a2", "u2", "two"),
			"first > one | second > two | third > "},
		"to the first prompt": {newLog().typed("u1", "", "first").typed("u2", "", "again").said("a2", "u2", "two"),
			"again > two | back: first > "},
		"no rewind over a compaction": {newLog().typed("u1", "", "first").tree("system", "b", "", boundary).typed("u2", "", "again"),
			"first >  | again > "},
		"parallel results are none": {base().blocks("c1", "a1", "m", map[string]any{"type": "tool_use", "id": "t", "name": "Read"}).said("a2", "a1", "two"),
			"first > one\n\ntwo"},
	} {
		expect.Is(t, turns(c.log.read(t)), c.want, name)
	}
}

func TestForks(t *testing.T) {
	const parent = "aa81fc45-db5c-4d1a-852f-1885e56c3827"
	copied := map[string]any{"forkedFrom": map[string]any{"sessionId": parent, "messageUuid": "x"}}
	foreign := map[string]any{"sessionId": parent}
	answer := map[string]any{"requestSessionId": parent, "message": map[string]any{"id": "m", "model": "x", "content": []any{map[string]any{"type": "text", "text": "one"}}}}
	for name, c := range map[string]struct {
		log          *log
		want, parent string
	}{
		"each line says so":          {newLog().user("u1", "", "first", copied).typed("u2", "u1", "own"), "(first > ) | own > ", parent},
		"the answers alone":          {newLog().user("u0", "", "zeroth").user("u1", "u0", "first").tree("assistant", "a1", "u1", answer).typed("u2", "a1", "own"), "(zeroth > ) | (first > one) | own > ", parent},
		"rows of another session":    {newLog().user("u1", "", "first", foreign).typed("u2", "u1", "own"), "(first > ) | own > ", parent},
		"a file under another name":  {newLog().user("u1", "", "first", foreign).user("u2", "u1", "second", foreign), "first >  | second > ", ""},
		"an answer asked for itself": {newLog().user("u1", "", "first").tree("assistant", "a1", "u1", map[string]any{"requestSessionId": own}), "first > ", ""},
	} {
		s := c.log.read(t)
		if got := turns(s); got != c.want || s.Parent != c.parent {
			t.Errorf("%s: %s of %q\nwant %s of %q", name, got, s.Parent, c.want, c.parent)
		}
	}
}

// A fork writes the pull requests of its parent again, in front of its own first prompt.
func TestPullRequestsOfAParent(t *testing.T) {
	link := map[string]any{"type": "pr-link", "prNumber": 41, "prUrl": "https://github.com/octo-org/widget/pull/41"}
	copied := map[string]any{"forkedFrom": map[string]any{"sessionId": "aa81fc45-db5c-4d1a-852f-1885e56c3827"}}
	for name, c := range map[string]struct {
		log  *log
		want int
	}{
		"in a session": {newLog().line(link).line(link).typed("u", "", "p"), 1},
		"in a fork":    {newLog().line(link).user("u", "", "first", copied).typed("v", "u", "own"), 0},
		"its own":      {newLog().user("u", "", "first", copied).typed("v", "u", "own").line(link), 1},
	} {
		if got := c.log.read(t).Refs; len(got) != c.want || len(got) > 0 && (got[0].Value != "41" || got[0].Repo != "github.com/octo-org/widget") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A line of the program's own stands in front of the next prompt where nobody answered the
// one before, since the program was killed.
func TestKilledAndResumed(t *testing.T) {
	work := func(l *log) *log {
		return l.call("t", "u1", "Bash", map[string]any{"command": "ls"}, "out", false, nil)
	}
	none := map[string]any{"message": map[string]any{"id": "n", "role": "assistant", "model": "<synthetic>", "content": []any{map[string]any{"type": "text", "text": "No response requested."}}}}
	for name, c := range map[string]struct {
		log  *log
		want sources.Status
	}{
		"at work":            {work(newLog().typed("u1", "", "first")).tree("assistant", "a1", "rt", none), sources.Cancelled},
		"at once":            {newLog().typed("u1", "", "first").tree("assistant", "a1", "u1", none), sources.Cancelled},
		"after its answer":   {work(newLog().typed("u1", "", "first")).said("a0", "rt", "one").tree("assistant", "a1", "a0", none), sources.Complete},
		"joined on the way":  {work(newLog().typed("u1", "", "first")).said("a1", "rt", ""), sources.Complete},
		"stopped by someone": {work(newLog().typed("u1", "", "first")).user("i", "rt", "[Request interrupted by user]").tree("assistant", "a1", "i", none), sources.Cancelled},
	} {
		s := c.log.typed("u2", "a1", "second").said("a2", "u2", "two").read(t)
		if got := turns(s); s.Turns[0].Status != c.want || !strings.HasSuffix(got, " | second > two") {
			t.Errorf("%s: the first turn is %s, not %s: %s", name, s.Turns[0].Status, c.want, got)
		}
	}
}

func TestCalls(t *testing.T) {
	ask := map[string]any{"toolUseResult": map[string]any{
		"questions": []any{map[string]any{"question": "Which?"}, map[string]any{"question": "Why?"}},
		"answers":   map[string]any{"Which?": []any{"A", "B"}}, "annotations": map[string]any{"Which?": map[string]any{"notes": "mostly A"}},
	}}
	refused := map[string]any{"toolUseResult": "User rejected tool use"}
	said := "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nUse tabs."
	for name, c := range map[string]struct {
		log  *log
		want string
	}{
		"questions":      {newLog().typed("u", "", "p").call("1", "u", "AskUserQuestion", nil, "", false, ask), "- Which?\n  - A, B – mostly A\n- Why?\n  - *no answer*"},
		"a plan":         {newLog().typed("u", "", "p").call("1", "u", "ExitPlanMode", map[string]any{"plan": "# P"}, "", false, nil), "**Decision:** approved"},
		"a plan refused": {newLog().typed("u", "", "p").call("1", "u", "ExitPlanMode", map[string]any{"plan": "# P"}, said, true, refused), "# P\n\n**Decision:** rejected\n\n**Feedback:** Use tabs."},
		"for a reason":   {newLog().typed("u", "", "p").call("1", "u", "ExitPlanMode", map[string]any{"plan": "# P"}, "The user doesn't want to proceed with this tool use. The user provided the following reason for the rejection:  Use tabs.", true, refused), "# P\n\n**Decision:** rejected\n\n**Feedback:** Use tabs."},
		"a plan, last":   {newLog().typed("u", "", "p").call("1", "u", "ExitPlanMode", map[string]any{"plan": "# P"}, "The user doesn't want to proceed with this tool use.", true, refused), "# P"},
		"a refusal":      {newLog().typed("u", "", "p").call("1", "u", "Bash", map[string]any{"command": "rm x"}, said, true, refused), "**Feedback:** Use tabs."},
	} {
		expect.Is(t, c.log.read(t).Turns[0].Assistant, c.want, name)
	}
	s := newLog().typed("u", "", "p").call("1", "u", "Edit", map[string]any{"file_path": "/a"}, "no", true, nil).
		call("2", "u", "mcp__acp__Edit", map[string]any{"file_path": "/b"}, "ok", false, nil).
		call("3", "u", "Write", map[string]any{"file_path": "/c"}, "ok", false, map[string]any{"toolUseResult": map[string]any{"type": "create"}}).
		call("4", "u", "Edit", map[string]any{"file_path": "/c"}, "ok", false, nil).call("5", "u", "Edit", map[string]any{"file_path": "/c"}, "ok", false, nil).
		call("6", "u", "Write", map[string]any{"file_path": "/x/.claude/plans/p.md"}, "ok", false, nil).read(t)
	var got []string
	for _, f := range s.Files {
		got = append(got, f.Kind+" "+f.Path)
	}
	expect.List(t, got, []string{"edited /b", "created /c", "edited /c"}, "files")
}

// A session that begins with an accepted plan continues the one whose transcript its first text names, a fork
// of it the session it was forked from.
func TestASessionBeginsWithAPlan(t *testing.T) {
	const other, third = "0b0b0b0b-0000-4000-8000-000000000001", "0c0c0c0c-0000-4000-8000-000000000001"
	for _, c := range []struct{ end, session, want string }{
		{"/home/dev/.claude/projects/-w/" + other + ".jsonl", own, other}, {`C:\Users\dev\.claude\projects\-w\` + other + ".jsonl", own, other},
		{"/home/dev/plan.md", own, ""}, {"/w/" + own + ".jsonl", own, ""}, {"/w/" + other + ".jsonl", third, third},
	} {
		l := newLog().user("u", "", "Implement the following plan:\n\n# P\n\nread the full transcript at: "+c.end, map[string]any{"planContent": "# P", "sessionId": c.session})
		expect.Is(t, l.said("a", "u", "done").read(t).Parent, c.want, c.end, c.session)
	}
}

// A plan is kept as it was accepted last, and as it was before; what was taken back is none.
func TestPlans(t *testing.T) {
	accept := func(l *log, id, parent, text string) *log {
		return l.call(id, parent, "ExitPlanMode", map[string]any{"plan": text, "planFilePath": "/home/dev/.claude/plans/a-b.md"}, "", false, nil)
	}
	l := accept(accept(newLog().typed("u1", "", "p"), "1", "u1", "# One"), "2", "r1", "# Two").said("a1", "r2", "one")
	l = accept(l.typed("u2", "a1", "back"), "3", "u2", "# Three").typed("u3", "a1", "on")
	p := newParser(own, "")
	must(t, p.log().Read(context.Background(), strings.NewReader(strings.Join(l.lines, "\n")+"\n"), 0))
	if got := p.finish().Artifacts; len(got) != 2 || got[0].Name != "a-b.md" || got[0].Text != "# Two" || got[1].Name != "a-b (1).md" || got[1].Text != "# One" {
		t.Errorf("%+v", got)
	}
}

func TestExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		isError bool
		result  any
		want    string
	}{
		"success":           {"out", false, map[string]any{"stdout": "out"}, "0"},
		"failure":           {"Exit code 2\nout", true, "Error: Exit code 2\nout", "2"},
		"negative":          {"Exit code -2", true, nil, "-2"},
		"another code":      {"", false, map[string]any{"returnCodeInterpretation": "No matches found"}, "none"},
		"in the background": {"started", false, map[string]any{"backgroundTaskId": "b1"}, "none"},
		"stopped":           {"", false, map[string]any{"interrupted": true}, "none"},
		"no code":           {"Command timed out", true, nil, "none"},
		"not at the start":  {"it said Exit code 3", true, nil, "none"},
	} {
		s := newLog().typed("u", "", "p").call("1", "u", "Bash", map[string]any{"command": "x"}, c.content, c.isError, map[string]any{"toolUseResult": c.result}).read(t)
		got := "none"
		if exit := s.Turns[0].Tools[0].Exit; exit != nil {
			got = fmt.Sprint(*exit)
		}
		expect.Is(t, got, c.want, name)
	}
}

// TestBackgroundThatEnds has notes of the program that tell how a command in the background ended.
func TestBackgroundThatEnds(t *testing.T) {
	note := func(call, summary string) string {
		return "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>" + call + "</tool-use-id>\n<status>x</status>\n<summary>" + summary + "</summary>\n</task-notification>"
	}
	for text, want := range map[string]string{
		note("1", `Background command "Build it" completed (exit code 0)`):             "0",
		note("1", `Background command "exit code 7" failed with exit code 2`):          "2",
		note("1", `Background command "Build it" was stopped`):                         "none",
		note("2", `Background command "Build it" completed (exit code 0)`):             "none",
		note("1", `Background command "Build it" failed with exit code 99999999999`):   "none",
		"They say: " + note("1", `Background command "Build" completed (exit code 0)`): "none",
	} {
		for _, queued := range []bool{false, true} {
			l := newLog().typed("u", "", "p").call("1", "u", "Bash", map[string]any{"command": "x"}, "Command running in background with ID: b1", false, map[string]any{"toolUseResult": map[string]any{"backgroundTaskId": "b1"}})
			if queued {
				l.tree("attachment", "n", "r1", map[string]any{"attachment": map[string]any{"type": "queued_command", "prompt": text, "commandMode": "task-notification"}})
			} else {
				l.user("n", "r1", text)
			}
			got := "none"
			if exit := l.read(t).Turns[0].Tools[0].Exit; exit != nil {
				got = fmt.Sprint(*exit)
			}
			expect.Is(t, got, want, text, "queued", queued)
		}
	}
}
