package sourcetest

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func unicode(t *testing.T, b *bench) {
	want := []Turn{
		{"レイテンシ 📈 naïve – „so“", "right\u2028to\u2029left \u202eabc\u202c é"},
		{"tab\tquote\" backslash\\ <b> & ---\n[[link]]", "line one\n\nline two  \n\x7f"},
	}
	b.write(ids[0], want)
	b.read(b.item(ids[0]), nil).wantTurns(t, want)
}

func huge(t *testing.T, b *bench) {
	want := []Turn{{"small", strings.Repeat("ü wide answer ", 400_000) + "end"}, {"after", "still read"}}
	b.write(ids[0], want)
	b.read(b.item(ids[0]), nil).wantTurns(t, want)
}

func stable(t *testing.T, b *bench) {
	for _, id := range ids {
		b.write(id, turns(1))
	}
	before := b.list().Items
	again := b.suite.Open(b.dir)
	l, err := again.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(before, l.Items) {
		t.Errorf("two lists of one tree differ:\n%v\n%v", before, l.Items)
	}
	seen := map[string]bool{}
	for i, item := range before {
		if seen[item.Key] || i > 0 && before[i-1].Key >= item.Key {
			t.Errorf("key %q comes twice or out of order", item.Key)
		}
		seen[item.Key] = true
		if item.Source != b.source.Name() {
			t.Errorf("item of source %q", item.Source)
		}
		for j := 1; j < len(item.Parts); j++ {
			if item.Parts[j-1].Name >= item.Parts[j].Name {
				t.Errorf("parts of %q are not sorted", item.Key)
			}
		}
	}
	b.append(ids[1], 1, turns(2)[1:])
	for i, item := range b.list().Items {
		if item.Key != before[i].Key || item.Session != before[i].Session {
			t.Errorf("a grown session changed from %q to %q", before[i].Key, item.Key)
		}
		if moved := !reflect.DeepEqual(item.Parts, before[i].Parts); item.Session == ids[1] && !moved {
			t.Error("a grown session has the stamps it had before")
		} else if item.Kind == sources.KindSession && item.Session != ids[1] && moved {
			t.Errorf("the stamps of %q moved, which did not change", item.Key)
		}
	}
}

func unchanged(t *testing.T, b *bench) {
	b.write(ids[0], turns(3))
	item := b.item(ids[0])
	kept := b.read(item, nil)
	again := b.reading(item, kept)
	if again.BytesRead != 0 {
		t.Errorf("%d bytes were read of an unchanged item", again.BytesRead)
	}
	if len(again.Layers) != len(kept.layers) {
		t.Errorf("%d layers, before %d", len(again.Layers), len(kept.layers))
	}
	for _, l := range again.Layers {
		if !l.Same || l.Session != nil {
			t.Errorf("layer %q is not the same", l.Name)
		}
	}
}

func touched(t *testing.T, b *bench) {
	b.write(ids[0], turns(3))
	kept := b.read(b.item(ids[0]), nil)
	b.write(ids[0], turns(3))
	b.read(b.item(ids[0]), kept).wantEqual(t, kept)
}

func vanished(t *testing.T, b *bench) {
	b.write(ids[0], turns(1))
	item := b.item(ids[0])
	b.change(func() {
		if err := os.RemoveAll(item.Path); err != nil {
			t.Fatal(err)
		}
	})
	r, err := b.source.Read(context.Background(), item, nil)
	if err == nil && len(r.Problems) == 0 {
		t.Error("neither an error nor a problem tells of it")
	}
	for _, p := range r.Problems {
		if p.Err == nil || p.Source != b.source.Name() || p.Item == "" || p.Path == "" {
			t.Errorf("a problem that says too little: %+v", p)
		}
		if errors.Is(p.Err, context.Canceled) {
			t.Errorf("wrong reason: %v", p.Err)
		}
	}
}

func concurrent(t *testing.T, b *bench) {
	for i, id := range ids {
		b.write(id, turns(i+2))
	}
	var wg sync.WaitGroup
	for _, id := range ids {
		item := b.item(id)
		want := b.read(item, nil)
		for range 4 {
			wg.Go(func() {
				r, err := b.source.Read(context.Background(), item, nil)
				if err != nil {
					t.Error(err)
					return
				}
				keep(nil, r).wantEqual(t, want)
			})
		}
	}
	wg.Wait()
}
