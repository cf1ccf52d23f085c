package copilotcli

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

func TestWorkspaceKeepsLinesAsTheyWereWritten(t *testing.T) {
	text := strings.Join([]string{
		`cwd: C:\Users\dev\src: new`, // no YAML: a second colon
		`name: 'Guide: it''s here'`, `branch: feat/#12`, `summary: "a \"b\" \u00e9"`, `repository:`, `user_named: true`, `nested: [1, 2`, "host_type: github\r",
	}, "\n")
	want := map[string]string{"cwd": `C:\Users\dev\src: new`, "name": "Guide: it's here", "branch": "feat/#12", "summary": `a "b" é`,
		"repository": "", "user_named": "true", "nested": "[1, 2", "host_type": "github"}
	if got, _ := words.FlatYAML(text); !reflect.DeepEqual(got, want) {
		t.Errorf("by lines: %q", got)
	}
	text = "name: Look at #12 # again\ncwd: D:\\x\nbranch: null\nother: &a [1]\nthird: *a\n"
	got, _ := words.FlatYAML(text)
	if got["name"] != "Look at #12 # again" || got["cwd"] != `D:\x` || got["branch"] != "" {
		t.Errorf("as YAML: %q", got)
	}
	text = "cwd: /a\nsummary: |-\n  Sort: the list\n\n    - a\n  and #count\nname: >\r\n  two\r\n  lines\r\nbranch: b"
	if got, damaged := words.FlatYAML(text); damaged || got["summary"] != "Sort: the list\n\n  - a\nand #count" || got["name"] != "two lines\n" || got["branch"] != "b" || len(got) != 4 {
		t.Errorf("texts of several lines: %q, damaged %t", got, damaged)
	}
}

// A file that says nothing is no damage, and nothing of it is taken for a word.
func TestAWorkspaceThatSaysNothing(t *testing.T) {
	for text, damaged := range map[string]bool{
		"": false, "\n": false, "{}\n": false, "---\n# made by a tool\n": false, "null\n": false, "name:\ncwd: ''\nbranch: ~\nuser_named: true\n": false,
		"name: |\n\ncwd: >-\n": false,
		"name\n":               true, "- a\n": true, "name: [a]\n": true,
	} {
		var s sources.Session
		w, got := words.FlatYAML(text)
		applyWorkspace(&s, w, "a prompt")
		if got != damaged || s.Title != "" || s.TitleFrom != sources.TrustNone || s.Place.Cwd+s.Place.Branch+s.Place.Repository != "" {
			t.Errorf("%q: damaged %t, %+v", text, got, s)
		}
	}
}

func TestATitleIsTrustedByItsOrigin(t *testing.T) {
	prompt := "Sort the list\nand tell me how long it takes. " + strings.Repeat("Then again. ", 20)
	for _, c := range []struct {
		yaml string
		want sources.Trust
	}{
		{"name: Sorting a list", sources.TrustNamed},
		{"name: Sort the list", sources.TrustPrompt},
		{"name: " + strings.Join(strings.Fields(prompt), " "), sources.TrustPrompt},
		{"name: " + strings.Join(strings.Fields(prompt[:100]), " ") + "...", sources.TrustPrompt},
		{"name: " + strings.Repeat("a rewound prompt ", 9)[:100] + "...", sources.TrustPrompt},
		{"summary: Sorting a list", sources.TrustNamed},
		{"name: Sort the list\nuser_named: true", sources.TrustUser},
		{"name: Sort the list\nsummary: Sorting", sources.TrustNamed},
		{"cwd: /", sources.TrustNone},
	} {
		var s sources.Session
		w, _ := words.FlatYAML(c.yaml)
		applyWorkspace(&s, w, prompt)
		if s.TitleFrom != c.want || (s.Title == "") != (c.want == sources.TrustNone) {
			t.Errorf("%.60q: %q by trust %d, want %d", c.yaml, s.Title, s.TitleFrom, c.want)
		}
	}
}

func TestCheckpointsOfEveryForm(t *testing.T) {
	at := func(min int) time.Time { return time.Date(2026, 4, 2, 9, min, 0, 0, time.UTC) }
	file := func(name, text string, mtime time.Time) checkpointFile {
		return checkpointFile{name: name, text: text, mtime: mtime}
	}
	got := checkpoints([]checkpointFile{
		file("index.md", "| # | Title | File |\n|---|---|---|\n| 1 | Pipes | and more | 001-pipes-and-more.md |\r\n| 2 | Second | 002-second.md |\n", at(0)),
		file("002-second.md", "<overview>\ntwo\n</overview>\n<work_done>\nw\n</work_done>", at(2)),
		file("001-pipes-and-more.md", "<overview>\none\n</overview>", at(1)),
		file("002.json", `{"overview":"two","workDone":"w","nextSteps":["a","b"],"createdAt":"2026-04-02T10:00:00Z"}`, at(3)),
		file("4f0e8e0a-6f0b-4b58-8a5e-6a1c2d3e4f50.json", `{"title":"By name","overview":"late"}`, at(9)),
		file("5f0e8e0a-6f0b-4b58-8a5e-6a1c2d3e4f50.json", `{"summary":"<overview>\nearly\n</overview>"}`, at(8)),
		file("001.json", `{"overview":"another with a number that is taken"}`, at(4)),
		file("broken.json", `{"overview":`, at(5)),
	})
	type row struct {
		number          int
		title, overview string
	}
	var rows []row
	for _, c := range got {
		rows = append(rows, row{c.Number, c.Title, c.Overview})
	}
	want := []row{{1, "Pipes | and more", "one"}, {2, "Second", "two"}, {3, "", "another with a number that is taken"}, {4, "", "early"}, {5, "By name", "late"}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("%+v", rows)
	}
	for _, c := range got {
		if !c.At.IsZero() {
			t.Errorf("the time of a file became that of checkpoint %d", c.Number)
		}
	}
}

// Only images that differ tell of an edit: an index of version 1 lists what git
// called dirty.
func TestRewindIndexTellsOfEdits(t *testing.T) {
	got, ok := rewindTouches(`{"schema":1,"snapshots":[{"timestamp":"2026-04-02T09:00:00Z","files":{
		"h1":{"path":"/src/a.go","preimage":{"kind":"content","contentHash":"1"},"postimage":{"kind":"content","contentHash":"2"}},
		"h2":{"path":"/src/b.go","preimage":{"kind":"absent"},"postimage":{"kind":"content","contentHash":"2"}},
		"h3":{"path":"/src/c.go","preimage":{"kind":"content","contentHash":"1"},"postimage":{"kind":"absent"}},
		"h4":{"path":"/src/d.go","preimage":{"kind":"content","contentHash":"1"},"postimage":{"kind":"content","contentHash":"1"}},
		"h5":{"path":"/src/e.go","preimage":{"kind":"absent"},"postimage":{"kind":"absent"}},
		"h6":{"path":"/src/f.go","gitStatus":"??"}}}]}`)
	if !ok || len(got) != 3 || got[0].Kind != sources.Edited || got[1].Kind != sources.Created || got[2].Kind != sources.Deleted || got[0].At.IsZero() {
		t.Errorf("got %+v", got)
	}
	if got, _ := rewindTouches(`{"version":1,"snapshots":[{"files":{"h1":{"gitStatus":" M"}}}],"filePathMap":{"h1":"/src/a.go"}}`); len(got) > 0 {
		t.Errorf("version 1: %+v", got)
	}
	if _, ok := rewindTouches(`[]`); ok {
		t.Error("a list is taken for an index")
	}
}
