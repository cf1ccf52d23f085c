package session

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestWhoseSessionItIsTellsTheAccountWithTurns(t *testing.T) {
	log := sources.Session{Turns: turns(turn(0, "x", "y"))}
	work := sources.Session{Class: sources.Automatic, Delegated: []sources.Delegation{{ID: "1", Answer: "a"}}}
	if got := Merge([]sources.Layer{layer("work", 0, work), layer("log", 1, log)}).Session; got.Class != "" || len(got.Delegated) != 1 {
		t.Errorf("%q with %d sub-agents", got.Class, len(got.Delegated))
	}
	if got := Merge([]sources.Layer{layer("work", 0, work)}).Session; got.Class != sources.Automatic {
		t.Errorf("alone it is %q", got.Class)
	}
}

func TestSubAgentsOfTwoAccountsAreOne(t *testing.T) {
	log := sources.Session{Turns: turns(turn(0, "x", "y")), Delegated: []sources.Delegation{{ID: "b", Task: "look", At: clock(2)}, {ID: "c", At: clock(1)}}}
	own := sources.Session{Delegated: []sources.Delegation{{ID: "b", Task: "other words", Answer: "seen", Calls: 3, At: clock(3), End: clock(4)}}}
	m := Merge([]sources.Layer{layer("log", 0, log), layer("sub-agents", 1, own)})
	want := []sources.Delegation{{ID: "c", At: clock(1)}, {ID: "b", Task: "look", Answer: "seen", Calls: 3, At: clock(2), End: clock(4)}}
	expect.Deep(t, m.Session.Delegated, want)
	expect.Deep(t, m.Layers, []string{"copilot-cli/log", "copilot-cli/sub-agents"}, "told by")
}
