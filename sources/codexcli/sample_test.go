package codexcli_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// fact is what is known of a session of testdata/home, which the genuine versions 0.8, 0.55,
// 0.128 and 0.169 wrote. Records that no note shows were taken out of it, and tables and
// columns out of its database.
type fact struct {
	id          string // its first 13 characters
	turns       int    // own ones
	taken       int    // back
	checkpoints int
	open        int // todos that are not done
	title       string
	parent      string
	flags       string // archived, headless
	edited      string
	tools       string // names of the calls of own turns
	delegated   string
}

var facts = []fact{
	{id: "827aa8f5-bb92", turns: 1, edited: "README.md", tools: "shell shell shell"},
	{id: "01a20206-8073", turns: 3, flags: "headless", edited: "content/guides/auth.md content/guides/start.md scripts/test_linkcheck.py",
		tools: "shell update_plan apply_patch shell update_plan shell apply_patch"},
	{id: "01a20206-8d82", turns: 4, checkpoints: 1, edited: "internal/store/store.go", tools: "shell apply_patch shell"},
	{id: "01a20207-5be9", turns: 2, edited: "content/guides/auth.md", tools: "apply_patch"},
	{id: "01a20207-9f63", turns: 1, parent: "01a20207-5be9", tools: "shell"},
	{id: "01a20207-d4e2", turns: 3, open: 2, title: "Health endpoint with a body", edited: "internal/httpx/router.go", tools: "exec_command update_plan apply_patch exec_command"},
	{id: "01a2020c-9d53", turns: 2, taken: 1},
	{id: "01a2020d-1193", turns: 2, open: 1, flags: "headless", edited: "internal/store/doc.go internal/store/store.go internal/store/store_test.go",
		tools: "exec_command update_plan apply_patch exec_command update_plan apply_patch apply_patch exec_command"},
	{id: "01a2020d-6b1f", turns: 4, checkpoints: 1, open: 2, title: "Rate limit per client", edited: "cmd/widgetd/main.go internal/httpx/ratelimit.go",
		tools: "exec_command update_plan apply_patch update_plan apply_patch exec_command"},
	{id: "01a2020e-196c", turns: 1, title: "Rate limit per client (fork)", parent: "01a2020d-6b1f", edited: "internal/httpx/ratelimit_test.go", tools: "apply_patch exec_command"},
	{id: "01a2020f-63bf", turns: 1, title: "Explain linkcheck gaps", tools: "exec_command"},
	{id: "01a2020f-a4b3", turns: 2, title: "Find commits touching the store", tools: "exec_command"},
	{id: "01a2020f-f49d", turns: 1, flags: "headless", tools: "tool_search spawn_agent spawn_agent wait_agent close_agent", delegated: "Averroes, Carver (explorer)"},
	{id: "01a2020f-fb0f", turns: 1, flags: "headless", edited: "content/words.md",
		tools: "exec_command spawn_agent spawn_agent list_agents apply_patch", delegated: "guides, reference"},
	{id: "01a20210-0419", turns: 1, flags: "headless", title: "/review current changes"},
	{id: "01a20210-0ab5", turns: 2, flags: "headless", tools: "exec_command view_image"},
	{id: "01a20210-15d4", turns: 1, title: "/goal Evict idle buckets in Limit and prove it with a test", tools: "exec_command update_goal"},
	{id: "01a20210-4901", turns: 1, title: "Echo [[odd]] markup --- <b>", tools: "exec_command"},
	{id: "01a20210-71f1", turns: 1, flags: "archived headless"},
	{id: "01a20210-8087", turns: 1, flags: "headless", tools: "exec_command"},
	{id: "01a20210-905b", turns: 2, title: "Untitled task", tools: "exec_command"},
	{id: "01a20212-2a37", turns: 3, taken: 2, title: "Find pages without an index link", tools: "exec_command exec_command"},
	{id: "01a20212-c20c", turns: 1, flags: "headless", parent: "01a2020d-1193"},
	{id: "01a20212-c5cb", turns: 1, flags: "headless", edited: "content/count.md", tools: "spawn_agent wait_agent apply_patch exec_command", delegated: "guides"},
	{id: "01a20215-2c46", turns: 2, title: "Where cookies are mentioned", tools: "exec_command"},
}

// workers are the threads of sub-agents and of a reviewer, with the sessions they worked for.
var workers = map[string]string{
	"01a2020f-f5a1": "01a2020f-f49d", "01a2020f-f5d4": "01a2020f-f49d", "01a2020f-fd4e": "01a2020f-fb0f", "01a2020f-fdf0": "01a2020f-fb0f",
	"01a20210-04c1": "01a20210-0419", "01a20212-c66e": "01a20212-c5cb",
}

func TestSampleFacts(t *testing.T) {
	dir := sourcetest.Sample(t)
	defer sourcetest.Untouched(t, dir)()
	s := codexcli.New(codexcli.Config{Homes: []string{dir}, TempDir: t.TempDir()})
	var got []fact
	records := 0
	for it, r := range sourcetest.Readings(t, s) {
		if len(r.Unknown) > 0 {
			t.Errorf("%s: unknown %v", it.Key, r.Unknown)
		}
		if it.Kind != sources.KindSession {
			continue
		}
		records += r.Records
		id := it.Session[:13]
		if root := workers[id]; root != "" {
			if len(r.Layers) != 0 || len(r.Sessions) != 1 || r.Sessions[0].ID[:13] != root || r.Sessions[0].Layers[0].Session.Delegated[0].ID != it.Session {
				t.Errorf("%s: %+v, %+v", id, r.Layers, r.Sessions)
			}
			continue
		}
		if len(r.Layers) == 0 || len(r.Sessions) != 0 || r.Layers[0].Session.ID != it.Session || !r.Layers[0].Session.Complete || len(r.Layers[0].Session.Damage) > 0 {
			t.Errorf("%s: %+v", id, r.Layers)
			continue
		}
		got = append(got, factOf(r))
	}
	sourcetest.Facts(t, got, facts)
	expect.Is(t, records, 903, "records")
	must(t, s.Close())
}

// factOf sums up a reading.
func factOf(r sources.Reading) fact {
	s := r.Layers[0].Session
	f := fact{id: s.ID[:13], taken: len(s.TakenBack), checkpoints: len(s.Checkpoints), title: s.Title}
	if len(r.Layers) > 1 {
		f.title = r.Layers[1].Session.Title
	}
	if s.Parent != "" {
		f.parent = s.Parent[:13]
	}
	var tools, edited, names, flags []string
	for _, turn := range s.Turns {
		if !turn.Inherited {
			f.turns++
			for _, tool := range turn.Tools {
				tools = append(tools, tool.Name)
			}
		}
	}
	for _, todo := range s.Todos {
		if todo.Status != sources.TodoDone {
			f.open++
		}
	}
	for _, touch := range s.Files {
		path := strings.TrimPrefix(strings.TrimPrefix(touch.Path, "/home/dev/src/widget/"), "/home/dev/src/docs-site/")
		if touch.Kind != sources.Viewed && !slices.Contains(edited, path) {
			edited = append(edited, path)
		}
	}
	for _, d := range s.Delegated {
		names = append(names, d.Name)
	}
	if s.Archived {
		flags = append(flags, "archived")
	}
	if s.Headless {
		flags = append(flags, "headless")
	}
	slices.Sort(edited)
	f.tools, f.edited, f.delegated, f.flags = strings.Join(tools, " "), strings.Join(edited, " "), strings.Join(names, ", "), strings.Join(flags, " ")
	return f
}

// What Codex shows of a session, word for word.
func TestSampleInDetail(t *testing.T) {
	dir := sourcetest.Sample(t)
	session := func(id string) *sources.Session { return readOf(t, dir, id).Layers[0].Session }
	s := session("01a20207-9f63-7931-b707-c6244504352f") // a fork that copies
	origin := session(s.Parent)
	if !s.Turns[0].Inherited || s.Turns[1].Inherited || s.Turns[0].ID != origin.Turns[0].ID || s.Turns[1].ID == origin.Turns[1].ID {
		t.Errorf("%+v", s.Turns)
	}
	s = session("01a20206-8073-76b2-89fc-33c5ad37de3a") // begun by 0.55, resumed by 0.169
	if fmt.Sprint(s.Models) != "[gpt-5-codex gpt-5.5]" || s.Turns[2].Model != "gpt-5.5" || s.Turns[2].Tokens.In != 21410 || s.Turns[2].Tokens.Out != 153 {
		t.Errorf("%v, %+v", s.Models, s.Turns[2])
	}
	s = session("01a2020d-6b1f-7493-be5e-777ce4969eeb")
	if s.Turns[1].Status != sources.Cancelled || s.Turns[1].Assistant != "" || !strings.HasPrefix(s.Checkpoints[0].Raw, "## Done\n") || s.Checkpoints[0].Title != "Done" {
		t.Errorf("%+v, %+v", s.Turns[1], s.Checkpoints[0])
	}
	s = session("01a2020f-63bf-74c1-bd3f-2553c6252b41") // in a worktree that Codex made
	if s.Place.Cwd != "/home/dev/.codex/worktrees/50a7/docs-site" || s.Place.Branch != "" || s.Place.Repository != "https://github.com/octo-org/docs-site.git" {
		t.Errorf("%+v", s.Place)
	}
	s = session("01a20210-0419-7853-9f6a-a0cf3cb6330a")
	if s.Actions[0].Kind != sources.ActionReview || !strings.Contains(s.Turns[0].Assistant, "[P2] A TODO is no fix") || s.Turns[0].User != "" {
		t.Errorf("%+v, %+v", s.Actions, s.Turns)
	}
	s = session("01a20210-0ab5-7691-9f4a-8f6c9a204f4a")
	if a := s.Turns[1].Attachments; len(a) != 1 || a[0].Kind != "image" || a[0].Name != "/home/dev/lab/latency/plot.png" || s.Turns[1].User != "What is in this picture?" {
		t.Errorf("%+v", s.Turns[1])
	}
	s = session("01a2020f-a4b3-7733-a747-50f73129212c")
	if len(s.Actions) != 1 || s.Actions[0].Text != "!git log --oneline | head -3" || s.Actions[0].Turn != -1 {
		t.Errorf("%+v", s.Actions)
	}
	s = session("01a20210-8087-7fc2-a108-2e5f1afe5936") // killed while a command ran
	if turn := s.Turns[0]; turn.Status != sources.Pending || turn.Assistant != "This takes a minute." || turn.Tools[0].Exit != nil {
		t.Errorf("%+v", turn)
	}
	for id, want := range map[string]int64{ // what the files say of the thread as a whole, each sum told more than once
		"01a20206-8d82-7193-835e-c6a782de95a8": 30879, "01a20207-d4e2-7b11-aa51-46fd49239561": 76946, "01a2020d-1193-7e92-8264-96175e313d44": 111168,
	} {
		sum := int64(0)
		for _, turn := range session(id).Turns {
			if turn.Tokens != nil {
				sum += turn.Tokens.In + turn.Tokens.Out
			}
		}
		expect.Is(t, sum, want, id, "tokens")
	}
	d := readOf(t, dir, "01a20210-04c1-7d22-bc4c-c5c8104492fe").Sessions[0].Layers[0].Session.Delegated[0]
	if d.Name != "review" || !strings.HasPrefix(d.Answer, "Only a comment was added.\n\n- [P2]") || d.Calls != 1 || d.Tokens.In != 10713 {
		t.Errorf("%+v", d)
	}
}

func TestSampleBesidesTheThreads(t *testing.T) {
	dir := sourcetest.Sample(t)
	s := codexcli.New(codexcli.Config{Homes: []string{dir}})
	details, err := s.Details(context.Background())
	must(t, err)
	if want := []string{"1 thread archived", "10 threads begun by codex exec", "6 threads of sub-agents, which stand in the note of the session that they worked for", "written by version 0.169.0"}; !slices.Equal(details[dir], want) {
		t.Errorf("%q", details[dir])
	}
	expect.Is(t, s.Tested(), "0.169.0")
}
