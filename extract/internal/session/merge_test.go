package session

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const uuid = "7524f8de-6567-42a5-9569-07102f5d4c6c"

func layer(name string, rank sources.Rank, s sources.Session) sources.Layer {
	s.ID = uuid
	return sources.Layer{Name: "copilot-cli/" + name, Rank: rank, Session: &s}
}

func clock(minute int) time.Time {
	return time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
}

func turn(minute int, user, assistant string) sources.Turn {
	return sources.Turn{At: clock(minute), End: clock(minute + 1), User: user, Assistant: assistant, Status: sources.Complete}
}

func turns(list ...sources.Turn) []sources.Turn {
	for i := range list {
		list[i].Index = i
	}
	return list
}

func prompts(s sources.Session) string {
	var out []string
	for i, t := range s.Turns {
		if t.Index != i {
			return "turn " + strconv.Itoa(i) + " has index " + strconv.Itoa(t.Index)
		}
		out = append(out, t.User)
	}
	return strings.Join(out, "|")
}

func TestTitleByTrust(t *testing.T) {
	prompt := "Rotate the signing key\nwithout logging everyone out, please, and keep the old variable"
	log := layer("events", sources.RankLog, sources.Session{Complete: true, Turns: turns(turn(0, prompt, "ok"))})
	for _, c := range []struct {
		sidecar, store      string
		sidecarFrom, storeT sources.Trust
		want                string
		from                sources.Trust
	}{
		{"", "", 0, 0, "Rotate the signing key", sources.TrustPrompt},
		{prompt, texts.OneLine(prompt)[:40] + "...", sources.TrustNamed, sources.TrustDerived, "Rotate the signing key", sources.TrustPrompt},
		{"Key rotation", "Old name", sources.TrustNamed, sources.TrustDerived, "Key rotation", sources.TrustNamed},
		{"Key rotation", "Mine", sources.TrustNamed, sources.TrustUser, "Mine", sources.TrustUser},
		{"", "Key  rotation\n", 0, sources.TrustDerived, "Key rotation", sources.TrustDerived},
		{"Named by a model", "Given in the editor", sources.TrustNamed, sources.TrustCustom, "Given in the editor", sources.TrustCustom},
		{"Given by its user", "Given in the editor", sources.TrustUser, sources.TrustCustom, "Given by its user", sources.TrustUser},
	} {
		got := Merge([]sources.Layer{log,
			layer("sidecars", sources.RankSidecar, sources.Session{Title: c.sidecar, TitleFrom: c.sidecarFrom}),
			layer("store", sources.RankStore, sources.Session{Title: c.store, TitleFrom: c.storeT})}).Session
		if got.Title != c.want || got.TitleFrom != c.from {
			t.Errorf("%q and %q make %q (%d), want %q (%d)", c.sidecar, c.store, got.Title, got.TitleFrom, c.want, c.from)
		}
	}
	long := Merge([]sources.Layer{layer("events", 0, sources.Session{Turns: turns(turn(0, strings.Repeat("日本語のプロンプト ", 30), ""))})}).Session.Title
	if len(long) > titleLimit || !strings.HasSuffix(long, "ト…") {
		t.Errorf("long prompt is cut to %q", long)
	}
}

func TestSummaryOrder(t *testing.T) {
	cp := []sources.Checkpoint{{Number: 1, Overview: "old overview"}, {Number: 2, Overview: "overview"}, {Number: 3, Title: "no text"}}
	for _, c := range []struct {
		name                        string
		index, task, handoff, store string
		checkpoints                 []sources.Checkpoint
		want                        string
	}{
		{"root index", "index", "task", "handoff", "store", cp, "index"},
		{"task", "", "task", "handoff", "store", cp, "task"},
		{"overview", "", "", "handoff", "store", cp, "overview"},
		{"derived", "", "", "handoff", "store", nil, "handoff"},
		{"store", "", "", "", "store", nil, "store"},
		{"store repeats the prompt", "", "", "", "first pro...", nil, ""},
		{"store repeats the title", "", "", "", "The title", nil, ""},
	} {
		log := sources.Session{Turns: turns(turn(0, "first prompt", "x")), Summary: c.handoff, SummaryFrom: sources.TrustDerived}
		if c.task != "" {
			log.Summary, log.SummaryFrom = c.task, sources.TrustNamed
		}
		got := Merge([]sources.Layer{
			layer("store", sources.RankStore, sources.Session{Summary: c.store, SummaryFrom: sources.TrustDerived}),
			layer("events", sources.RankLog, log),
			layer("sidecars", sources.RankSidecar, sources.Session{Summary: c.index, SummaryFrom: sources.TrustUser, Checkpoints: c.checkpoints,
				Title: "The title", TitleFrom: sources.TrustNamed}),
		}).Session.Summary
		expect.Is(t, got, c.want, c.name, "summary")
	}
}

func TestPlaceFieldByField(t *testing.T) {
	m := Merge([]sources.Layer{
		layer("store", sources.RankStore, sources.Session{Place: sources.Place{Cwd: "/home/dev/src/widget", Repository: "octo-org/widget", HostType: "github"}}),
		layer("sidecars", sources.RankSidecar, sources.Session{Place: sources.Place{Cwd: "/x", GitRoot: "/home/dev/src/widget", Branch: "at-start", BaseBranch: "main"}}),
		layer("events", sources.RankLog, sources.Session{Place: sources.Place{Cwd: `C:\WINDOWS\system32`, Branch: "newest", Repository: "https://github.com/octo-org/widget.git"}}),
	})
	want := sources.Place{Cwd: "/x", GitRoot: "/home/dev/src/widget", Repository: "https://github.com/octo-org/widget.git", HostType: "github", Branch: "newest", BaseBranch: "main"}
	if !reflect.DeepEqual(m.Session.Place, want) {
		t.Errorf("got  %+v\nwant %+v", m.Session.Place, want)
	}
	m = Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Place: sources.Place{Repository: "octo-org/widget"}}),
		layer("store", sources.RankStore, sources.Session{Place: sources.Place{Repository: "octo-org/docs-site"}}),
	})
	if m.Session.Place.Repository != "octo-org/widget" {
		t.Errorf("repository is %q", m.Session.Place.Repository)
	}
}

func TestTurnsOfAWholeLogAreAll(t *testing.T) {
	m := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Complete: true, Turns: turns(turn(0, "one", ""), turn(9, "two", "b"))}),
		layer("store", sources.RankStore, sources.Session{Turns: turns(turn(0, "one", "a"), turn(5, "dead", "x"), turn(20, "two", "b"))}),
	})
	if got := prompts(m.Session); got != "one|two" || m.Session.Turns[0].Assistant != "" {
		t.Errorf("turns are %s, first answer %q", got, m.Session.Turns[0].Assistant)
	}
	expect.List(t, m.Layers, []string{"copilot-cli/events"}, "layers")
}

func TestGapsAreFilledInOrder(t *testing.T) {
	// The store dates a turn when the next prompt came; "continue" comes twice.
	long := strings.Repeat("a long prompt with many words ", 8)
	m := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Damage: []string{"3 lines"}, Turns: turns(
			turn(0, "one", ""), turn(30, "continue", "c"), turn(40, long, "d"), turn(90, "last", "e"))}),
		layer("store", sources.RankStore, sources.Session{
			Turns: turns(turn(12, "one", "a"), turn(30, "two", "b"), turn(39, "continue", "c"), turn(80, long[:100]+"...", "d"),
				turn(85, "continue", "c2"), turn(180, "last", "e"), turn(182, "last", "e")),
			Refs: []sources.Ref{{Type: sources.Commit, Value: "5f75d04", Turn: 1}, {Type: sources.PR, Value: "41", Turn: 5}},
		}),
	})
	got := m.Session
	expect.Is(t, prompts(got), "one|two|continue|"+long+"|continue|last", "turns")
	if got.Turns[0].Assistant != "a" || got.Turns[4].Assistant != "c2" {
		t.Errorf("answers are %q and %q", got.Turns[0].Assistant, got.Turns[4].Assistant)
	}
	if got.Refs[0].Turn != 1 || got.Refs[1].Turn != 5 {
		t.Errorf("refs are %+v", got.Refs)
	}
	expect.Is(t, len(m.Layers), 2, "layers", m.Layers)
}

func TestRewoundLogIsBelievedAlone(t *testing.T) {
	m := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Rewound: true, Damage: []string{"x"}, Turns: turns(turn(0, "one", "a")),
			Files: []sources.FileTouch{{Path: "/w/ratelimit.go", Kind: sources.Created}}}),
		layer("sidecars", sources.RankSidecar, sources.Session{Title: "Rate limit per client", TitleFrom: sources.TrustUser,
			Files: []sources.FileTouch{{Path: "/w/redis.go", Kind: sources.Created, Turn: -1}}, Checkpoints: []sources.Checkpoint{{Number: 1, Overview: "kept"}}}),
		layer("store", sources.RankStore, sources.Session{Turns: turns(turn(0, "one", "a"), turn(5, "dead", "x")),
			Files: []sources.FileTouch{{Path: "/w/redis.go", Kind: sources.Created}}, Refs: []sources.Ref{{Type: sources.Commit, Value: "dead123"}},
			Checkpoints: []sources.Checkpoint{{Number: 2, Overview: "dead"}}}),
	})
	got := m.Session
	if prompts(got) != "one" || len(got.Files) != 1 || len(got.Refs) != 0 || len(got.Checkpoints) != 1 || got.Title != "Rate limit per client" {
		t.Errorf("what was taken back came in again: %+v", got)
	}
	if slices.Contains(m.Layers, "copilot-cli/store") {
		t.Errorf("layers are %v", m.Layers)
	}
}

func TestCheckpointsUnite(t *testing.T) {
	m := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Turns: turns(turn(50, "x", "y")),
			Checkpoints: []sources.Checkpoint{{Number: 3, At: clock(40)}, {Number: 1, Overview: "of the parent", Inherited: true}}}),
		layer("sidecars", sources.RankSidecar, sources.Session{Checkpoints: []sources.Checkpoint{
			{Number: 3, Title: "Three", Overview: "o3", WorkDone: "w3"}, {Number: 2, Overview: "o2", WorkDone: "w2"},
			{Number: 9, Overview: " o2", WorkDone: "w2 ", Title: "Two"}, {Number: 4, Raw: "text"}}}),
		layer("store", sources.RankStore, sources.Session{Checkpoints: []sources.Checkpoint{
			{Number: 2, Overview: "o2", NextSteps: "n2"}, {Number: 3, Overview: "another", NextSteps: "dead"}}}),
	})
	want := []sources.Checkpoint{
		{Number: 1, At: clock(40), Overview: "of the parent", Inherited: true},
		{Number: 2, Title: "Two", At: clock(40), Overview: "o2", WorkDone: "w2", NextSteps: "n2"},
		{Number: 3, Title: "Three", At: clock(40), Overview: "o3", WorkDone: "w3"},
		{Number: 4, At: clock(51), Raw: "text"},
	}
	if !reflect.DeepEqual(m.Session.Checkpoints, want) {
		t.Errorf("got  %+v\nwant %+v", m.Session.Checkpoints, want)
	}
	if !m.Session.Updated.Equal(clock(51)) {
		t.Errorf("updated %v", m.Session.Updated)
	}
}

func TestArtifactsUnite(t *testing.T) {
	m := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Turns: turns(turn(0, "x", "y")),
			Artifacts: []sources.Artifact{{Kind: sources.Research, Name: "a.md", At: clock(3)}, {Kind: sources.File, Name: "gone.txt", At: clock(4)}}}),
		layer("plan", sources.RankSidecar, sources.Session{Artifacts: []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: "p"}}}),
		layer("sidecars", sources.RankSidecar, sources.Session{Artifacts: []sources.Artifact{
			{Kind: sources.Research, Name: "a.md", Text: "text", Size: 4}, {Kind: sources.File, Name: "b.bin", Left: "binary", Size: 9}}}),
		layer("store", sources.RankStore, sources.Session{Artifacts: []sources.Artifact{{Kind: sources.Research, Name: "a.md", Text: "older"}}}),
	})
	want := []sources.Artifact{
		{Kind: sources.File, Name: "b.bin", Left: "binary", Size: 9, At: clock(1)},
		{Kind: sources.Plan, Name: "plan.md", Text: "p", At: clock(1)},
		{Kind: sources.Research, Name: "a.md", Text: "text", Size: 4, At: clock(3)},
	}
	expect.Deep(t, m.Session.Artifacts, want)
	expect.List(t, m.Layers, []string{"copilot-cli/events", "copilot-cli/plan", "copilot-cli/sidecars"}, "layers")
}

func TestFilesAndRefsUnite(t *testing.T) {
	place := sources.Place{GitRoot: "/home/dev/src/widget"}
	m := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Place: place, Turns: turns(turn(0, "x", ""), turn(5, "y", "")),
			Files: []sources.FileTouch{{Path: "/home/dev/src/widget/a.go", Kind: sources.Edited, Turn: 1}, {Path: "/home/dev/src/widget/a.go", Kind: sources.Edited, Turn: 1}},
			Refs:  []sources.Ref{{Type: sources.Commit, Value: "5F75d04", Turn: 1}, {Type: sources.PR, Value: "12", Turn: 0}}}),
		layer("sidecars", sources.RankSidecar, sources.Session{Files: []sources.FileTouch{{Path: `\home\dev\src\widget\a.go`, Kind: sources.Edited, Turn: -1},
			{Path: "b.go", Kind: sources.Viewed, Turn: -1}}}),
		layer("store", sources.RankStore, sources.Session{Files: []sources.FileTouch{{Path: "a.go", Kind: sources.Edited, Turn: 0}},
			Refs: []sources.Ref{{Type: sources.Commit, Value: "5f75d04a1b2c3d4", Turn: 0, Text: "Add ring"}, {Type: sources.PR, Value: "12", Repo: "github.com/o/other", Turn: 1}, {Type: sources.Issue, Value: "12", Turn: 7}}}),
	})
	var files, refs []string
	for _, f := range m.Session.Files {
		files = append(files, f.Path+" "+f.Kind+" "+strconv.Itoa(f.Turn))
	}
	for _, r := range m.Session.Refs {
		refs = append(refs, r.Type+" "+r.Value+" "+r.Text+" "+strconv.Itoa(r.Turn))
	}
	expect.List(t, files, []string{"/home/dev/src/widget/a.go edited 1", "b.go viewed -1"}, "files")
	expect.List(t, refs, []string{"commit 5F75d04 Add ring 1", "pr 12  0", "issue 12  -1"}, "refs")
}

func TestTimes(t *testing.T) {
	got := Merge([]sources.Layer{
		layer("events", sources.RankLog, sources.Session{Created: clock(2), Updated: clock(500), Turns: turns(turn(3, "x", "y"))}),
		layer("todos", sources.RankSidecar, sources.Session{Created: time.Unix(0, 0), Updated: clock(600), Todos: []sources.Todo{{ID: "a", Title: "t", At: clock(7)}}}),
		layer("store", sources.RankStore, sources.Session{Created: clock(0)}),
	}).Session
	if !got.Created.Equal(clock(2)) || !got.Updated.Equal(clock(7)) {
		t.Errorf("created %v, updated %v", got.Created, got.Updated)
	}
	got = Merge([]sources.Layer{layer("events", 0, sources.Session{Created: clock(9), Turns: turns(turn(3, "x", "y"))})}).Session
	if !got.Created.Equal(clock(3)) {
		t.Errorf("created %v after its first prompt", got.Created)
	}
}

func TestEmptyIsDecidedByContent(t *testing.T) {
	for _, c := range []struct {
		s    sources.Session
		want bool
	}{
		{sources.Session{Title: "t", Summary: "s", Todos: []sources.Todo{{ID: "x"}}}, true},
		{sources.Session{Artifacts: []sources.Artifact{{Kind: sources.Plan}}}, true},
		{sources.Session{Artifacts: []sources.Artifact{{Left: "binary"}}}, false},
		{sources.Session{Checkpoints: []sources.Checkpoint{{}}}, false},
		{sources.Session{Turns: []sources.Turn{{}}}, false},
		{sources.Session{Actions: []sources.Action{{Text: "!ls"}}, Delegated: []sources.Delegation{{Task: "t"}}}, true},
		{sources.Session{Delegated: []sources.Delegation{{Answer: "a"}}}, false},
	} {
		expect.Is(t, IsEmpty(&c.s), c.want, c.s, "empty")
	}
}

// fullSession has every field, so that one added to the model and forgotten here
// or in the merge is found.
func fullSession(t *testing.T) sources.Session {
	t.Helper()
	s := sources.Session{
		ID: uuid, Agent: "copilot-cli", IsMemory: true, Scope: sources.ScopeUser, Aliases: []string{"x"}, Archived: true, Pinned: true, Title: "T", TitleFrom: sources.TrustUser, Summary: "S", SummaryFrom: sources.TrustUser, SummaryAt: clock(28),
		Place: sources.Place{Cwd: "/w/a", GitRoot: "/w", Repository: "o/r", Host: "h.com", HostType: "github", Branch: "b", BaseBranch: "main",
			Workspace: "/w/all.code-workspace", Folders: []string{"/w/a", "/w/b"}},
		Models: []string{"m"}, Created: clock(0), Updated: clock(30), Parent: "p",
		Complete: true, Rewound: true, Damage: []string{"d"}, Turns: turns(turn(1, "u", "a"), turn(29, "v", "b")),
		Checkpoints: []sources.Checkpoint{{Number: 2, Title: "t", At: clock(9), Overview: "o", History: "h", WorkDone: "w", Technical: "x", Important: "i", NextSteps: "n"}},
		Artifacts:   []sources.Artifact{{Kind: "file", Name: "n", At: clock(8), Text: "t", Size: 1, Left: "cut"}},
		Todos:       []sources.Todo{{ID: "1", Title: "t", Status: sources.TodoOpen, After: []string{"2"}, At: clock(7)}},
		Files:       []sources.FileTouch{{Path: "a.go", Kind: sources.Edited, Tool: "edit", Turn: 1, At: clock(29), Verdict: sources.Rejected}},
		Refs:        []sources.Ref{{Type: sources.PR, Value: "1", Text: "t", Repo: "r", Turn: 0, At: clock(1)}},
		Class:       sources.Automatic, Headless: true,
		Delegated: []sources.Delegation{{ID: "d", Name: "n", Task: "t", Answer: "a", At: clock(2), End: clock(3), Calls: 1, Tokens: &sources.Tokens{In: 1, Out: 2}}},
		Actions:   []sources.Action{{Kind: sources.ActionShell, Text: "!ls", Turn: 1, At: clock(4)}},
		Acts:      []sources.Act{{Kind: sources.ActAsked, Turn: 1, At: clock(5), Text: "Which?", Answer: "that", Verdict: sources.Accepted, Unasked: true, Pending: true}},
		TakenBack: turns(turn(20, "no", "then not")),
		Distilled: []sources.Distillate{{By: "claude", At: clock(40), Of: "0a", Lines: []sources.Distilled{{Kind: "left", Text: "t", Quote: "q", Turn: 1}}}},
	}
	for v, i := reflect.ValueOf(s), 0; i < v.NumField(); i++ {
		if v.Type().Field(i).Name == "Supersedes" { // is of a layer, not of the session
			continue
		}
		if v.Field(i).IsZero() {
			t.Errorf("field %s is not tested", v.Type().Field(i).Name)
		}
	}
	return s
}

func TestMergeLosesNoField(t *testing.T) {
	want := fullSession(t)
	got := Merge([]sources.Layer{{Name: "x", Session: &want}})
	expect.Deep(t, got.Session, want)
	expect.Deep(t, Merge([]sources.Layer{{Name: "none"}}), Merged{}, "nothing")
}

// randomLayers makes layers that overlap, disagree and lack things.
func randomLayers(r *rand.Rand) []sources.Layer {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	var out []sources.Layer
	for range 1 + r.IntN(5) {
		s := sources.Session{
			Title: pick("", "A", "B", "one"), TitleFrom: sources.Trust(r.IntN(6)), Summary: pick("", "S", "T"), SummaryFrom: sources.Trust(r.IntN(6)),
			Place:    sources.Place{Cwd: pick("", "/", "/w/a", "/w/b"), Repository: pick("", "o/r", "o/q"), Branch: pick("", "x", "y")},
			Complete: r.IntN(2) == 0, Rewound: r.IntN(5) == 0, Created: clock(r.IntN(9)), Models: []string{pick("m", "n")}, Parent: pick("", "p"),
		}
		if r.IntN(3) == 0 {
			s.Damage = []string{pick("d", "e")}
		}
		for i := range r.IntN(5) {
			u := turn(i*10+r.IntN(3), pick("one", "two", "continue", ""), pick("", "a", "b"))
			if r.IntN(4) == 0 {
				u.At = time.Time{}
			}
			s.Turns = append(s.Turns, u)
		}
		s.Turns = turns(s.Turns...)
		for range r.IntN(4) {
			s.Checkpoints = append(s.Checkpoints, sources.Checkpoint{Number: 1 + r.IntN(3), Overview: pick("", "o", "q"), WorkDone: pick("", "w"), Title: pick("", "t")})
			s.Artifacts = append(s.Artifacts, sources.Artifact{Kind: pick("plan", "file"), Name: pick("a", "b"), Text: pick("", "t", "u"), Left: pick("", "cut")})
			s.Files = append(s.Files, sources.FileTouch{Path: pick("a", "/w/a/a", "./b"), Kind: pick("edited", "viewed"), Turn: r.IntN(4) - 1})
			s.Refs = append(s.Refs, sources.Ref{Type: pick("commit", "pr"), Value: pick("5f75d04", "5f75d04a", "12"), Repo: pick("", "h/o/r"), Turn: r.IntN(4) - 1})
		}
		out = append(out, layer(pick("events", "sidecars", "store"), sources.Rank(r.IntN(4)), s))
	}
	return out
}

func TestMergeIsAFunctionOfTheSet(t *testing.T) {
	seeds := uint64(3000)
	if testing.Short() {
		seeds = 100
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		layers := randomLayers(r)
		before, _ := json.Marshal(layers)
		want := Merge(layers)
		if after, _ := json.Marshal(layers); string(after) != string(before) {
			t.Fatalf("seed %d: the layers were changed", seed)
		}
		r.Shuffle(len(layers), func(i, j int) { layers[i], layers[j] = layers[j], layers[i] })
		if got := Merge(layers); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: another order gives another session\n%+v\n%+v", seed, got, want)
		}
		again := Merge([]sources.Layer{{Name: "merged", Session: &want.Session}})
		x, _ := json.MarshalIndent(again.Session, "", " ")
		y, _ := json.MarshalIndent(want.Session, "", " ")
		if string(x) != string(y) {
			t.Fatalf("seed %d: merging the merged changes it\n%s\n%s", seed, x, y)
		}
	}
}
