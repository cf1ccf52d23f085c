package session

import (
	"reflect"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
)

// What a sub-agent edited stays after a rewind of its session: its transcript stays too. Other
// files beside the log are not believed.
func TestFilesOfSubagentsStayAfterARewind(t *testing.T) {
	edit := sources.FileTouch{Path: "/w/a.go", Kind: sources.Edited, Turn: -1}
	s := Merge([]sources.Layer{
		layer("log", sources.RankLog, sources.Session{Complete: true, Rewound: true, Turns: turns(turn(0, "one", "a"))}),
		layer("subagents", sources.RankSidecar, sources.Session{Delegated: []sources.Delegation{{ID: "x"}}, Files: []sources.FileTouch{edit}}),
		layer("store", sources.RankSidecar, sources.Session{Files: []sources.FileTouch{{Path: "/w/b.go", Kind: sources.Edited, Turn: -1}}}),
	}).Session
	if len(s.Files) != 1 || s.Files[0].Path != "/w/a.go" {
		t.Errorf("%+v", s.Files)
	}
}

func TestVerdictCompletesABetterLayersTouch(t *testing.T) {
	log := sources.Session{Complete: true, Place: sources.Place{Repository: "octo-org/widget", Host: "github.com", GitRoot: "/home/dev/src/widget"}, Turns: turns(turn(0, "x", ""), turn(5, "y", "")),
		Files: []sources.FileTouch{{Path: "a.go", Kind: sources.Edited, Turn: 1}, {Path: "b.go", Kind: sources.Edited, Turn: 0}}}
	log.Turns[0].ID, log.Turns[1].ID = "r1", "r2"
	edits := sources.Session{Files: []sources.FileTouch{
		{Path: "/home/dev/src/widget/a.go", Kind: sources.Edited, Turn: -1, TurnID: "r2", Verdict: sources.Rejected},
		{Path: "b.go", Kind: sources.Edited, Turn: -1, Verdict: sources.Accepted},
		{Path: "c.go", Kind: sources.Created, Turn: -1, TurnID: "r1", Verdict: sources.Rejected},
		{Path: "d.go", Kind: sources.Created, Turn: -1, TurnID: "undone"},
	}}
	m := Merge([]sources.Layer{layer("events", 0, log), layer("edits", 1, edits)})
	want := []sources.FileTouch{
		{Path: "a.go", Kind: sources.Edited, Turn: 1, Verdict: sources.Rejected}, {Path: "b.go", Kind: sources.Edited, Turn: 0, Verdict: sources.Accepted},
		{Path: "c.go", Kind: sources.Created, Turn: 0, Verdict: sources.Rejected},
	}
	if !reflect.DeepEqual(m.Session.Files, want) {
		t.Errorf("got  %+v\nwant %+v", m.Session.Files, want)
	}
	var undone []string
	for _, u := range content.Files(&m.Session) {
		if u.Undone {
			undone = append(undone, u.Path)
		}
	}
	if !reflect.DeepEqual(undone, []string{"c.go", "a.go"}) {
		t.Errorf("undone are %q", undone)
	}
	log.Rewound, log.Turns = true, log.Turns[:1]
	m = Merge([]sources.Layer{layer("events", 0, log), layer("edits", 1, edits)})
	for _, f := range m.Session.Files {
		if f.Path == "d.go" || f.Verdict == sources.Accepted {
			t.Errorf("%+v came in after a rewind", f)
		}
	}
}
