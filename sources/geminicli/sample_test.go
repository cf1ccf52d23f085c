package geminicli_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// fact is what is known of a session of testdata/home, which the genuine Gemini CLI 0.61.0 wrote
// against a scripted model.
type fact struct {
	id          string // its first 8 characters
	prompts     []string
	answers     []string // the last paragraph of each
	taken       []string // back
	checkpoints []string
	todos       []string
	actions     []string
	title       string
	cwd         string
	edited      []string
	tools       []string // with exit code or outcome
	delegated   []string
	tokens      int64 // the sum of tokens.total, once for each message
}

var facts = []fact{{
	id: "cb4153cb", cwd: "/home/dev/src/widget",
	prompts: []string{"Let /healthz answer 200.", "Write a test for it."},
	answers: []string{"`/healthz` answers 200 now. The manual still says 204.", "The test is there. One edit of mine failed."},
	todos:   []string{"in_progress Change the handler", "open Update the manual"},
	edited:  []string{"edited internal/httpx/router.go", "created internal/httpx/router_test.go"},
	tools:   []string{"read_file true", "write_todos true", "replace true", "run_shell_command exit 128", "write_file true", "replace false"},
	tokens:  12552 + 12803 + 12948 + 13181 + 13372 + 13949 + 14095 + 14176,
}, {
	id: "2ea73155", cwd: "/home/dev/lab/latency",
	prompts: []string{"各ルートの中央値を表にしてください。[[x]] --- ghp_SYNTHETIC0example0token0for0tests000"},
	answers: []string{"| ルート | 中央値 |\n|---|---|\n| /widgets | 10.1 |"},
	tools:   []string{"run_shell_command exit 0"},
	tokens:  12015 + 12136,
}, {
	id: "18bea205", cwd: "/home/dev/src/docs-site", title: "A short summary",
	prompts:   []string{"Let the investigator look at the links."},
	answers:   []string{"One typo: `referense` in `guides/start.md`."},
	tools:     []string{"invoke_agent true"},
	delegated: []string{"0d46bb68-a453-4312-9399-eaa252fe1a99 codebase_investigator LINKS: which links are broken?"},
	tokens:    12530 + 12652,
}, {
	id: "4e8c3872", cwd: "/home/dev/src/docs-site",
	prompts: []string{"Which pages have no link back", "Add one to guides/start.md.", "No links. Put a breadcrumb into site.toml.", "What is open",
		"One more question: is it committed?"},
	answers:     []string{"All of them.", "Done.", "`site.toml` has a breadcrumb.", "The style of the breadcrumb.", "No."},
	taken:       []string{"And to guides/auth.md. That one stays as it is."},
	checkpoints: []string{"Breadcrumbs"},
	actions:     []string{"/rewind 1", "/compress 2", "/quit 3"},
	edited:      []string{"edited content/guides/start.md"},
	tools:       []string{"run_shell_command exit 1", "replace true", "run_shell_command exit 0"},
	tokens:      13159 + 13270 + 13333 + 13453 + 13429 + 13524 + 13328 + 12723,
}}

func factOf(s *sources.Session) fact {
	f := fact{id: s.ID[:8], title: s.Title, cwd: s.Place.Cwd}
	for _, t := range s.Turns {
		f.prompts = append(f.prompts, t.User)
		paragraphs := strings.Split(t.Assistant, "\n\n")
		f.answers = append(f.answers, paragraphs[len(paragraphs)-1])
		for _, tool := range t.Tools {
			outcome := fmt.Sprint(*tool.OK)
			if tool.Exit != nil {
				outcome = fmt.Sprint("exit ", *tool.Exit)
			}
			f.tools = append(f.tools, tool.Name+" "+outcome)
		}
		if t.Tokens != nil {
			f.tokens += t.Tokens.In + t.Tokens.Out
		}
	}
	for _, t := range s.TakenBack {
		f.taken = append(f.taken, t.User+" "+t.Assistant)
	}
	for _, c := range s.Checkpoints {
		f.checkpoints = append(f.checkpoints, c.Overview+c.Raw)
	}
	for _, t := range s.Todos {
		f.todos = append(f.todos, t.Status+" "+t.Title)
	}
	for _, a := range s.Actions {
		f.actions = append(f.actions, fmt.Sprint(a.Text, " ", a.Turn))
	}
	for _, d := range s.Delegated {
		f.delegated = append(f.delegated, d.ID+" "+d.Name+" "+d.Task)
	}
	for _, touch := range s.Files {
		if touch.Kind != sources.Viewed {
			f.edited = append(f.edited, touch.Kind+" "+strings.TrimPrefix(touch.Path, s.Place.Cwd+"/"))
		}
	}
	return f
}

func TestSampleFacts(t *testing.T) {
	dir := sourcetest.Sample(t)
	defer sourcetest.Untouched(t, dir)()
	got := readHome(t, geminicli.Config{Homes: []string{dir}})
	var is []fact
	for id, s := range got.logs {
		if !s.Complete || len(s.Damage) > 0 || s.Class != "" || s.Agent != "gemini-cli" || !slices.Equal(s.Models, []string{"gemini-2.5-pro"}) {
			t.Errorf("session %s: %+v", id, s)
		}
		is = append(is, factOf(s))
	}
	sourcetest.Facts(t, is, facts)
	if got.records != 130 || len(got.unknown) > 0 || len(got.rowsOnly) > 0 {
		t.Errorf("%d records, unknown %v, rows only %q", got.records, got.unknown, got.rowsOnly)
	}
	d := got.agents["18bea205"].Delegated[0]
	if d.ID != "0d46bb68-a453-4312-9399-eaa252fe1a99" || d.Calls != 2 || d.Task != "LINKS: which links are broken?" ||
		!strings.Contains(d.Answer, "referense is a typo") || d.Tokens.In+d.Tokens.Out != 3602+3729 {
		t.Errorf("the sub-agent: %+v", d)
	}
}

// The details tell what has no note of its own, and the listing when the first chat goes.
func TestDetails(t *testing.T) {
	dir := sourcetest.Sample(t)
	write(t, filepath.Join(dir, "antigravity-cli", "brain", firstID, "task.md"), []byte("- [ ] one\n")) // its conversation is in a database
	write(t, filepath.Join(dir, "tmp", "widget", "logs.json"), []byte(`[{"sessionId":"`+secondID+`","type":"user","message":"gone","timestamp":"2026-11-22T07:24:33.085Z"}]`))
	s := open(dir)
	details, err := s.Details(context.Background())
	must(t, err)
	want := []string{"1 chat of a sub-agent", "1 conversation of Antigravity without a transcript", "1 session with nothing but typed lines left"}
	if got := details[dir]; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	l, err := s.List(context.Background())
	must(t, err)
	if r := l.Roots[0]; r.KeptDays != 30 || len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
}

// home is what was read of one.
type home struct {
	logs     map[string]*sources.Session // by the first 8 characters of their ids
	agents   map[string]*sources.Session // what sub-agents did, by the same
	others   map[string]*sources.Session // by their ids and layers
	records  int
	unknown  map[string]int
	rowsOnly []string
	problems []string
}

func readHome(t *testing.T, c geminicli.Config) home {
	t.Helper()
	h := home{logs: map[string]*sources.Session{}, agents: map[string]*sources.Session{}, others: map[string]*sources.Session{}, unknown: map[string]int{}}
	s := geminicli.New(c)
	l, err := s.List(context.Background())
	must(t, err)
	for _, it := range l.Items {
		r, err := s.Read(context.Background(), it)
		if err != nil {
			h.problems = append(h.problems, err.Error())
		}
		for _, p := range r.Problems {
			h.problems = append(h.problems, p.Err.Error())
		}
		for what, n := range r.Unknown {
			h.unknown[what] += n
		}
		if it.Kind == sources.KindSession || strings.Contains(it.Key, "/agent/") {
			h.records += r.Records
		}
		h.rowsOnly = append(h.rowsOnly, r.RowsOnly...)
		if it.Session != "" {
			r.Sessions = []sources.SessionLayers{{ID: it.Session, Layers: r.Layers}}
		}
		for _, of := range r.Sessions {
			for _, la := range of.Layers {
				h.others[of.ID+" "+la.Name] = la.Session
				switch la.Name {
				case "gemini-cli/chat":
					h.logs[la.Session.ID[:8]] = la.Session
				case "gemini-cli/subagents":
					h.agents[of.ID[:8]] = la.Session
				}
			}
		}
	}
	must(t, s.Close())
	return h
}
