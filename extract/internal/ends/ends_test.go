package ends

import (
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var at = time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)

// told writes ends in one line each: "list open Tag it".
func told(s *sources.Session) string {
	open, done := InSession(s)
	var out []string
	for _, m := range open {
		out = append(out, string(m.Kind)+" open "+m.Shown())
	}
	for _, m := range done {
		out = append(out, string(m.Kind)+" done "+m.Shown())
	}
	return strings.Join(out, "\n")
}

func prompts(said ...string) (out []sources.Turn) {
	for _, p := range said {
		out = append(out, sources.Turn{User: p, Assistant: "Sure.", Status: sources.Complete, At: at})
	}
	return out
}

func todos(state string, titles ...string) (out []sources.Todo) {
	for _, t := range titles {
		out = append(out, sources.Todo{ID: t, Title: t, Status: state, At: at})
	}
	return out
}

func act(kind sources.ActKind, turn int, text string) sources.Act {
	return sources.Act{Kind: kind, Turn: turn, Text: text, At: at}
}

func pending(kind sources.ActKind, turn int, text string) sources.Act {
	a := act(kind, turn, text)
	a.Pending = true
	return a
}

func TestInSession(t *testing.T) {
	plan := func(text string) []sources.Artifact {
		return []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", At: at, Text: text}}
	}
	wrote := []sources.Act{act(sources.ActWrote, 0, "plan.md")}
	failed := sources.Turn{User: "Ship it.\nNow.", Status: sources.Failed, Error: "overloaded", At: at}
	for name, c := range map[string]struct {
		s    sources.Session
		want string
	}{
		"a list that the last prompt touched": {
			sources.Session{Turns: prompts("a"), Todos: append(todos(sources.TodoInProgress, "Tag it"), todos(sources.TodoDone, "Test it")...), Acts: []sources.Act{act(sources.ActListed, 0, "")}},
			"list open Tag it\nlist done Test it",
		},
		"one that the last but one touched":   {sources.Session{Turns: prompts("a", "b", "c"), Todos: todos(sources.TodoBlocked, "Tag it"), Acts: []sources.Act{act(sources.ActListed, 1, "")}}, ""},
		"before a prompt that an error ended": {sources.Session{Turns: append(prompts("a"), sources.Turn{User: "go on", Status: sources.Failed}), Todos: todos(sources.TodoBlocked, "Tag it"), Acts: []sources.Act{act(sources.ActListed, 0, "")}}, "list open Tag it"},
		"stopped while it was worked on":      {sources.Session{Turns: []sources.Turn{{User: "a", Status: sources.Cancelled, Tools: []sources.Tool{{Kind: sources.ToolPlan}, {Kind: sources.ToolRun}}}}, Todos: todos(sources.TodoOpen, "Tag it"), Acts: []sources.Act{act(sources.ActListed, 0, "")}}, "list open Tag it"},
		"two prompts later it is given up": {
			sources.Session{Turns: prompts("a", "b", "c"), Todos: append(todos(sources.TodoOpen, "Tag it"), todos(sources.TodoDone, "Test it")...), Acts: []sources.Act{act(sources.ActListed, 0, "")}},
			"list done Test it",
		},
		"what no person typed counts as no prompt": {
			sources.Session{Turns: prompts("a", "", ""), Todos: todos(sources.TodoOpen, "Tag it"), Acts: []sources.Act{act(sources.ActListed, 0, "")}},
			"list open Tag it",
		},
		"nobody knows when": {sources.Session{Turns: prompts("a"), Todos: todos(sources.TodoOpen, "Tag it")}, ""},
		"a list from before the first prompt": {
			sources.Session{Turns: prompts("a"), Todos: todos(sources.TodoOpen, "標籤", "標籤"), Acts: []sources.Act{act(sources.ActListed, -1, "")}},
			"list open 標籤",
		},
		"boxes of a plan that was ticked in part": {
			sources.Session{Turns: prompts("a"), Artifacts: plan("# Release\n\n- [x] Changelog\n- [ ] Tag it\n* [ ] Docs\n\n```\n- [ ] in code\n```\n\n> - [ ] quoted\n\n[ ] no item"), Acts: wrote},
			"box open Tag it\nbox open Release: Docs\nbox done Release: Changelog",
		},
		"a plan without a tick is a proposal": {sources.Session{Turns: prompts("a"), Artifacts: plan("- [ ] Changelog\n- [ ] Tag it"), Acts: wrote}, ""},
		"a plan that nobody touched of late":  {sources.Session{Turns: prompts("a", "b", "c"), Artifacts: plan("- [x] Changelog of all\n- [ ] Tag it"), Acts: wrote}, ""},
		"a plan that no call wrote":           {sources.Session{Turns: prompts("a"), Artifacts: plan("- [x] Changelog of all\n- [ ] Tag it")}, ""},
		"boxes of a memory": {
			sources.Session{Turns: prompts("a"), Artifacts: []sources.Artifact{{Kind: sources.Memory, Name: "plan.md", Text: "- [x] one thing\n- [ ] other thing"}}, Acts: wrote}, "",
		},
		"a question that nothing follows": {
			sources.Session{Turns: prompts("a"), Acts: []sources.Act{act(sources.ActAsked, 0, "Which port?"), pending(sources.ActAsked, 0, "Which host?"), pending(sources.ActPlanned, 0, "Two ports")}},
			"question open Which host?\nplan open Two ports",
		},
		"a prompt that an error ended": {sources.Session{Turns: append(prompts("a"), failed)}, "prompt open not answered: Ship it. Now."},
		"with a call before the error": {
			sources.Session{Turns: []sources.Turn{{User: "Ship it today", Assistant: "Looking.", Status: sources.Failed, Error: "limit", Tools: []sources.Tool{{After: 8}}}}},
			"prompt open not answered: Ship it today",
		},
		"a client that could not start":  {sources.Session{Turns: []sources.Turn{failed, failed}}, ""},
		"a greeting that an error ended": {sources.Session{Turns: []sources.Turn{{User: "hi there", Status: sources.Failed, Error: "limit"}}}, ""},
		"a nod after a prompt":           {sources.Session{Turns: append(prompts("a"), failed, sources.Turn{User: "restart", Status: sources.Failed, Error: "limit"}, sources.Turn{User: "/login", Status: sources.Failed, Error: "limit"})}, "prompt open not answered: Ship it. Now."},
		"a command that an error ended":  {sources.Session{Turns: []sources.Turn{{User: "/review of all files", Status: sources.Failed, Error: "limit"}}}, ""},
		"an answer before the error":     {sources.Session{Turns: []sources.Turn{{User: "Ship it", Assistant: "Shipped.", Status: sources.Failed, Error: "limit"}}}, ""},
		"an error that was got over":     {sources.Session{Turns: append([]sources.Turn{failed}, prompts("Again")...)}, ""},
		"an interruption":                {sources.Session{Turns: []sources.Turn{{User: "Ship it", Status: sources.Cancelled}}}, ""},
		"a log that stops":               {sources.Session{Turns: []sources.Turn{{User: "Ship it", Status: sources.Pending}}}, ""},
		"an error in the parent":         {sources.Session{Turns: []sources.Turn{{User: "Ship it", Status: sources.Failed, Error: "x", Inherited: true}}}, ""},
		"prose that says it all":         {sources.Session{Turns: []sources.Turn{{User: "a", Assistant: "TODO: docs\n\n## Next steps\n- [ ] Tag it\n\n残り: 文書"}}}, ""},
		"next steps of a checkpoint":     {sources.Session{Turns: prompts("a"), Checkpoints: []sources.Checkpoint{{NextSteps: "- [ ] Tag it"}}}, ""},
		"one thing in a list and plan":   {sources.Session{Turns: prompts("a"), Todos: todos(sources.TodoOpen, "**Tag** it."), Artifacts: plan("- [x] all of it\n- [ ] tag  it"), Acts: append(wrote, act(sources.ActListed, 0, ""))}, "list open **Tag** it.\nbox done all of it"},
	} {
		expect.Is(t, told(&c.s), c.want, name)
	}
}

// Each open end has a block of its own, and the same session gives the same ones.
func TestIDs(t *testing.T) {
	s := sources.Session{ID: "s", Turns: prompts("a"), Todos: todos(sources.TodoOpen, "a, b", "a b", "*"), Acts: []sources.Act{act(sources.ActListed, 0, "")}}
	open, _ := InSession(&s)
	seen := map[string]bool{}
	for _, m := range open {
		seen[m.ID] = true
	}
	if again, _ := InSession(&s); len(seen) != 3 || again[1].ID != open[1].ID {
		t.Errorf("%+v", open)
	}
}

func TestFold(t *testing.T) {
	m := func(text, session string, hour int, done bool) Mention {
		return Mention{Text: text, Session: session, At: at.Add(time.Duration(hour) * time.Hour), Done: done, ID: session + text}
	}
	ticked := m("Ticked", "a", 1, false)
	ticked.Ticked = true
	threads := Fold([]Mention{
		m("Write the *docs*.", "a", 1, false), m("write  the docs", "b", 2, false), m("Write docs", "b", 3, false),
		m("Tag it", "a", 1, false), m("tag it!", "c", 4, true), m("Again", "a", 1, true), m("again", "b", 2, false), m("Never open", "a", 1, true), ticked,
	})
	var got []string
	for _, one := range threads {
		got = append(got, one.ID()+" "+one.Newest().Session+" "+one.Since().Format("15"))
	}
	expect.Is(t, strings.Join(got, ", "), "aWrite the *docs*. b 09, bagain b 10, bWrite docs b 11")
}

func TestStartOf(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, pair := range [][2]string{{"Ship it.\nNow", "ship it.  now"}, {long, long + "more"}, {long, long[:140]}, {"Key: \ue000google-key~a1b2c3\ue001 " + long, "key: [redacted:google-key#1] " + long[:120]}} {
		expect.Is(t, StartOf(pair[0]), StartOf(pair[1]), pair[0], pair[1], "begin alike")
	}
	for _, prompt := range []string{strings.Repeat("語", 20) + " " + strings.Repeat("句", 40), "Ship " + strings.Repeat("x", 200), long} { // as a thread shows it
		open, _ := InSession(&sources.Session{Turns: append(prompts("a"), sources.Turn{User: prompt, Status: sources.Failed, Error: "x"})})
		expect.Is(t, StartOf(open[0].Text), StartOf(prompt), prompt, "begins otherwise than its thread", open[0].Text)
	}
	if StartOf("Ship it") == StartOf("Ship it twice") {
		t.Error("two prompts begin alike")
	}
}

func FuzzInSession(f *testing.F) {
	f.Add("- [x] a\n- [ ] b\n", "Tag it", "Ship it")
	f.Add("[ ] \xff", "☐ é", "\u2028")
	f.Fuzz(func(t *testing.T, plan, todo, prompt string) {
		s := sources.Session{
			Turns: append(prompts("a"), sources.Turn{User: prompt, Status: sources.Failed, Error: "x"}), Todos: todos(sources.TodoOpen, todo),
			Artifacts: []sources.Artifact{{Kind: sources.Plan, Name: "p", Text: plan}},
			Acts:      []sources.Act{act(sources.ActListed, 0, ""), act(sources.ActWrote, 0, "p"), pending(sources.ActAsked, 0, todo)},
		}
		open, done := InSession(&s)
		for _, m := range append(open, done...) {
			if m.Text == "" || strings.ContainsAny(m.Text, "\r\n") || len(m.Text) > maxText || m.Done == (m.ID != "") {
				t.Errorf("%+v", m)
			}
		}
	})
}
