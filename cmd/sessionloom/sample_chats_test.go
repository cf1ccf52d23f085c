package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// chatFact is what is known of a session of the sample's user folder, as its
// makers wrote it down.
type chatFact struct {
	id, title, project string
	states             string // of the turns, by their first letters: complete, failed, x cancelled, pending
	tools              int    // calls, those of sub-agents too
	kinds              string // of the calls
	todos              string // states
	kept, files        string // artifacts; files created or edited
	agent              string // empty: vscode-copilot
	lost               int    // prompts that are not on record
}

const workspaceKey = "folder/octo"

var chatFacts = []chatFact{
	{id: "40a86369-6e1d-4d1a-8f65-f8682085b206", title: "Middleware on the key ring", project: widgetKey, states: "ccc",
		tools: 5, kinds: "edit plan read run search", todos: "done in_progress open", kept: "plan/plan.md", files: "internal/auth/middleware.go"},
	{id: "c01616cd-b141-4c63-959b-ea3571eaad08", title: "Mutex or sync.Map in the store", project: widgetKey, states: "cc"},
	{id: "e457749f-75a8-494c-8efe-14f3ad7a79b0", title: "Rate limit sketch", project: widgetKey, states: "cc"},
	{id: "9949f47d-dba7-4f1f-b860-2fdcee684629", title: "Token claims, explained", project: widgetKey, states: "cccc", kept: "summary/summary-1.md"},
	{id: "a3e2708a-009d-4b4e-b404-c21b8311041a", title: "Running one test", project: widgetKey, states: "cc"},
	{id: "a1a3f05d-6924-4499-bd91-c1960b6e67b9", title: "Yes, write BenchmarkVerify.", project: widgetKey, states: "cc", lost: 1,
		tools: 2, kinds: "create run", files: "internal/auth/bench_test.go"},
	{id: "6f5b18de-8747-456a-bb4c-5fa98e9bff2b", title: "Guide: shorter intro", project: workspaceKey, states: "cc", tools: 1, kinds: "read"},
	{id: "f6be500e-9d53-4c21-8113-c6b339ed770a", title: "Plan: page on rotating keys", project: workspaceKey, states: "cc", tools: 4, // a third one is the system's
		kept: "memory/audience-notes.md plan/plan-review.md plan/plan.md"},
	{id: "20d0eb6c-c224-4b67-a68d-795fbfbe12a0", title: "Why does the nightly build fail on this box?", project: "folder/widget-", states: "cxfp",
		tools: 2, kinds: "read run"},
	{id: "e6b50300-db8c-4e7c-ba39-6b8f20a5d449", title: "slices.Reverse はいつから 🐹", states: "c"},
}

// What the makers of the sample know of its chats is in the notes and in the export.
func TestSampleChats(t *testing.T) {
	t.Parallel()
	_, tree := weaveSample(t)
	notes, exported := notesByID(t, tree), exportSample(t)
	for _, f := range chatFacts {
		t.Run(f.title, func(t *testing.T) {
			f.agent = "vscode-copilot"
			prompts := len(f.states) - f.lost
			f.lost = 0
			got := chatOfExport(f, exported[f.id])
			for path := range strings.FieldsSeq(f.files) {
				if !slices.Contains(strings.Fields(got.files), path) {
					t.Errorf("%s is not among the files %q", path, got.files)
				}
			}
			if !strings.HasPrefix(got.project, f.project) {
				t.Errorf("in the project %q, want %s", got.project, f.project)
			}
			if f.kinds == "" {
				got.kinds = ""
			}
			got.project, got.files, f.files = f.project, "", ""
			expect.Is(t, got, f, "export")
			n := notes["session:"+f.id]
			if n.Title != f.title || !strings.HasPrefix(n.Project, f.project) || n.Turns != prompts {
				t.Errorf("note: %q with %d turns in %q", n.Title, n.Turns, n.Project)
			}
		})
	}
}

func chatOfExport(f chatFact, e extract.Exported) chatFact {
	got := chatFact{id: e.ID, title: e.Title, project: e.Project.Key, agent: e.Agent}
	var kinds, todos, kept, files []string
	for _, turn := range e.Turns {
		state := string(turn.Status)
		if turn.Status == sources.Cancelled {
			state = "x"
		}
		got.states += fmt.Sprintf("%.1s", state)
		got.tools += len(turn.Tools)
		for _, tool := range turn.Tools {
			kinds = append(kinds, tool.Kind)
		}
	}
	for _, x := range e.Todos {
		todos = append(todos, x.Status)
	}
	for _, a := range e.Artifacts {
		kept = append(kept, a.Kind+"/"+a.Name)
	}
	for _, x := range e.Files {
		if x.Kind == sources.Created || x.Kind == sources.Edited {
			files = append(files, strings.TrimPrefix(x.Path, "/home/dev/src/widget/"))
		}
	}
	for _, list := range [][]string{kinds, todos, kept} {
		slices.Sort(list)
	}
	got.kinds, got.todos = strings.Join(slices.Compact(kinds), " "), strings.Join(todos, " ")
	got.kept, got.files = strings.Join(kept, " "), strings.Join(files, " ")
	return got
}

// What spans the chats of the sample, and what must not be in the vault.
func TestSampleChatsHoldTheirPromises(t *testing.T) {
	t.Parallel()
	_, tree := weaveSample(t)
	notes := notesByID(t, tree)
	everything := ""
	for path, f := range tree {
		everything += path + "\n" + f.text
	}
	for what, word := range map[string]string{
		"a draft": "Which callers\n", "an empty chat": "545b94cd", "another one": "e530a893", "a session of an index alone": "8a481841",
		"the requester": "avatars.example.com", "reasoning": "The ring lives in keyring.go", "an escape of the terminal": "\x1b", "a rendered prompt": "context removed",
		"the title of a gone session": "Gone from disk",
	} {
		if strings.Contains(everything, word) {
			t.Errorf("%s is in the vault: %q", what, word)
		}
	}
	cli := notes["session:b298a1e7-38aa-4f2f-bab3-7f6788b77fe5"]
	if cli.Title != "errors.Is in internal/auth" || cli.Turns != 1 {
		t.Errorf("the CLI's session that VS Code knows too: %q with %d turns", cli.Title, cli.Turns)
	}
	if n := notes["memory:b298a1e7-38aa-4f2f-bab3-7f6788b77fe5:memory/notes.md"]; !strings.Contains(n.text, "Sentinel errors") {
		t.Error("the memory VS Code keeps of it has no note")
	}
	for _, words := range []string{"inject the clock", "never reads the JWT header", "scripts/linkcheck.py", "Answers in British English", "Reproduce first"} {
		found := 0
		for id, n := range notes {
			if strings.HasPrefix(id, "memory:") && strings.Contains(n.text, words) {
				found++
			}
		}
		expect.Is(t, found, 1, "notes of memories say", words, "one")
	}
	for id, property := range map[string]string{"c01616cd-b141-4c63-959b-ea3571eaad08": "archived yes", "40a86369-6e1d-4d1a-8f65-f8682085b206": "pinned yes"} {
		found := false
		for _, f := range tree {
			found = found || noteID(f.text) == "session:"+id && strings.Contains(f.text, property+" ¦")
		}
		if !found {
			t.Errorf("the note of %s is not %s", id, property)
		}
	}
}
