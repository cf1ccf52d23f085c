package copilotcli

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// FuzzSidecars reads arbitrary files beside a log: nothing panics, every number
// of a checkpoint is its own, and the same files give the same session.
func FuzzSidecars(f *testing.F) {
	f.Add("id: x\nname: Fix: the #1 bug\nuser_named: true\ncwd: /home/ada\n", "| # | Title | File |\n|---|---|---|\n| 1 | A | b | 001-a.md |\n",
		"<overview>\na\n</overview>", `{"number":1,"title":"T","overview":["a",{"b":1}]}`)
	f.Add("a: &a [x]\nname: *a\n<<: *a", "| 99999999999999999999 | | |", "\ufeff", `{"overview":"a","number":"-3","created_at":1e300}`)
	f.Fuzz(func(t *testing.T, workspace, index, markdown, document string) {
		read := func() string {
			s := &sources.Session{}
			w, _ := words.FlatYAML(workspace)
			applyWorkspace(s, w, "")
			applyMetadata(s, document)
			s.Files, _ = rewindTouches(document)
			s.Checkpoints = checkpoints([]checkpointFile{{name: "index.md", text: index}, {name: "001-a.md", text: markdown, mtime: time.Unix(2, 0)},
				{name: "002-b.json", text: document, mtime: time.Unix(1, 0)}, {name: "x.md", text: workspace}})
			seen := map[int]bool{}
			for _, c := range s.Checkpoints {
				if c.Number <= 0 || seen[c.Number] {
					t.Errorf("number %d", c.Number)
				}
				seen[c.Number] = true
			}
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if a, b := read(), read(); a != b {
			t.Errorf("%s\nand then\n%s", a, b)
		}
	})
}
