package sourcetest

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// bench is a history under test and a source that reads it.
type bench struct {
	t      *testing.T
	suite  Suite
	dir    string
	source sources.Source
	clock  time.Time // modification time of the last change, long ago
	tree   string    // the tree after the last change
}

func newBench(t *testing.T, s Suite) *bench {
	b := &bench{t: t, suite: s, dir: oddFolder(t), clock: start}
	b.source = s.Open(b.dir)
	b.tree = tree(b.t, b.dir)
	return b
}

func (b *bench) write(id string, turns []Turn) {
	b.change(func() { b.suite.History.Write(b.t, b.dir, id, start, turns) })
}

func (b *bench) append(id string, n int, turns []Turn) {
	b.change(func() { b.suite.History.Append(b.t, b.dir, id, start, n, turns) })
}

// change runs a change of the history and dates every changed file by the bench's clock, so that no stamp is
// young and each change alters it.
func (b *bench) change(do func()) {
	b.t.Helper()
	b.untouched()
	before := time.Now().Add(-time.Hour)
	do()
	b.clock = b.clock.Add(time.Hour)
	err := filepath.WalkDir(b.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil || info.ModTime().Before(before) {
			return err
		}
		return os.Chtimes(path, b.clock, b.clock)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.tree = tree(b.t, b.dir)
	b.close()
}

// close ends a pass.
func (b *bench) close() {
	if c, ok := b.source.(sources.Closer); ok {
		if err := c.Close(); err != nil {
			b.t.Error(err)
		}
	}
}

// untouched requires that only the history changed the tree.
func (b *bench) untouched() {
	b.t.Helper()
	if now := tree(b.t, b.dir); now != b.tree {
		b.t.Errorf("the source tree was changed by reading:\nbefore\n%s\nafter\n%s", b.tree, now)
	}
}

func (b *bench) list() sources.Listing {
	b.t.Helper()
	l, err := b.source.List(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, p := range l.Problems {
		b.t.Errorf("problem while listing: %+v", p)
	}
	return l
}

// item returns the only item of a session.
func (b *bench) item(id string) sources.Item {
	b.t.Helper()
	var found []sources.Item
	for _, i := range b.list().Items {
		if i.Session == id && i.Kind == sources.KindSession {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		b.t.Fatalf("%d items of session %q", len(found), id)
	}
	return found[0]
}

// print returns a value that says whether an item is due, as in the engine: the stamps of its own parts, and
// a Digester's values for shared ones.
func (b *bench) print(item sources.Item) (out string) {
	b.t.Helper()
	d, able := b.source.(sources.Digester)
	for _, p := range item.Parts {
		told := fmt.Sprint(p.Stamp)
		if p.Shared && able {
			var err error
			if told, err = d.Digest(context.Background(), item, p.Name); err != nil {
				b.t.Error(err)
			}
		}
		out += fmt.Sprintf("%s %q\n", p.Name, told)
	}
	return out
}

// read reads an item.
func (b *bench) read(item sources.Item) layers {
	b.t.Helper()
	r, err := b.source.Read(context.Background(), item)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Layers
}

// layers are the layers read of a session.
type layers []sources.Layer

// best returns the session of the most authoritative layer that has turns.
func (all layers) best(t *testing.T) *sources.Session {
	t.Helper()
	var best *sources.Layer
	for i, l := range all {
		if l.Session != nil && len(l.Session.Turns) > 0 && (best == nil || l.Rank < best.Rank) {
			best = &all[i]
		}
	}
	if best == nil {
		t.Fatal("no layer has turns")
	}
	return best.Session
}

func (all layers) wantTurns(t *testing.T, want []Turn) {
	t.Helper()
	got := all.best(t).Turns
	if len(got) != len(want) {
		t.Fatalf("%d turns, want %d", len(got), len(want))
	}
	wantText(t, got, want)
}

// wantEqual requires the same sessions, byte for byte, layer for layer.
func (all layers) wantEqual(t *testing.T, want layers) {
	t.Helper()
	if len(all) != len(want) {
		t.Errorf("%d layers, want %d", len(all), len(want))
		return
	}
	for i, l := range all {
		got, err := json.Marshal(l.Session)
		if err != nil {
			t.Fatal(err)
		}
		wanted, err := json.Marshal(want[i].Session)
		if err != nil {
			t.Fatal(err)
		}
		if l.Name != want[i].Name || string(got) != string(wanted) {
			t.Errorf("layer %q differs:\ngot  %.2000s\nwant %.2000s", l.Name, got, wanted)
		}
	}
}

func wantText(t *testing.T, got []sources.Turn, want []Turn) {
	t.Helper()
	for i, w := range want {
		if got[i].User != w.User || got[i].Assistant != w.Answer {
			t.Errorf("turn %d: %.200q answered by %.200q\nwant %.200q answered by %.200q",
				i, got[i].User, got[i].Assistant, w.User, w.Answer)
		}
	}
}

// turns returns the first n turns of every session.
func turns(n int) []Turn {
	var all []Turn
	for i := range n {
		all = append(all, Turn{fmt.Sprintf("prompt number %d", i+1), fmt.Sprintf("answer number %d", i+1)})
	}
	return all
}
