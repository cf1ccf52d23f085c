package builder

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// acts tells n acts of every kind in a session: one prompt for all, or one for each few.
func acts(n, each int) *sources.Session {
	b := told()
	for i := range n {
		b.At(noon.Add(time.Duration(i) * time.Second))
		if b.Turn() == nil || i%each == 0 {
			b.Prompt(Prompt{ID: fmt.Sprint("p", i), Text: fmt.Sprint("prompt ", i)})
		}
		t, id := b.Work(), fmt.Sprint("c", i)
		switch i % 10 {
		case 0:
			t.SayIn(fmt.Sprint("m", i), fmt.Sprint("words ", i), Answer)
		case 1:
			t.Call(Call{ID: id, Name: "Edit", Args: &tools.Arguments{Path: fmt.Sprintf("/w/%d.go", i)}})
			b.Result(id, Result{OK: new(true)})
		case 2:
			t.Call(Call{ID: id, Name: "Bash", Args: &tools.Arguments{Command: tools.Command{Text: fmt.Sprintf("git commit -qm 'commit %d' && git restore %d.go", i, i-1)}}})
			b.Result(id, Result{Exit: new(0)})
		case 3:
			b.Result(id, Result{OK: new(true)}) // in front of its call
			t.Call(Call{ID: id, Name: "TodoWrite", Args: &tools.Arguments{Merge: true, Todos: tools.List{Items: []tools.Todo{{ID: decode.Scalar{Text: id}, Title: "one"}}}}})
		case 4:
			t.Call(Call{ID: id, Name: "Task", Args: &tools.Arguments{Prompt: "do it"}})
		case 5:
			b.Result(fmt.Sprint("c", i-1), Result{Text: "done"})
		case 6:
			b.Checkpoint(sources.Checkpoint{Raw: fmt.Sprint("so far ", i)})
		case 7:
			b.Act(sources.ActionCommand, "/context")
		case 8:
			b.Insert(t, noon, Prompt{Text: fmt.Sprint("queued ", i)})
		case 9:
			if i%1000 == 999 && each < 1000 {
				b.Rewind(5)
			}
			b.Artifact(sources.Artifact{Kind: sources.Plan, Name: "plan.md", Text: fmt.Sprint("plan ", i)})
		}
	}
	return b.Finish()
}

// TestManyActs makes sessions of many acts: twice as many allocate no more than about twice as
// much, and all of them are there.
func TestManyActs(t *testing.T) {
	for _, each := range []int{7, 1 << 30} {
		measure := func(n int) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := acts(n, each)
			runtime.ReadMemStats(&after)
			if len(s.Checkpoints) == 0 || len(s.Turns) == 0 {
				t.Fatal("nothing of it is there")
			}
			return after.TotalAlloc - before.TotalAlloc
		}
		if one, two := measure(10_000), measure(20_000); two > one*5/2 {
			t.Errorf("%d acts a turn: %d bytes, of twice as many %d", each, one, two)
		}
	}
}

func BenchmarkActs(b *testing.B) {
	for _, each := range []int{7, 1 << 30} {
		b.Run(fmt.Sprint(each), func(b *testing.B) {
			for b.Loop() {
				acts(100_000, each)
			}
		})
	}
}
