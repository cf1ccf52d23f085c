package extract

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var poisonAll = flag.Bool("poison.all", false, "each field holds every odd value once")

// poisons are values at the ends of a type, and beyond what anybody means by it.
func poisons(v reflect.Value) (all []any) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		for _, year := range []int{-1, 0, 1, 1969, 9998, 9999, 10000, 292277026596} {
			all = append(all, time.Date(year, 12, 31, 23, 59, 59, 1, time.UTC))
		}
		return append(all, time.Date(9999, 12, 27, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 1, 0, 0, 0, 0, time.FixedZone("", 14*3600)), time.Unix(math.MaxInt64, 0))
	}
	switch v.Kind() {
	case reflect.String:
		for _, s := range []string{"", " ", "\x00", "\xff\xfe", "a\u202eb", "\n---\nid: x\n---\n", "..", "/", strings.Repeat("a", 300), strings.Repeat("[[x]] ", 2000), "%% /sessionloom body 0123456789abcdef %%"} {
			all = append(all, reflect.ValueOf(s).Convert(v.Type()).Interface())
		}
	case reflect.Int, reflect.Int64:
		for _, n := range []int64{0, -1, 1, 7, 1e18, math.MinInt64, math.MaxInt64} {
			all = append(all, reflect.ValueOf(n).Convert(v.Type()).Interface())
		}
	case reflect.Float64:
		all = append(all, math.NaN(), math.Inf(1), math.Copysign(0, -1), 1e308)
	case reflect.Bool:
		all = append(all, !v.Bool())
	}
	return all
}

// leaves calls visit for each value below v that holds no other, with its name.
func leaves(v reflect.Value, name string, visit func(string, reflect.Value)) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time](), v.Type() == reflect.TypeFor[[]byte]():
		visit(name, v)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), name+"."+v.Type().Field(i).Name, visit)
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", name, i), visit)
		}
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			leaves(v.Elem(), name, visit)
		}
	default:
		visit(name, v)
	}
}

// furnished is a session that has one of everything.
func furnished(id string, at time.Time) sources.Session {
	yes := true
	return sources.Session{
		ID: id, Agent: "tale", Title: "Everything", TitleFrom: sources.TrustNamed, Summary: "All of it.", SummaryFrom: sources.TrustNamed, Complete: true,
		Place:  sources.Place{Cwd: "/home/dev/src/widget", GitRoot: "/home/dev/src/widget", Repository: "octo-org/widget", Host: "github.com", HostType: "github", Branch: "main", BaseBranch: "main", Workspace: "/home/dev/a.code-workspace", Folders: []string{"/home/dev/src/widget"}},
		Models: []string{"gpt"}, Created: at, Updated: at, Parent: "nobody", Aliases: []string{"another"}, Damage: []string{"torn"}, Supersedes: []string{"tale/other"},
		Turns: []sources.Turn{{ID: "t-" + id, At: at, End: at, User: "prompt of " + id, Assistant: "answer", Model: "gpt", Mode: "plan", Agent: "a", Status: sources.Failed, Error: "no", Tokens: &sources.Tokens{In: 1, Out: 2},
			Attachments: []sources.Attachment{{Kind: "file", Name: "a.go"}}, Citations: []sources.Citation{{License: "MIT", Value: "x"}},
			Tools: []sources.Tool{{Name: "bash", Kind: sources.ToolOther, Detail: "ls", OK: &yes}, {Name: "task", Kind: sources.ToolOther, Detail: "go", After: 2, Within: 1}}}},
		Distilled:   []sources.Distillate{{By: "claude", At: at, Of: "0", Lines: []sources.Distilled{{Kind: "learned", Text: "x", Quote: "prompt of " + id, Turn: 0}}}},
		Checkpoints: []sources.Checkpoint{{Number: 1, Title: "One", At: at, Overview: "o", History: "h", WorkDone: "w", Technical: "t", Important: "i", NextSteps: "- go on", Raw: "r"}},
		Artifacts:   []sources.Artifact{{Kind: sources.File, Name: "x.md", At: at, Text: "- [ ] box", Size: 9, Left: "cut"}},
		Todos:       []sources.Todo{{ID: "1", Title: "do", Status: sources.TodoOpen, Raw: "r", Origin: "db", Description: "d", After: []string{"0"}, At: at}},
		Files:       []sources.FileTouch{{Path: "/home/dev/src/widget/a.go", Kind: sources.Edited, Tool: "edit", TurnID: "t-" + id, At: at, Verdict: sources.Accepted}},
		Refs:        []sources.Ref{{Type: sources.PR, Value: "7", Text: "x", Repo: "github.com/octo-org/widget"}},
	}
}

// Whatever one field of one session holds, all other sessions have their notes,
// what failed is told and a second pass changes nothing.
func TestOnePoisonedFieldHarmsNoOther(t *testing.T) {
	b, w := newBench(t), newFakeSource()
	r := rand.New(rand.NewPCG(3, 5))
	add := func(poison func(*sources.Session)) string {
		id := fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), len(w.sessions))
		s := furnished(id, w.tick(time.Hour))
		poison(&s)
		w.sessions[id] = &fixture{s: s, version: 1}
		return id
	}
	var fields int
	someOf := func(all []any) (some []any) { // a third of them, each field others
		fields++
		for i, poison := range all {
			if *poisonAll || (i+fields)%3 == 0 {
				some = append(some, poison)
			}
		}
		return some
	}
	none := func(*sources.Session) {}
	good := []string{add(none)}
	whole := furnished("x", w.clock)
	leaves(reflect.ValueOf(&whole).Elem(), "Session", func(name string, v reflect.Value) {
		if name == "Session.ID" || name == "Session.IsMemory" { // told by the item
			return
		}
		for _, poison := range someOf(poisons(v)) {
			add(func(s *sources.Session) {
				leaves(reflect.ValueOf(s).Elem(), "Session", func(other string, field reflect.Value) {
					if other == name {
						field.Set(reflect.ValueOf(poison))
					}
				})
			})
		}
	})
	add(func(s *sources.Session) { s.Turns[0].User = strings.Repeat("many words ", 1<<17) })
	good = append(good, add(none))

	first := expect.Value(b.sync(w))(t)
	for _, p := range first.Problems {
		t.Errorf("%s %s: %s", p.Item, p.Path, p.Error)
	}
	for _, id := range good {
		if !strings.Contains(b.text(names.SessionID(id)), "prompt of "+id) {
			t.Errorf("the note of %s does not tell it", id)
		}
	}
	expect.Is(t, len(b.ids("session:")), len(w.sessions), "sessions", "notes")
	before := tree(t, b.vault)
	if again := b.mustSync(w); len(again.Changed) > 0 {
		t.Errorf("the second pass changes %v", again.Changed)
	}
	expect.Is(t, differences(before, tree(t, b.vault)), "", "the second pass writes")
}

// A fault of ours that one session meets costs the notes of that session alone,
// and only until it is mended.
func TestAPanicHarmsNoOther(t *testing.T) {
	b, w := newBench(t), newFakeSource()
	r := rand.New(rand.NewPCG(3, 5))
	bad, good := w.begin(r), w.begin(r)
	b.refuses = func(s *sources.Session) bool {
		if s.ID == bad.s.ID {
			panic("nobody thought of this")
		}
		return false
	}
	first, err := b.sync(w)
	if err != nil || !first.Part() || len(first.Problems) != 1 || !strings.Contains(first.Problems[0].Error, "nobody thought of this") {
		t.Fatalf("%v: %v", err, first.Problems)
	}
	b.text(names.SessionID(good.s.ID))
	b.refuses = nil
	if r := b.mustSync(w); r.Part() {
		t.Errorf("it is not mended: %v", r.Problems)
	}
	b.text(names.SessionID(bad.s.ID))
}
