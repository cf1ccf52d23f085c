package sourcetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// Fuzzed reads a history of arbitrary content. It requires that reading ends, and that its data about each
// session is [Consistent] and the same when an item is read again, by the same source or another one. also
// checks further promises of a reader.
func Fuzzed(t testing.TB, open func() sources.Source, also ...func(testing.TB, *sources.Session)) {
	t.Helper()
	also = append(also, Consistent)
	once, again := told(t, open(), 2, also), told(t, open(), 1, also)
	if once != again {
		t.Fatalf("two sources read\n%s\nand\n%s", once, again)
	}
}

// told returns all data of a source. Each item is read times times.
func told(t testing.TB, s sources.Source, times int, checks []func(testing.TB, *sources.Session)) (all string) {
	t.Helper()
	defer closed(t, s)
	l, err := s.List(context.Background())
	Must(t, err)
	for _, it := range l.Items {
		digested(t, s, it)
		var first string
		for n := range times {
			now := toldOf(t, s, it, checks)
			if n == 0 {
				first = now
			} else if now != first {
				t.Fatalf("two readings differ:\n%s\n%s", first, now)
			}
		}
		all += first
	}
	return all
}

// toldOf returns the data of an item. An item that cannot be read is tried again in the next pass.
func toldOf(t testing.TB, s sources.Source, it sources.Item, checks []func(testing.TB, *sources.Session)) string {
	t.Helper()
	r, err := s.Read(context.Background(), it)
	if err != nil {
		return it.Key + " is not read\n"
	}
	for _, one := range append(r.Sessions, sources.SessionLayers{Layers: r.Layers}) {
		for _, la := range one.Layers {
			if la.Session == nil {
				if !la.Failed {
					t.Fatalf("the layer %s of %s has no session", la.Name, it.Key)
				}
				continue
			}
			for _, check := range checks {
				check(t, la.Session)
			}
		}
	}
	body, err := json.Marshal(r)
	Must(t, err)
	return fmt.Sprintf("%s %s\n", it.Key, body)
}

// digested requires a digest of whatever the item shares.
func digested(t testing.TB, s sources.Source, it sources.Item) {
	t.Helper()
	d, able := s.(sources.Digester)
	for _, p := range it.Parts {
		if p.Shared && able {
			_, err := d.Digest(context.Background(), it, p.Name)
			Must(t, err)
		}
	}
}

func closed(t testing.TB, s sources.Source) {
	t.Helper()
	if c, able := s.(sources.Closer); able {
		Must(t, c.Close())
	}
}

// Consistent requires that the data of a session fits together: each turn number names an existing turn, or
// is -1 for before the first.
func Consistent(t testing.TB, s *sources.Session) {
	t.Helper()
	if s.ID == "" || s.Agent == "" {
		t.Fatalf("session %q of agent %q", s.ID, s.Agent)
	}
	for i, turn := range s.Turns {
		if turn.Index != i {
			t.Fatalf("turn %d says it is %d", i, turn.Index)
		}
		if turn.Last < 0 || turn.Last > len(turn.Assistant) {
			t.Fatalf("the last message begins behind %d of %d bytes", turn.Last, len(turn.Assistant))
		}
		for _, tool := range turn.Tools {
			if tool.After < 0 || tool.After > len(turn.Assistant) {
				t.Fatalf("a call after %d of %d bytes", tool.After, len(turn.Assistant))
			}
		}
		if turn.Tokens != nil && (turn.Tokens.In < 0 || turn.Tokens.Out < 0) {
			t.Fatalf("tokens %+v", turn.Tokens)
		}
	}
	of := func(turn int, what any) {
		t.Helper()
		if turn < -1 || turn >= len(s.Turns) {
			t.Fatalf("of turn %d of %d: %+v", turn, len(s.Turns), what)
		}
	}
	for _, f := range s.Files {
		if of(f.Turn, f); f.Path == "" || f.Kind == "" {
			t.Fatalf("a file without a path or a kind: %+v", f)
		}
	}
	for _, r := range s.Refs {
		of(r.Turn, r)
	}
	for _, a := range s.Actions {
		of(a.Turn, a)
	}
}
