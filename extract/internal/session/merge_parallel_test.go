package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// said is a turn with an id.
func said(minute int, id, assistant string) sources.Turn {
	t := turn(minute, "prompt "+id, assistant)
	t.ID = id
	return t
}

// A turn that three logs of a session hold is there once for each account.
func TestThreeLogsOfOneSession(t *testing.T) {
	m := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Updated: clock(9), Turns: turns(said(0, "a", "Here."), said(1, "b", "One way."))}),
		layer("events", sources.RankLog, sources.Session{Updated: clock(8), Turns: turns(said(0, "a", "Here."), said(1, "b", "The other way."), said(4, "d", "D."))}),
		layer("events", sources.RankLog, sources.Session{Updated: clock(7), Turns: turns(said(0, "a", "Here."), said(1, "b", "The other way."), said(3, "c", "C."))}),
	})
	var got []string
	for _, n := range m.Session.Turns {
		got = append(got, n.Assistant)
	}
	if want := []string{"Here.", "One way.", "The other way.", "C.", "D."}; !slices.Equal(got, want) {
		t.Errorf("turns are %q, want %q", got, want)
	}
}

// A note that was made of several logs is not made from fewer.
func TestSeveralLogsAreToldApart(t *testing.T) {
	a := layer("events", sources.RankLog, sources.Session{Updated: clock(9), Turns: turns(said(0, "a", "A."))})
	b := layer("events", sources.RankLog, sources.Session{Updated: clock(8), Turns: turns(said(1, "b", "B."))})
	both := Merge([]sources.Layer{a, b})
	for _, one := range []sources.Layer{a, b} {
		m := Merge([]sources.Layer{one})
		if !slices.Contains(both.Available, m.Layers[0]) {
			t.Errorf("what is made of %q cannot be made of %q", m.Layers, both.Available)
		}
		if !slices.ContainsFunc(both.Layers, func(name string) bool { return !slices.Contains(m.Available, name) }) {
			t.Errorf("what is made of %q can be made of %q", both.Layers, m.Available)
		}
	}
	copied := b
	copied.Session = a.Session
	if m := Merge([]sources.Layer{a, copied}); !slices.Equal(m.Layers, Merge([]sources.Layer{a}).Layers) {
		t.Errorf("a copy that adds nothing is told of: %q", m.Layers)
	}
}

// Whatever logs of a session say is reported, in the order of each.
func TestLogsOfOneSessionLoseNothing(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		logs := make([][]sources.Turn, 2+r.IntN(3))
		for n := range 1 + r.IntN(8) { // what was said before the folder was copied, and after
			for i := range logs {
				switch id := string(rune('a' + n)); r.IntN(6) {
				case 0: // this one has it not
				case 1:
					logs[i] = append(logs[i], said(n, id, "Built."), said(n, fmt.Sprint(id, i), "Only here."))
				case 2:
					logs[i] = append(logs[i], said(n, id, fmt.Sprint("Built by ", r.IntN(2), ".")))
				case 3:
					logs[i] = append(logs[i], said(n, id, ""))
				default:
					logs[i] = append(logs[i], said(n, id, "Built."))
				}
			}
		}
		var layers []sources.Layer
		for i, log := range logs {
			layers = append(layers, layer("events", sources.RankLog, sources.Session{Updated: clock(r.IntN(4)), Turns: turns(log...), Damage: make([]string, i%2)}))
		}
		m := Merge(layers)
		seen := map[string]bool{}
		for _, n := range m.Session.Turns {
			if one := n.ID + n.Assistant; seen[one] {
				t.Errorf("seed %d: %q of %s stands there twice", seed, n.Assistant, n.ID)
			} else {
				seen[one] = true
			}
		}
		for i, log := range logs {
			next := 0
			for _, n := range log {
				for next < len(m.Session.Turns) && !repeats(n, m.Session.Turns[next]) {
					next++
				}
				if next == len(m.Session.Turns) {
					t.Fatalf("seed %d: of log %d %q of %s is lost or out of order", seed, i, n.Assistant, n.ID)
				}
			}
		}
	}
}
