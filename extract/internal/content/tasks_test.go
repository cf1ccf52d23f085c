package content

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func shown(tasks []Task) []string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.State+": "+t.Text+" ("+t.Origin+")")
	}
	return out
}

func TestOpenBoxes(t *testing.T) {
	s := &sources.Session{
		Checkpoints: []sources.Checkpoint{
			{Number: 1, WorkDone: "- [x] Decide\n- [ ] Tests for the ring\n- [ ] Old words", NextSteps: "- Old step"},
			{Number: 2, WorkDone: "Files:\n- `a.go`: new\n- [x] tests for the **ring**\n- [ ] Docs page\n- [ ] Announce it", NextSteps: strings.Join([]string{
				"Remaining work:", "- Reload on `SIGHUP`", "- Tests for the ring", "- Decide.", "   - nested words",
				"- Docs:", "  - Page on keys", "", "Open question:", "- Should the old key still work?", "Or not at all?", "Blocked:", "- Nothing", "- The release"}, "\n")},
		},
		Artifacts: []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: "# Plan\n- [x] Audience claim\n1. [ ] Announce it\n- no box\n```\n- [ ] code\n```\n- [x] Reload on SIGHUP"}},
		Todos: []sources.Todo{{ID: "a", Title: "Docs page", Status: sources.TodoDone}, {ID: "b", Title: "Blocked one", Status: sources.TodoBlocked, After: []string{"a", "zz"}},
			{ID: "c", Title: "Later", Status: sources.TodoOpen}, {ID: "d", Title: "Now", Status: sources.TodoInProgress}},
	}
	open, done := Tasks(s)
	wantOpen := []string{"in_progress: Now (todo)", "open: Later (todo)", "blocked: Blocked one (todo)", "open: Announce it (plan)",
		"open: Page on keys (checkpoint 2)", "open: Should the old key still work? (checkpoint 2)", "open: Or not at all? (checkpoint 2)", "blocked: The release (checkpoint 2)"}
	wantDone := []string{"done: Docs page (todo)", "done: Audience claim (plan)", "done: Reload on SIGHUP (plan)", "done: tests for the **ring** (checkpoint 2)", "done: Decide (checkpoint 1)"}
	if got := shown(open); !slices.Equal(got, wantOpen) {
		t.Errorf("open is %q\nwant    %q", got, wantOpen)
	}
	if got := shown(done); !slices.Equal(got, wantDone) {
		t.Errorf("done is %q\nwant    %q", got, wantDone)
	}
	if got := open[2].After; !slices.Equal(got, []string{"zz"}) { // the other one is done
		t.Errorf("waits for %q", got)
	}
}

func TestLaterCheckpointReopens(t *testing.T) {
	s := &sources.Session{Checkpoints: []sources.Checkpoint{{Number: 1, WorkDone: "- [x] Ring"}, {Number: 2, WorkDone: "- [ ] Ring"}}}
	if open, done := Tasks(s); len(open) != 1 || len(done) != 0 {
		t.Errorf("open %q, done %q", shown(open), shown(done))
	}
}

func TestNextStepsWithoutLists(t *testing.T) {
	for text, want := range map[string][]string{
		"":                       nil,
		"None.":                  nil,
		"Write the docs.\nShip.": {"Write the docs.", "Ship."},
		"We are nearly there.\n\n- [ ] Ship\n- [x] Test\n- ✅ Docs": {"Ship"},
		"**Next**\nShip it\n  and more of it":                      {"Ship it"},
		"1. One\n2) Two\n* Three\n+ Four":                          {"One", "Two", "Three", "Four"},
	} {
		var got []string
		for _, s := range NextSteps(text) {
			if s.State != sources.TodoDone {
				got = append(got, s.Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestTaskTextIsOneShortLine(t *testing.T) {
	s := &sources.Session{Todos: []sources.Todo{{ID: "a", Title: "a\nb\t" + strings.Repeat("語", 200), Status: sources.TodoOpen}}}
	open, _ := Tasks(s)
	if got := open[0].Text; len(got) > taskLimit || strings.ContainsAny(got, "\n\t") || !strings.HasSuffix(got, "…") {
		t.Errorf("text is %q", got)
	}
}

func TestTaskKey(t *testing.T) {
	for _, same := range [][]string{
		{"Docs page: how to rotate", "docs  page — how to **rotate**.", "`Docs page`: how to rotate", "Docs page&#58; how to rotate", `Docs page\: how to rotate`},
		{"See the plan", "see [the plan](plan.md)"},
		{"Rotate \ue000github-token~0123456789ab\ue001 now", "Rotate [redacted:github-token#1] now", "Rotate [redacted] now"},
		{"Ｆｕｌｌ width", "full width"},
	} {
		for _, s := range same {
			if TaskKey(s) != TaskKey(same[0]) {
				t.Errorf("%q has key %q, %q has %q", s, TaskKey(s), same[0], TaskKey(same[0]))
			}
		}
	}
	for _, differ := range [][2]string{{"Step 1", "Step 2"}, {"a < b", "a > b"}, {"🔥", "💧"}} {
		if TaskKey(differ[0]) == TaskKey(differ[1]) {
			t.Errorf("%q and %q have one key", differ[0], differ[1])
		}
	}
}

func TestOpenTasksOverSessions(t *testing.T) {
	box := func(text string, ticked bool, session string, minute int) TaskBox {
		return TaskBox{Key: TaskKey(text), Text: text, Ticked: ticked, Session: session, At: moment(minute)}
	}
	facts := []TaskBox{
		box("Docs page", false, "s1", 1), box("docs page.", true, "s2", 5), // closed later
		box("Ring", true, "s1", 1), box("Ring", false, "s3", 9), // opened again
		box("Load test", false, "s1", 1), box("load test", false, "s2", 5), // twice
		box("Same note", true, "s1", 1), box("Same note", false, "s1", 1),
		box("Another", false, "s2", 5),
	}
	want := []string{"Ring s3", "Another s2", "load test s2"}
	for seed := range uint64(50) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
		var got []string
		for _, f := range OpenTasks(facts) {
			got = append(got, f.Text+" "+f.Session)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("open is %q, want %q", got, want)
		}
	}
}
