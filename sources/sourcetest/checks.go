package sourcetest

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources"
)

func unicode(t *testing.T, b *bench) {
	want := []Turn{
		{"レイテンシ 📈 naïve – „so“", "right\u2028to\u2029left \u202eabc\u202c é"},
		{"tab\tquote\" backslash\\ <b> & ---\n[[link]]", "line one\n\nline two  \n\x7f"},
	}
	b.write(ids[0], want)
	b.read(b.item(ids[0])).wantTurns(t, want)
}

func huge(t *testing.T, b *bench) {
	want := []Turn{{"small", strings.Repeat("ü wide answer ", 400_000) + "end"}, {"after", "still read"}}
	b.write(ids[0], want)
	b.read(b.item(ids[0])).wantTurns(t, want)
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
	was := make([]string, len(before))
	for i, item := range before {
		was[i] = b.print(item)
	}
	b.append(ids[1], 1, turns(2)[1:])
	for i, item := range b.list().Items {
		if item.Key != before[i].Key || item.Session != before[i].Session {
			t.Errorf("a grown session changed from %q to %q", before[i].Key, item.Key)
		}
		if moved := b.print(item) != was[i]; item.Session == ids[1] && !moved {
			t.Error("a grown session has the stamps it had before")
		} else if item.Kind == sources.KindSession && item.Session != ids[1] && moved {
			t.Errorf("the stamps of %q moved, which did not change", item.Key)
		}
	}
}

func again(t *testing.T, b *bench) {
	b.write(ids[0], turns(3))
	read := b.read(b.item(ids[0]))
	b.read(b.item(ids[0])).wantEqual(t, read)
	b.write(ids[0], turns(3))
	b.source = b.suite.Open(b.dir)
	b.read(b.item(ids[0])).wantEqual(t, read)
}

func vanished(t *testing.T, b *bench) {
	b.write(ids[0], turns(1))
	item := b.item(ids[0])
	b.change(func() {
		if err := os.RemoveAll(item.Path); err != nil {
			t.Fatal(err)
		}
	})
	r, err := b.source.Read(context.Background(), item)
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
		want := b.read(item)
		for range 4 {
			wg.Go(func() {
				r, err := b.source.Read(context.Background(), item)
				if err != nil {
					t.Error(err)
					return
				}
				layers(r.Layers).wantEqual(t, want)
			})
		}
	}
	wg.Wait()
}

// identified requires ids that are valid in a line, a key and a path.
func identified(t *testing.T, b *bench) {
	for i, id := range ids {
		b.write(id, turns(i+1))
	}
	for _, id := range ids {
		s := b.read(b.item(id)).best(t)
		for _, own := range append([]string{s.ID, s.Parent}, s.Aliases...) {
			if !utf8.ValidString(own) || strings.ContainsAny(own, "\x00\t\n\r") {
				t.Errorf("session %q has the id %q", id, own)
			}
		}
		if s.ID == "" || s.ID != b.item(id).Session {
			t.Errorf("session %q says it is %q", id, s.ID)
		}
	}
}

// commands requires each command as it ran, with its exit code, in order.
func commands(t *testing.T, b *bench) {
	runner, ok := b.suite.History.(Runner)
	if !ok {
		t.Skip("its agent keeps no exit codes")
	}
	want := []Ran{{"go test ./...", 1}, {"cat > \"é.txt\" <<'EOF'\n\tone line\nEOF\nls -l | head", 0}, {"exit 127", 127}}
	b.change(func() { runner.Run(t, b.dir, ids[0], start, turns(1)[0], want) })
	tools := b.read(b.item(ids[0])).best(t).Turns[0].Tools
	if len(tools) != len(want) {
		t.Fatalf("%d calls, want %d", len(tools), len(want))
	}
	for i, tool := range tools {
		if tool.Kind != sources.ToolRun || tool.Command != want[i].Command || tool.Exit == nil || *tool.Exit != want[i].Exit {
			t.Errorf("call %d is %+v, want %+v", i, tool, want[i])
		}
	}
}
