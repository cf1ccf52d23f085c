package ledger

import (
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func opened(t *testing.T) *Ledger {
	t.Helper()
	l := expect.Value(Open(t.TempDir(), Options{}))(t)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// put stores a layer and reports whether that changed anything.
func put(t *testing.T, l *Ledger, id string, it sources.Item, la sources.Layer) bool {
	t.Helper()
	p := expect.Value(l.Pack(la.Session))(t)
	return l.PutLayer(id, it, la, p)
}

func TestRankOfAnEqualLayerIsKeptUpToDate(t *testing.T) {
	l := opened(t)
	it := sources.Item{Source: "tale", Key: "a", Kind: sources.KindSession}
	la := sources.Layer{Name: "tale/chat", Rank: sources.RankLog, Session: &sources.Session{ID: "s"}}
	if !put(t, l, "s", it, la) || put(t, l, "s", it, la) {
		t.Error("only the first time does it change anything")
	}
	la.Rank = sources.RankSidecar
	if !put(t, l, "s", it, la) {
		t.Error("another rank makes another session, and nobody is told")
	}
	layers := l.Layers("s")
	if len(layers) != 1 || layers[0].Rank != sources.RankSidecar {
		t.Errorf("kept is %+v", layers)
	}
}

func TestLayersUnderOtherIdsAreThoseOfTheSession(t *testing.T) {
	l := opened(t)
	put(t, l, "s", sources.Item{Source: "tale", Key: "a"}, sources.Layer{Name: "tale/log", Session: &sources.Session{ID: "s", Aliases: []string{"x", "y"}}})
	put(t, l, "x", sources.Item{Source: "tale", Key: "b"}, sources.Layer{Name: "tale/transcript", Rank: sources.RankStore, Session: &sources.Session{ID: "x"}})
	claims := l.AliasCandidates()
	expect.List(t, claims, []identity.AliasCandidate{{By: "s", Of: "x"}, {By: "s", Of: "y"}}, "claims")
	count := func(id string, want int) {
		t.Helper()
		expect.Is(t, l.LayerCount(id), want, "layers", id)
	}
	count("s", 1)
	l.PutAlias("x", "s")
	count("s", 2)
	expect.Is(t, l.CanonicalID("x"), "s", "x belongs to")
	l.PutAlias("x", "x")
	count("s", 1)
	count("x", 1)
}

// A session of an agent that went on for weeks is kept as any other.
func TestLongSessionIsReadAgain(t *testing.T) {
	const calls = 200_000
	l := opened(t)
	s := &sources.Session{ID: "s", Turns: []sources.Turn{{Tools: make([]sources.Tool, calls)}}}
	put(t, l, "s", sources.Item{Source: "tale", Key: "a", Kind: sources.KindSession}, sources.Layer{Name: "tale/log", Session: s})
	layers := l.Layers("s")
	must(t, l.Failed())
	if len(layers) != 1 || len(layers[0].Session.Turns) != 1 || len(layers[0].Session.Turns[0].Tools) != calls {
		t.Error("it came back otherwise")
	}
}

func TestCountPassesOverNotesWithoutATime(t *testing.T) {
	l, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	l.run("INSERT INTO notes(id, type, created, updated) VALUES('a', 'session', '', ''), ('b', 'session', '2026-03-02', '2026-03-03'), ('c', 'session', '2026-03-01', '2026-03-01')")
	if n, first, last := l.Count("session"); n != 3 || first != "2026-03-01" || last != "2026-03-03" {
		t.Errorf("%d sessions from %q to %q", n, first, last)
	}
}
