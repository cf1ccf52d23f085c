package session

import (
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What a sub-agent edited and committed stays after a rewind of its session: its transcript stays too. Other
// files and commits beside the log are not believed.
func TestWorkOfSubagentsStaysAfterARewind(t *testing.T) {
	edit := sources.FileTouch{Path: "/w/a.go", Kind: sources.Edited, Turn: -1}
	s := Merge([]sources.Layer{
		layer("log", sources.RankLog, sources.Session{Complete: true, Rewound: true, Turns: turns(turn(0, "one", "a"))}),
		layer("subagents", sources.RankSidecar, sources.Session{Delegated: []sources.Delegation{{ID: "x"}}, Files: []sources.FileTouch{edit},
			Refs: []sources.Ref{{Type: sources.Commit, Value: "0a1b2c3", Turn: -1}}}),
		layer("store", sources.RankSidecar, sources.Session{Files: []sources.FileTouch{{Path: "/w/b.go", Kind: sources.Edited, Turn: -1}},
			Refs: []sources.Ref{{Type: sources.Commit, Value: "0a1b2c4", Turn: -1}}}),
	}).Session
	if len(s.Files) != 1 || s.Files[0].Path != "/w/a.go" || len(s.Refs) != 1 || s.Refs[0].Value != "0a1b2c3" {
		t.Errorf("%+v, %+v", s.Files, s.Refs)
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
	expect.Deep(t, m.Session.Files, want)
	var undone []string
	for _, u := range content.Files(&m.Session) {
		if u.Undone {
			undone = append(undone, u.Path)
		}
	}
	expect.Deep(t, undone, []string{"c.go", "a.go"}, "undone")
	log.Rewound, log.Turns = true, log.Turns[:1]
	m = Merge([]sources.Layer{layer("events", 0, log), layer("edits", 1, edits)})
	for _, f := range m.Session.Files {
		if f.Path == "d.go" || f.Verdict == sources.Accepted {
			t.Errorf("%+v came in after a rewind", f)
		}
	}
}

// An editor notes that a file changed, be it by the call that created it: that is not an edit of its own.
func TestEditsBesideACreatedFile(t *testing.T) {
	touch := func(path, kind string, turn int) sources.FileTouch {
		return sources.FileTouch{Path: path, Kind: kind, Turn: turn}
	}
	noted := func(path, kind, turn string) sources.FileTouch {
		return sources.FileTouch{Path: path, Kind: kind, Turn: -1, TurnID: turn, Verdict: sources.Accepted}
	}
	log := sources.Session{Complete: true, Turns: turns(turn(0, "x", ""), turn(5, "y", "")),
		Files: []sources.FileTouch{touch("a.go", sources.Created, 0), touch("b.go", sources.Created, 0), touch("b.go", sources.Edited, 0)}}
	log.Turns[0].ID, log.Turns[1].ID = "r1", "r2"
	got := Merge([]sources.Layer{layer("log", sources.RankLog, log), layer("edits", sources.RankSidecar, sources.Session{Files: []sources.FileTouch{
		noted("a.go", sources.Edited, "r1"), noted("a.go", sources.Edited, "r2"), noted("b.go", sources.Edited, "r1"),
		noted("c.go", sources.Created, "r2"), noted("c.go", sources.Edited, "r2"), noted("d.go", sources.Deleted, "r2"),
	}})}).Session.Files
	accepted := func(f sources.FileTouch) sources.FileTouch { f.Verdict = sources.Accepted; return f }
	want := []sources.FileTouch{accepted(touch("a.go", sources.Created, 0)), touch("b.go", sources.Created, 0), accepted(touch("b.go", sources.Edited, 0)),
		accepted(touch("a.go", sources.Edited, 1)), accepted(touch("c.go", sources.Created, 1)), accepted(touch("d.go", sources.Deleted, 1))}
	expect.Deep(t, got, want)
}
