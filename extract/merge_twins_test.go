package extract

import (
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

// A turn that three logs of a session hold stands there once for each account.
func TestThreeLogsOfOneSession(t *testing.T) {
	m := mergeLayers([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Updated: at(9), Turns: turns(said(0, "a", "Here."), said(1, "b", "One way."))}),
		layer("events", sources.RankLog, sources.Session{Updated: at(8), Turns: turns(said(0, "a", "Here."), said(1, "b", "The other way."), said(4, "d", "D."))}),
		layer("events", sources.RankLog, sources.Session{Updated: at(7), Turns: turns(said(0, "a", "Here."), said(1, "b", "The other way."), said(3, "c", "C."))}),
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
	a := layer("events", sources.RankLog, sources.Session{Updated: at(9), Turns: turns(said(0, "a", "A."))})
	b := layer("events", sources.RankLog, sources.Session{Updated: at(8), Turns: turns(said(1, "b", "B."))})
	both := mergeLayers([]sources.Layer{a, b})
	for _, one := range []sources.Layer{a, b} {
		m := mergeLayers([]sources.Layer{one})
		if !slices.Contains(both.AtHand, m.Layers[0]) {
			t.Errorf("what is made of %q cannot be made of %q", m.Layers, both.AtHand)
		}
		if !slices.ContainsFunc(both.Layers, func(name string) bool { return !slices.Contains(m.AtHand, name) }) {
			t.Errorf("what is made of %q can be made of %q", both.Layers, m.AtHand)
		}
	}
	copied := b
	copied.Session = a.Session
	if m := mergeLayers([]sources.Layer{a, copied}); !slices.Equal(m.Layers, mergeLayers([]sources.Layer{a}).Layers) {
		t.Errorf("a copy that adds nothing is told of: %q", m.Layers)
	}
}
