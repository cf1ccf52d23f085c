package session

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func forkPair() (child, parent *sources.Session) {
	plan := sources.Artifact{Kind: sources.Plan, Name: "plan.md", Text: "p"}
	one := sources.Checkpoint{Number: 1, Overview: "o", WorkDone: "w", At: clock(1)}
	parent = &sources.Session{ID: "parent", Created: clock(0), Turns: turns(sources.Turn{ID: "e1"}, sources.Turn{ID: "e2"}),
		Artifacts: []sources.Artifact{plan, {Kind: sources.File, Name: "a.txt", Text: "old"}}, Checkpoints: []sources.Checkpoint{one}}
	child = &sources.Session{ID: "child", Created: clock(5), Turns: turns(sources.Turn{ID: "e1"}, sources.Turn{ID: "e2"}, sources.Turn{ID: "f3"}),
		Artifacts:   []sources.Artifact{plan, {Kind: sources.File, Name: "a.txt", Text: "new"}},
		Checkpoints: []sources.Checkpoint{{Number: 1, Overview: "o", WorkDone: "w", At: clock(9)}, {Number: 2, Overview: "own"}},
		Files:       []sources.FileTouch{{Path: "a", Turn: 0}, {Path: "b", Turn: 2}, {Path: "c", Turn: -1}},
		Refs:        []sources.Ref{{Value: "1", Turn: 1}, {Value: "2", Turn: 2}}}
	return child, parent
}

func TestForkKeepsOnlyItsOwn(t *testing.T) {
	child, parent := forkPair()
	stripInherited(child, parent)
	want := &sources.Session{ID: "child", Created: clock(5), Parent: "parent", Turns: turns(sources.Turn{ID: "f3"}),
		Artifacts:   []sources.Artifact{{Kind: sources.File, Name: "a.txt", Text: "new"}},
		Checkpoints: []sources.Checkpoint{{Number: 2, Overview: "own"}},
		Files:       []sources.FileTouch{{Path: "b", Turn: 0}, {Path: "c", Turn: -1}},
		Refs:        []sources.Ref{{Value: "2", Turn: 0}}}
	expect.Deep(t, child, want)
	_, untouched := forkPair()
	expect.Deep(t, parent, untouched, "the parent was changed")
	stripInherited(child, parent)
	expect.Deep(t, child, want, "stripping twice")
}

// A client may give the copied turns new ids; their times stay.
func TestForkWithNewIDs(t *testing.T) {
	child, parent := forkPair()
	for i := range parent.Turns {
		parent.Turns[i].At = clock(i + 1).Add(time.Millisecond)
		child.Turns[i].At, child.Turns[i].ID = parent.Turns[i].At, "n"+child.Turns[i].ID
	}
	if of, from := FirstTurn(child.Turns), FirstTurn(parent.Turns); of != from {
		t.Errorf("%q is not found by %q", of, from)
	}
	if stripInherited(child, parent); len(child.Turns) != 1 || child.Turns[0].ID != "f3" {
		t.Errorf("%+v", child.Turns)
	}
}

// A turn that continued after the fork stays, without what was decided in it before.
func TestForkLeavesActsToItsParent(t *testing.T) {
	child, parent := forkPair()
	asked, later := sources.Act{Kind: sources.ActAsked, Turn: 1, Text: "Which?", Answer: "one", At: clock(1)}, sources.Act{Kind: sources.ActAsked, Turn: 2, Text: "Which?", Answer: "two", At: clock(6)}
	parent.Acts, child.Acts = []sources.Act{asked}, []sources.Act{asked, later}
	child.Acts[0].Turn = 2
	stripInherited(child, parent)
	if len(child.Acts) != 1 || child.Acts[0].Answer != "two" || child.Acts[0].Turn != 0 {
		t.Errorf("%+v", child.Acts)
	}
}

func TestWhatIsNoForkStays(t *testing.T) {
	for name, change := range map[string]func(child, parent *sources.Session){
		"older than its parent": func(c, p *sources.Session) { c.Created = p.Created.Add(-1) },
		"other turns":           func(c, _ *sources.Session) { c.Turns[0].ID = "x" },
		"turns without ids":     func(c, p *sources.Session) { c.Turns[0].ID, p.Turns[0].ID = "", "" },
		"another's child":       func(c, _ *sources.Session) { c.Parent = "else" },
		"itself":                func(c, p *sources.Session) { p.ID = c.ID },
	} {
		child, parent := forkPair()
		change(child, parent)
		want, _ := forkPair()
		change(want, parent)
		stripInherited(child, parent)
		expect.Deep(t, child, want, name)
	}
}

// What a parent available no longer tells stays in its fork, wherever it is there.
func TestForkKeepsWhatItsParentForgot(t *testing.T) {
	child, parent := forkPair()
	child.Parent = parent.ID
	for i := range child.Turns[:2] {
		child.Turns[i].Inherited = true
	}
	parent.Turns = turns(sources.Turn{ID: "e2"})
	parent.Checkpoints, parent.Artifacts = nil, nil
	parent.Files = []sources.FileTouch{{Path: "c", Turn: -1, At: clock(3)}}
	child.Files = append(child.Files, parent.Files...)
	stripInherited(child, parent)
	if len(child.Turns) != 2 || child.Turns[0].ID != "e1" || child.Turns[1].Index != 1 || len(child.Checkpoints) != 2 || len(child.Artifacts) != 2 {
		t.Errorf("got %+v", child)
	}
	want := []sources.FileTouch{{Path: "a", Turn: 0}, {Path: "b", Turn: 1}, {Path: "c", Turn: -1}}
	if !reflect.DeepEqual(child.Files, want) || !reflect.DeepEqual(child.Refs, []sources.Ref{{Value: "2", Turn: 1}}) {
		t.Errorf("got %+v, %+v", child.Files, child.Refs)
	}
}

func TestMarkedForkHasNoSharedTurns(t *testing.T) {
	child, parent := forkPair()
	child.Parent, child.Turns = parent.ID, turns(sources.Turn{ID: "f3"})
	child.Files, child.Refs = nil, nil
	stripInherited(child, parent)
	if len(child.Turns) != 1 || len(child.Artifacts) != 1 || len(child.Checkpoints) != 1 {
		t.Errorf("got %+v", child)
	}
}

// A turn that was copied is shown but once as long as nothing is lost by it.
func TestTurnThatSaysMoreIsNoRepetition(t *testing.T) {
	full := sources.Turn{ID: "e1", User: "Build it", Assistant: "Built with make.", Error: "out of quota",
		Tools:       []sources.Tool{{Name: "bash", Detail: "make all"}, {Name: "edit", Detail: "src/main.go"}},
		Attachments: []sources.Attachment{{Kind: "image", Name: "image.png", Content: []byte("a cat")}},
		Citations:   []sources.Citation{{License: "MIT", Value: "x"}}}
	for name, change := range map[string]func(*sources.Turn){
		"prompt":            func(n *sources.Turn) { n.User = "Build it twice" },
		"answer":            func(n *sources.Turn) { n.Assistant += " And tested." },
		"error":             func(n *sources.Turn) { n.Error = "out of memory" },
		"tool":              func(n *sources.Turn) { n.Tools[0].Name = "sh" },
		"call":              func(n *sources.Turn) { n.Tools = append(n.Tools, sources.Tool{Name: "bash"}) },
		"command":           func(n *sources.Turn) { n.Tools[0].Detail = "sudo make all" },
		"path in a command": func(n *sources.Turn) { n.Tools[1].Detail = "rm -r old/src/main.go" },
		"other picture":     func(n *sources.Turn) { n.Attachments[0].Content = []byte("a dog") },
		"other file":        func(n *sources.Turn) { n.Attachments[0].Name = "else.png" },
		"citation":          func(n *sources.Turn) { n.Citations[0].License = "GPL" },
	} {
		child := full
		child.Tools, child.Attachments, child.Citations = slices.Clone(full.Tools), slices.Clone(full.Attachments), slices.Clone(full.Citations)
		if change(&child); repeats(child, full) {
			t.Errorf("%s: nothing of the copy is shown", name)
		}
		bare := sources.Turn{ID: "e1", User: "Build it", Tools: []sources.Tool{{Name: "bash"}}}
		if repeats(full, bare) || !repeats(bare, full) {
			t.Error("what is still going on says less")
		}
	}
	far := full
	far.Tools = []sources.Tool{full.Tools[0], {Name: "edit", Detail: "/home/dev/widget/src/main.go"}}
	if !repeats(far, full) || !repeats(full, far) {
		t.Error("a path is not told from where another account starts")
	}
}
