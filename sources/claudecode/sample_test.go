package claudecode_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

func TestSampleFacts(t *testing.T) {
	read := readHome(t, claudecode.Config{Homes: []string{"testdata/home"}})
	delete(read.logs, "fac74514-e78b-44e9-85c9-e60f2e23c2ba") // only the title of another one
	var got []fact
	for id, s := range read.logs {
		if got = append(got, factOf(s)); s.ID != id {
			t.Errorf("session %s says that it is %s", id, s.ID)
		}
	}
	sourcetest.Facts(t, got, facts)
	if len(read.unknown) > 0 {
		t.Errorf("unknown: %v", read.unknown)
	}
}

// factOf is what was read, in the form of the facts.
func factOf(s *sources.Session) fact {
	f := fact{id: s.ID, back: len(s.TakenBack), parent: s.Parent, checkpoints: len(s.Checkpoints), title: s.Title, headless: s.Headless,
		cwd: s.Place.Cwd, branch: s.Place.Branch}
	calls := map[string]int{}
	for _, turn := range s.Turns {
		if turn.Inherited {
			f.copied++
		} else {
			f.prompts = append(f.prompts, turn.User)
		}
		for _, tool := range turn.Tools {
			calls[tool.Name]++
		}
		if turn.Tokens != nil {
			f.in, f.out = f.in+turn.Tokens.In, f.out+turn.Tokens.Out
		}
	}
	var tools []string
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		tools = append(tools, fmt.Sprint(name, " ", calls[name]))
	}
	f.tools = strings.Join(tools, ", ")
	return f
}

// What a reader most easily gets wrong in the sample.
func TestSampleTraps(t *testing.T) {
	read := readHome(t, claudecode.Config{Homes: []string{"testdata/home"}})
	etag, pages := read.logs["78484eb6-deb0-4462-8570-5f8481fd5aa0"], read.logs["aa81fc45-db5c-4d1a-852f-1885e56c3827"]
	if !etag.Rewound || etag.TakenBack[0].User != "Yes, and use xxhash instead of sha256." || !strings.HasPrefix(etag.TakenBack[0].Assistant, "xxhash would be") {
		t.Errorf("taken back: %+v", etag.TakenBack)
	}
	metrics, release := read.logs["cc692469-d079-4c3a-9996-836c5291389a"], read.logs["ff43db4c-b458-41e0-a7a2-100fda4a0048"]
	links, fork := read.logs["2d089746-26f8-4c31-b6f9-72070e5d3f5c"], read.logs["6ed2f55e-9dd3-4b08-a407-1d6b7d39ac7e"]
	slash, down := read.logs["9e5f2cd4-6071-4293-9eaf-1a2b3c4d5e23"], read.logs["24a8b5af-2f33-46c6-ba9e-f7f44a245417"]
	for what, pair := range map[string][2]any{
		"edits that were taken back": {touches(pages), "created internal/httpx/cursor.go 1"},
		"edits, one of which failed": {touches(fork), "edited cmd/widgetd/main.go 0, created internal/store/ttl_test.go 1"},
		"edits in a worktree":        {touches(read.logs["6b2c9fa1-3d4e-4f60-8b7c-8d9e0f1a2b18"]), "created internal/httpx/bucket.go 0"},
		"memory is no file":          {touches(read.logs["178b4c76-c54b-4eeb-b588-578de963b96c"]), "created internal/store/bench_test.go 0"},
		"open ends of etag":          {open(etag), "Table test"},
		"open ends of metrics":       {open(metrics), "Expose GET /metrics, Document the endpoint"},
		"open ends of release":       {open(release), "Tag v0.5.0"},
		"actions of metrics":         {actions(metrics), "!go test ./internal/... 2>&1 | tail -3 0, /rename Metrics endpoint 1, /usage 4"},
		"actions of docs-links":      {actions(links), "!git status --short 0, # Headings of the manual are in sentence case. 0, /compact 2"},
		"actions without a prompt":   {actions(slash), "/context -1, !git log --oneline | head -2 -1"},
		"refs of a fork":             {refsIn(fork), "commit 9bddbc4 widgetd: graceful shutdown 1, pr 41 Graceful shutdown 1"},
		"an error":                   {[]any{down.Turns[0].Status, down.Turns[0].Error}, []any{sources.Failed, "API Error: 400 made-up error"}},
		"interrupted at once":        {links.Turns[1].Status, sources.Cancelled},
		"interrupted in a tool":      {[]any{metrics.Turns[1].Status, *metrics.Turns[1].Tools[0].OK, metrics.Turns[1].Tools[0].Command}, []any{sources.Cancelled, false, ""}},
		"killed":                     {read.logs["af603de5-7182-43a4-8fb0-2b3c4d5e6f25"].Turns[0].Status, sources.Pending},
		"a picture":                  {read.logs["b9d3694f-ae19-4c97-a55f-b5c41b1cc808"].Turns[1].Attachments, []sources.Attachment{{Kind: "image", Name: "/home/dev/lab/latency/chart.png"}}},
		"a checkpoint":               {links.Checkpoints[0].Overview, "Fix broken links of the manual; write `guides/cookies.md` in three lines."},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %+v, want %+v", what, pair[0], pair[1])
		}
	}
}

// homeRead is what a home gives.
type homeRead struct {
	logs    map[string]*sources.Session
	agents  map[string][]sources.Delegation
	others  map[string]*sources.Session // sessions that items name only inside, but for those of sub-agents
	only    []string
	unknown map[string]int
}

func readHome(t *testing.T, c claudecode.Config) homeRead {
	t.Helper()
	out := homeRead{map[string]*sources.Session{}, map[string][]sources.Delegation{}, map[string]*sources.Session{}, nil, map[string]int{}}
	for item, r := range sourcetest.Readings(t, claudecode.New(c)) {
		maps.Copy(out.unknown, r.Unknown)
		out.only = append(out.only, r.RowsOnly...)
		for _, la := range r.Layers {
			if la.Name == "claude-code/transcript" {
				out.logs[item.Session] = la.Session
			}
		}
		for _, x := range r.Sessions {
			if one := x.Layers[0]; one.Name == "claude-code/subagents" {
				out.agents[x.ID] = append(out.agents[x.ID], one.Session.Delegated...)
			} else {
				out.others[x.ID] = one.Session
			}
		}
	}
	return out
}

func touches(s *sources.Session) string {
	var all []string
	for _, f := range s.Files {
		if f.Kind != sources.Viewed {
			all = append(all, fmt.Sprintf("%s %s %d", f.Kind, strings.TrimPrefix(f.Path, s.Place.Cwd+"/"), f.Turn))
		}
	}
	return strings.Join(all, ", ")
}

func open(s *sources.Session) string {
	var all []string
	for _, todo := range s.Todos {
		if todo.Status != sources.TodoDone {
			all = append(all, todo.Title)
		}
	}
	return strings.Join(all, ", ")
}

func actions(s *sources.Session) string {
	var all []string
	for _, a := range s.Actions {
		all = append(all, fmt.Sprint(a.Text, " ", a.Turn))
	}
	return strings.Join(all, ", ")
}

func refsIn(s *sources.Session) string {
	var all []string
	for _, r := range s.Refs {
		all = append(all, fmt.Sprint(r.Type, " ", r.Value, " ", r.Text, " ", r.Turn))
	}
	return strings.Join(all, ", ")
}
