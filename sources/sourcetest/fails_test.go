package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata"
)

// recorder is a test of which is known only whether it failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Fatalf(string, ...any) { r.failed = true; panic(r) }
func (r *recorder) Fatal(...any)          { r.failed = true; panic(r) }

// fails tells whether a check does.
func fails(t *testing.T, check func(testing.TB)) bool {
	r := &recorder{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(r) {
				panic(p)
			}
		}()
		check(r)
	}()
	return r.failed
}

// memory is a source of one session, whose answer may be another one with each reading.
type memory struct {
	answer   func() string
	problems []sources.Problem
}

func (memory) Name() string { return "memory" }

func (m memory) List(context.Context) (sources.Listing, error) {
	return sources.Listing{Items: []sources.Item{{Source: "memory", Key: "one", Kind: sources.KindSession, Session: ids[0]}}}, nil
}

func (m memory) Read(context.Context, sources.Item) (sources.Reading, error) {
	s := &sources.Session{ID: ids[0], Agent: "memory", Created: start, Turns: []sources.Turn{{At: start, User: "ask", Assistant: m.answer(), Status: sources.Complete}}}
	return sources.Reading{Layers: []sources.Layer{{Name: "memory/log", Rank: sources.RankLog, Session: s}}, Problems: m.problems}, nil
}

var troubled = memory{func() string { return "x" }, []sources.Problem{{Err: errors.New("damage"), Fatal: true}}}

func always(answer string) sources.Source {
	return memory{answer: func() string { return answer }}
}

// counting answers another number in each reading.
func counting() sources.Source {
	n := 0
	return memory{answer: func() string { n++; return fmt.Sprint(n) }}
}

// differingAfter opens so many sources that tell the same, then others.
func differingAfter(n int) func() sources.Source {
	opened := 0
	return func() sources.Source {
		opened++
		return always(fmt.Sprint(opened > n))
	}
}

func all[A, B any](each func(func(A, B) bool)) { each(func(A, B) bool { return true }) }

// finds demands that these checks fail.
func finds(t *testing.T, checks map[string]func(testing.TB)) {
	t.Helper()
	for what, check := range checks {
		if !fails(t, check) {
			t.Errorf("%s is not found", what)
		}
	}
}

func TestWhatIsWellPasses(t *testing.T) {
	steady := func() sources.Source { return always("x") }
	for what, check := range map[string]func(testing.TB){
		"a vault":   func(t testing.TB) { NewVault(t).SyncAsFresh("grown", steady) },
		"no secret": standing("a.txt", "nothing"),
		"a history": func(t testing.TB) { Fuzzed(t, steady) },
		"no change": func(t testing.TB) { Untouched(t, ".")() },
	} {
		if fails(t, check) {
			t.Errorf("%s fails", what)
		}
	}
}

func TestReadingsThatAreWrongAreFound(t *testing.T) {
	promise := func(t testing.TB, _ *sources.Session) { t.Fatal() }
	finds(t, map[string]func(testing.TB){
		"a problem":               func(t testing.TB) { all(Readings(t, troubled)) },
		"another reading":         func(t testing.TB) { Golden(t, always("x"), "-", "sample.go") },
		"a source that remembers": func(t testing.TB) { Fuzzed(t, counting) },
		"sources that differ":     func(t testing.TB) { Fuzzed(t, differingAfter(1)) },
		"a broken promise":        func(t testing.TB) { Fuzzed(t, differingAfter(9), promise) },
	})
}

func TestSessionsThatDoNotFitAreFound(t *testing.T) {
	for what, s := range map[string]sources.Session{
		"no agent":                 {ID: "x"},
		"no id":                    {Agent: "x"},
		"another index":            {ID: "x", Agent: "x", Turns: []sources.Turn{{Index: 1}}},
		"a call behind its answer": {ID: "x", Agent: "x", Turns: []sources.Turn{{Tools: []sources.Tool{{After: 1}}}}},
		"tokens below nothing":     {ID: "x", Agent: "x", Turns: []sources.Turn{{Tokens: &sources.Tokens{In: -1}}}},
		"a file of no turn":        {ID: "x", Agent: "x", Files: []sources.FileTouch{{Path: "x", Kind: sources.Edited}}},
		"a file without a path":    {ID: "x", Agent: "x", Files: []sources.FileTouch{{Turn: -1, Kind: sources.Edited}}},
		"a ref of no turn":         {ID: "x", Agent: "x", Refs: []sources.Ref{{Turn: -2}}},
		"an action of no turn":     {ID: "x", Agent: "x", Actions: []sources.Action{{Turn: 0}}},
	} {
		finds(t, map[string]func(testing.TB){what: func(t testing.TB) { Consistent(t, &s) }})
	}
}

func TestFoldersThatChangeAreFound(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	Write(t, file, []byte("x"))
	after := func(change func(testing.TB)) func(testing.TB) {
		return func(t testing.TB) {
			untouched := Untouched(t, dir)
			change(t)
			untouched()
		}
	}
	finds(t, map[string]func(testing.TB){
		"a file that grew":  after(func(t testing.TB) { Append(t, file, []byte("y")) }),
		"a file that came":  after(func(t testing.TB) { Write(t, file+"b", nil) }),
		"a time that moved": after(func(t testing.TB) { Age(t, dir) }),
	})
}

func TestVaultsThatAreWrongAreFound(t *testing.T) {
	ours := func(inner string) string {
		return "%% sessionloom body %%\n" + inner + "\n%% /sessionloom body 0123456789abcdef %%\n"
	}
	finds(t, map[string]func(testing.TB){
		"a problem":              func(t testing.TB) { NewVault(t).Sync(troubled) },
		"a second pass":          func(t testing.TB) { NewVault(t).SyncAsFresh("grown", differingAfter(1)) },
		"an empty vault":         func(t testing.TB) { NewVault(t).SyncAsFresh("grown", differingAfter(2)) },
		"a secret":               standing("a.txt", "SYNTHETIC"),
		"a secret in a name":     standing("SYNTHETIC.txt", ""),
		"a note without a text":  standing("a.md", "plain"),
		"what acts":              standing("a.md", ours("<% x %>")),
		"what acts in many ways": standing("a.md", ours(testdata.HostileLine())),
	})
}

func TestNotesThatAreNotGoldenAreFound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.txtar")
	golden := func(n Notes) func(testing.TB) {
		return func(t testing.TB) { n.Golden(t, file, "sessions") }
	}
	finds(t, map[string]func(testing.TB){"no file": golden(Notes{})})
	Write(t, file, []byte("A comment.\n-- w/sessions/a.md --\nx\n"))
	finds(t, map[string]func(testing.TB){
		"another text": golden(Notes{"w/sessions/a.md": "y\n"}),
		"a note less":  golden(Notes{"w/other/a.md": "x\n"}),
		"a note more":  golden(Notes{"w/sessions/a.md": "x\n", "w/sessions/b.md": "x\n"}),
	})
	golden(Notes{"w/sessions/a.md": "x\n", "w/other/b.md": ""})(t)
}

// standing is the check of a vault in which a file stands besides.
func standing(name, text string) func(testing.TB) {
	return func(t testing.TB) {
		v := NewVault(t)
		v.Sync(always("well"))
		Write(t, filepath.Join(v.Dir, managed, name), []byte(text))
		v.Harmless("SYNTHETIC")
	}
}

func TestNotesDiffer(t *testing.T) {
	is := Notes{"a.md": "one\ntwo\n", "b.md": "\nid: \"session:0a6fa1f4\"\n"}
	for want, others := range map[string]Notes{
		"": is,
		"a.md: there true, wanted true\nlacks three\nhas two\n":                {"a.md": "one\nthree\n", "b.md": is["b.md"]},
		"a.md: there true, wanted true\n":                                      {"a.md": "two\none\n", "b.md": is["b.md"]},
		"b.md: there true, wanted false\nhas \nhas id: \"session:0a6fa1f4\"\n": {"a.md": is["a.md"]},
		"c.md: there false, wanted true\n":                                     {"a.md": is["a.md"], "b.md": is["b.md"], "c.md": ""},
	} {
		if got := is.Differ(others); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if is.Of("0a6f") != is["b.md"] || is.Of("1b6f") != "" {
		t.Errorf("%q, %q", is.Of("0a6f"), is.Of("1b6f"))
	}
}
