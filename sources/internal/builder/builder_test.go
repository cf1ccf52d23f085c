package builder

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// told is a builder at noon.
func told() *Builder {
	b := New()
	b.At(noon)
	return b
}

// ran has a command run in the turn at work.
func ran(b *Builder, id, command, output string) *Called {
	c := b.Work().Call(Call{ID: id, Name: "bash", Args: &tools.Arguments{Command: tools.Command{Text: command}}})
	b.Result(id, Result{Text: output})
	return c
}

// TestTurns has prompts that come in the ways that logs tell of them.
func TestTurns(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(b *Builder)
		want []string // prompt, answer and status of each turn
	}{
		"a prompt and its answer": {func(b *Builder) { b.Prompt(Prompt{Text: "a"}).Say("x", Answer) }, []string{"a", "x", "complete"}},
		"the newest waits":        {func(b *Builder) { b.Prompt(Prompt{Text: "a"}) }, []string{"a", "", "pending"}},
		"no answer any more":      {func(b *Builder) { b.Prompt(Prompt{Text: "a"}); b.Prompt(Prompt{Text: "b"}) }, []string{"a", "", "cancelled", "b", "", "pending"}},
		"at work as the next came": {func(b *Builder) {
			b.Prompt(Prompt{Text: "a"})
			ran(b, "1", "ls", "")
			b.Prompt(Prompt{Text: "b"})
		}, []string{"a", "", "complete", "b", "", "pending"}},
		"again after an error": {func(b *Builder) {
			b.Prompt(Prompt{Text: "a", Key: "1"}).Fail("limit")
			b.Prompt(Prompt{Text: "a", Key: "1"}).Say("x", Answer)
		}, []string{"a", "x", "complete"}},
		"typed again after an error": {func(b *Builder) {
			b.Prompt(Prompt{Text: "a", Key: "1"}).Fail("limit")
			b.Prompt(Prompt{Text: "a", Key: "2"}).Say("x", Answer)
		}, []string{"a", "", "failed", "a", "x", "complete"}},
		"told again under another id": {func(b *Builder) {
			for _, id := range []string{"1", "2"} {
				b.Prompt(Prompt{ID: id, Text: "a", Once: true}).SayIn("m", "x", Answer)
			}
		}, []string{"a", "x", "complete"}},
		"the answer stands last": {func(b *Builder) {
			turn := b.Prompt(Prompt{Text: "a"})
			turn.Say("answer", Final)
			turn.Say("report", Report)
		}, []string{"a", "report\n\nanswer", "complete"}},
		"grown": {func(b *Builder) {
			turn := b.Prompt(Prompt{Text: "a"})
			turn.SayIn("m", "one", Answer)
			turn.SayIn("m", "one two", Answer)
		}, []string{"a", "one two", "complete"}},
		"taken back": {func(b *Builder) {
			b.Prompt(Prompt{Text: "a"})
			b.Prompt(Prompt{Text: "b"})
			b.Rewind(1)
			b.Prompt(Prompt{Text: "c"})
		}, []string{"a", "", "cancelled", "c", "", "pending"}},
		"of a program beside a person": {func(b *Builder) {
			b.Prompt(Prompt{Text: "tick", Program: true}).Say("x", Answer)
			b.Prompt(Prompt{Text: "tick", Program: true})
			b.Prompt(Prompt{Text: "a"})
		}, []string{"", "x", "complete", "a", "", "pending"}},
		"queued": {func(b *Builder) {
			first := b.Prompt(Prompt{Text: "a"})
			b.Prompt(Prompt{Text: "c"}).Say("x", Answer)
			b.Insert(first, noon, Prompt{Text: "b"}).Complete()
		}, []string{"a", "", "cancelled", "b", "", "complete", "c", "x", "complete"}},
	} {
		b := told()
		c.tell(b)
		var got []string
		for _, turn := range b.Finish().Turns {
			got = append(got, turn.User, turn.Assistant, string(turn.Status))
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %q, want %q", name, got, c.want)
				break
			}
		}
	}
}

// TestActs has what may be shown as decided or open.
func TestActs(t *testing.T) {
	question := &tools.Arguments{Questions: []tools.Question{{Question: "Which?"}}}
	several := &tools.Arguments{Questions: []tools.Question{{Question: "Which log?", Type: "text"}, {Question: "Is it green?", Type: "yesno"}, {Question: "Which?", Type: "choice"}}}
	for name, c := range map[string]struct {
		tell func(b *Builder)
		want sources.Act
	}{
		"answered": {func(b *Builder) {
			b.Work().Call(Call{ID: "q", Name: "ask_user", Args: several})
			b.Result("q", Result{Answers: []Reply{{"Is it green?", "Yes"}, {"Which log?", "ERROR 7"}, {"Which?", "The second"}}})
		}, sources.Act{Kind: sources.ActAsked, Text: "Which?", Answer: "The second"}},
		"asked, and nothing follows": {func(b *Builder) { b.Work().Call(Call{ID: "q", Name: "ask_user", Args: question}) }, sources.Act{Kind: sources.ActAsked, Text: "Which?", Pending: true}},
		"a plan refused": {func(b *Builder) {
			b.Work().Call(Call{ID: "p", Name: "ExitPlanMode", Args: &tools.Arguments{Plan: tools.List{Text: "# Mend\n\nit"}}})
			b.Result("p", Result{Refused: true, Words: "smaller"})
		}, sources.Act{Kind: sources.ActPlanned, Text: "Mend", Answer: "smaller", Verdict: sources.Rejected}},
		"a plan accepted": {func(b *Builder) {
			b.Work().Call(Call{ID: "p", Name: "exit_plan_mode", Args: &tools.Arguments{Plan: tools.List{Text: "# Mend"}}})
			b.Result("p", Result{OK: new(true)})
		}, sources.Act{Kind: sources.ActPlanned, Text: "Mend", Verdict: sources.Accepted}},
		"refused, and accepted after it": {func(b *Builder) {
			for _, r := range []Result{{Refused: true, Words: "smaller"}, {OK: new(true)}} {
				b.Work().Call(Call{ID: "p" + r.Words, Name: "ExitPlanMode", Args: &tools.Arguments{Plan: tools.List{Text: "# Mend"}}})
				b.Result("p"+r.Words, r)
			}
		}, sources.Act{Kind: sources.ActPlanned, Text: "Mend", Verdict: sources.Accepted}},
		"refused with words": {func(b *Builder) {
			b.Work().Call(Call{ID: "r", Name: "Bash", Args: &tools.Arguments{Command: tools.Command{Text: "rm -r x"}}})
			b.Result("r", Result{Refused: true, Words: "never"})
		}, sources.Act{Kind: sources.ActRefused, Text: "rm -r x", Answer: "never", Verdict: sources.Rejected}},
		"remembered": {func(b *Builder) {
			b.Work().Call(Call{ID: "m", Name: "store_memory", Args: &tools.Arguments{Subject: "tests", Fact: "run with make"}})
			b.Result("m", Result{OK: new(true)})
		}, sources.Act{Kind: sources.ActRemembered, Text: "tests", Answer: "run with make"}},
		"a list": {func(b *Builder) {
			b.Work().Call(Call{ID: "l", Name: "update_plan", Args: &tools.Arguments{Plan: tools.List{Items: []tools.Todo{{Title: "one", Status: "pending"}}}}})
			b.Result("l", Result{OK: new(true)})
		}, sources.Act{Kind: sources.ActListed}},
		"reset": {func(b *Builder) {
			ran(b, "1", "git commit -qm 'Mend'", "<exited with exit code 0>")
			ran(b, "2", "git reset --hard HEAD~1", "HEAD is now at 1\n<exited with exit code 0>")
		}, sources.Act{Kind: sources.ActUndone, Text: "Mend"}},
		"rewound": {func(b *Builder) {
			b.Prompt(Prompt{Text: "mend it"}).Call(Call{ID: "e", Name: "edit", Args: &tools.Arguments{Path: "a.go"}})
			b.Result("e", Result{OK: new(true)})
			b.Rewind(1)
		}, sources.Act{Kind: sources.ActUndone, Text: "mend it"}},
		"rewound to try again, and once more after it": {func(b *Builder) {
			for _, text := range []string{"mend it", "mend that"} {
				b.Prompt(Prompt{Text: text}).Call(Call{ID: "e" + text, Name: "edit", Args: &tools.Arguments{Path: "a.go"}})
				b.Result("e"+text, Result{OK: new(true)})
				b.Rewind(1)
			}
			b.Prompt(Prompt{Text: "mend it, but keep the name"})
			ran(b, "1", "git commit -qm 'Mend'", "<exited with exit code 0>")
			ran(b, "2", "git reset --hard HEAD~1", "HEAD is now at 1\n<exited with exit code 0>")
		}, sources.Act{Kind: sources.ActUndone, Text: "Mend"}},
	} {
		b := told()
		if !strings.HasPrefix(name, "rewound") {
			b.Prompt(Prompt{Text: "a"})
		}
		c.tell(b)
		s := b.Finish()
		if len(s.Acts) != 1+strings.Count(name, "after it") {
			t.Errorf("%s: %+v", name, s.Acts)
			continue
		}
		got := s.Acts[len(s.Acts)-1]
		if got.At.IsZero() {
			t.Errorf("%s: without a time", name)
		}
		if got.At, got.Turn = (time.Time{}), 0; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestASecondRecordSaysWhoseToolItIs has a call of which only the second record names the MCP server.
func TestASecondRecordSaysWhoseToolItIs(t *testing.T) {
	args := &tools.Arguments{Path: "a.go"}
	for name, want := range map[string]string{"own-show": sources.ToolMCP, "edit": sources.ToolEdit} {
		b := New()
		turn := b.Prompt(Prompt{Text: "go"})
		turn.Call(Call{ID: "c", Name: name, Args: args})
		turn.Call(Call{ID: "c", Name: name, Args: args, Server: "own"})
		b.Finish()
		if calls := b.Session.Turns[0].Tools; len(calls) != 1 || calls[0].Kind != want {
			t.Errorf("%s: %+v", name, calls)
		}
	}
}

// TestCommandsInTheBackground has commands that go on, and what later calls give of them, as agents have them.
func TestCommandsInTheBackground(t *testing.T) {
	id := func(text string) decode.Scalar { return decode.Scalar{Text: text} }
	for name, c := range map[string]struct {
		begun, poll string
		args        tools.Arguments
		gave        []string // by one call after the other
		want        string
	}{
		"a session":   {"Chunk ID: 1\nWall time: 9 seconds\nProcess running with session ID 69\nOutput:\n", "write_stdin", tools.Arguments{ShellID: id("69")}, []string{"Wall time: 9 seconds\nProcess running with session ID 69\nOutput:\n", "Wall time: 9 seconds\nProcess exited with code 2\nOutput:\nerror: no\n"}, "2 error: no"},
		"a task":      {"Command running in background with ID: b7x. Output is being written to: /t/b7x.output", "TaskOutput", tools.Arguments{TaskID: id("b7x")}, []string{"<status>completed</status>\n<exit_code>0</exit_code>\n<output>\n[main 1234abc] Mend\n"}, "0  1234abc"},
		"a shell":     {"Command running in background with ID: bash_1", "BashOutput", tools.Arguments{ShellID: id("bash_1")}, []string{"<status>failed</status>\n<exit_code>1</exit_code>\n<stderr>\nno"}, "1 <stderr>\nno"},
		"in parts":    {"Process running with session ID 70\nOutput:\n[main 1234abc] Mend\n", "write_stdin", tools.Arguments{ShellID: id("70")}, []string{"Process exited with code 0\nOutput:\n 1 file changed, 2 insertions(+)\n create mode 100644 a\n"}, "0  1234abc"},
		"of another":  {"Command running in background with ID: b7x.", "TaskOutput", tools.Arguments{TaskID: id("b8")}, []string{"<exit_code>0</exit_code>"}, "? "},
		"still there": {"<command started in background with shellId: s1>", "read_bash", tools.Arguments{ShellID: id("s1")}, []string{"so far"}, "? "},
	} {
		b := told()
		b.Prompt(Prompt{Text: "go"})
		ran(b, "1", "git commit -m Mend", c.begun)
		for i, gave := range c.gave {
			b.Work().Call(Call{ID: fmt.Sprint("p", i), Name: c.poll, Args: &c.args}).End(Result{Text: gave})
		}
		s := b.Finish()
		got, call := "?", s.Turns[0].Tools[0]
		if call.Exit != nil {
			got = fmt.Sprint(*call.Exit)
		}
		got += " " + call.Errors
		for _, r := range s.Refs {
			got += " " + r.Value
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestCallsThatDidNotRun has commands that something kept from running: they are none, and commit nothing.
func TestCallsThatDidNotRun(t *testing.T) {
	for text, r := range map[string]Result{
		"PreToolUse:Bash hook error: [x]: no":                         {OK: new(bool)},
		"<tool_use_error>Blocked: sleep 30</tool_use_error>":          {OK: new(bool)},
		"exec command rejected by user":                               {},
		"failed to parse function arguments: missing field `command`": {},
	} {
		r.Text = text
		b := told()
		c := b.Work().Call(Call{ID: "1", Name: "bash", Args: &tools.Arguments{Command: tools.Command{Text: "git commit -qm x"}}})
		b.Result("1", r)
		if s := b.Finish(); c.Command != "" || c.OK == nil || *c.OK || len(s.Refs) > 0 || !strings.HasPrefix(c.Errors, text) {
			t.Errorf("%q: %+v", text, c.Tool)
		}
		ok := told()
		shown := ok.Work().Call(Call{ID: "1", Name: "bash", Args: &tools.Arguments{Command: tools.Command{Text: "cat log"}}})
		if ok.Result("1", Result{OK: new(true), Text: text}); shown.Command == "" || !*shown.OK {
			t.Errorf("printed: %q: %+v", text, shown.Tool)
		}
	}
}
