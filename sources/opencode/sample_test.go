package opencode_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/opencode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// fact is what is known of a session of testdata/home, which the genuine 1.18.34 wrote while a
// driver typed the prompts. Tables that are never read, and events of what was not removed, were
// taken out of it.
type fact struct {
	id          string
	title       string
	folder      string
	own         string // prompts
	copied      int    // prompts of the parent
	back        string // prompts that were taken back
	unanswered  int
	headless    bool
	parent      string
	checkpoints string
	open        string // todos
	edited      string // kind and file, turn
	tools       string // names, and how they ended
	commits     string
	in, out     int64 // tokens, those of copied turns too
}

var facts = []fact{
	{id: "ses_dfde2c9bfffeAsMCIC80gNOfop", title: "Healthz answers 200", folder: "src/widget", own: "Make healthz answer 200.", headless: true,
		open: "Change the handler (in_progress), Update the manual (pending)", edited: "edited internal/httpx/router.go 0",
		tools: "read+ todowrite+ edit+ bash+0", commits: "3b05dca httpx: healthz 200", in: 40614, out: 45},
	{id: "ses_dfde1f06dffeYbiIdVIgmEl4g0", title: "Healthz answers 200", folder: "src/widget", own: "Make healthz answer 200. | And write a test for it.", unanswered: 1,
		headless: true, open: "Change the handler (in_progress), Update the manual (pending)", edited: "created internal/httpx/router_test.go 1",
		tools: "read+ todowrite+ edit- bash-1 write+ bash", in: 49108, out: 53},
	{id: "ses_dfde0c567ffeDEnEkeKu6DSGnB", title: "Count words of the guides", folder: "src/docs-site", own: "Let a helper count the words of the guides.", headless: true,
		tools: "task+ edit-", in: 23416, out: 34},
	{id: "ses_dfde0a58effegM75ioSeF6sR3g", title: "中央値の表 [[x]] ---", folder: "lab/latency", own: "各ルートの中央値を表にしてください。", headless: true, tools: "bash+0", in: 15469, out: 18},
	{id: "ses_dfde08454ffef5jXhHnXNIK1TF", title: "Breadcrumb instead of links", folder: "src/docs-site",
		own: "Which pages have no link back? | No links. Put a breadcrumb into site.toml. | What is open?", back: "Add one to guides/start.md. | And to guides/auth.md.",
		checkpoints: "Done", edited: "edited site.toml 1", tools: "bash-1 bash+0", in: 40825, out: 40},
	{id: "ses_dfde06fa9ffeplIKHs4xxLIe6V", title: "Pages without a link back (fork #1)", folder: "src/docs-site", own: "In this fork: only the index page.", copied: 2,
		parent: "ses_dfde08454ffef5jXhHnXNIK1TF", edited: "edited content/guides/start.md 1", tools: "bash-1 edit+", in: 41045, out: 44},
	{id: "ses_dfde06509ffeiQ56dYD7wEXclO", title: "Reverted and left", folder: "src/docs-site", back: "Delete README.md."},
	{id: "ses_dfde05eebffeFVTHRX5gCMyozl", title: "Killed in mid-answer", folder: "src/docs-site", own: "Tell me everything about breadcrumbs.", unanswered: 1},
}

func TestSampleFacts(t *testing.T) {
	dir := sourcetest.Sample(t)
	defer sourcetest.Untouched(t, dir)()
	s := opencode.New(opencode.Config{Homes: []string{dir}, TempDir: t.TempDir()})
	var got []fact
	records := 0
	for it, r := range sourcetest.Readings(t, s) {
		if len(r.Unknown) > 0 {
			t.Errorf("%s: unknown %v", it.Session, r.Unknown)
		}
		records += r.Records
		if it.Session == "ses_dfde0b87effe9FmxTquT4Mc3MR" {
			worker(t, r)
			continue
		}
		if len(r.Layers) != 1 || len(r.Sessions) != 0 || r.Layers[0].Session.ID != it.Session || !r.Layers[0].Session.Complete || len(r.Layers[0].Session.Damage) > 0 {
			t.Errorf("%s: %+v", it.Session, r)
			continue
		}
		got = append(got, factOf(r.Layers[0].Session))
	}
	sourcetest.Facts(t, got, facts)
	expect.Is(t, records, 48+122, "records")
	must(t, s.Close())
}

// worker is the sub-agent of the sample: it is told with the session that it worked for.
func worker(t *testing.T, r sources.Reading) {
	t.Helper()
	if len(r.Layers) != 0 || len(r.Sessions) != 1 || r.Sessions[0].ID != "ses_dfde0c567ffeDEnEkeKu6DSGnB" {
		t.Fatalf("%+v", r)
	}
	s := r.Sessions[0].Layers[0].Session
	d := s.Delegated[0]
	if d.ID != "ses_dfde0b87effe9FmxTquT4Mc3MR" || d.Name != "Count words (general)" || d.Task != "WORDS-GUIDES: count the words in content/guides" ||
		d.Answer != "24 words." || d.Calls != 1 || d.Tokens.In != 12197 || d.Tokens.Out != 16 || d.At.IsZero() || !d.End.After(d.At) || len(s.Turns) != 0 {
		t.Errorf("%+v", d)
	}
}

func factOf(s *sources.Session) fact {
	f := fact{id: s.ID, title: s.Title, folder: strings.TrimPrefix(s.Place.Cwd, "/home/dev/"), headless: s.Headless, parent: s.Parent}
	join := func(to *string, sep, text string) {
		if *to != "" {
			*to += sep
		}
		*to += text
	}
	for _, t := range s.Turns {
		if t.Inherited {
			f.copied++
		} else {
			join(&f.own, " | ", t.User)
			if t.Status == sources.Pending {
				f.unanswered++
			}
		}
		if t.Tokens != nil {
			f.in, f.out = f.in+t.Tokens.In, f.out+t.Tokens.Out
		}
		for _, c := range t.Tools {
			how := c.Name
			if c.OK != nil {
				how += map[bool]string{true: "+", false: "-"}[*c.OK]
			}
			if c.Exit != nil {
				how += fmt.Sprint(*c.Exit)
			}
			join(&f.tools, " ", how)
		}
	}
	for _, t := range s.TakenBack {
		join(&f.back, " | ", t.User)
	}
	for _, c := range s.Checkpoints {
		join(&f.checkpoints, " | ", c.Title)
	}
	for _, t := range s.Todos {
		if t.Status != sources.TodoDone {
			join(&f.open, ", ", t.Title+" ("+t.Raw+")")
		}
	}
	for _, x := range s.Files {
		if x.Kind != sources.Viewed {
			join(&f.edited, ", ", fmt.Sprint(x.Kind, " ", strings.TrimPrefix(x.Path, s.Place.Cwd+"/"), " ", x.Turn))
		}
	}
	for _, r := range s.Refs {
		join(&f.commits, ", ", r.Value+" "+r.Text)
	}
	return f
}

func TestSampleBesidesTheFacts(t *testing.T) {
	dir := sourcetest.Sample(t)
	s := open(dir)
	l, err := s.List(context.Background())
	must(t, err)
	if len(l.Items) != 9 || l.Roots[0].Bytes != 191488 || l.Roots[0].Items != 9 {
		t.Errorf("%d items, %+v", len(l.Items), l.Roots)
	}
	details, err := s.Details(context.Background())
	must(t, err)
	expect.List(t, details[dir], []string{"1 session of sub-agents, which stand in the note of the session that they worked for", "written by version 1.18.34"}, details)
	healthz := sessionOf(t, dir, "ses_dfde2c9bfffeAsMCIC80gNOfop")
	turn := healthz.Turns[0]
	if turn.Assistant != "I'll look first.\n\n`/healthz` answers 200 now. The manual still says 204." || turn.Model != "scripted-model" || turn.Status != sources.Complete ||
		turn.Tools[3].Command != "git add -A && git commit -q -m 'httpx: healthz 200' && git log --oneline | head -1" || turn.Tools[2].Detail != "internal/httpx/router.go" {
		t.Errorf("%+v", turn)
	}
	crumbs := sessionOf(t, dir, "ses_dfde08454ffef5jXhHnXNIK1TF")
	if !crumbs.Rewound || crumbs.TakenBack[0].Assistant != "Done, `guides/start.md` has one." || !strings.Contains(crumbs.Checkpoints[0].Raw, "style of the breadcrumb") {
		t.Errorf("%+v, %+v", crumbs.TakenBack, crumbs.Checkpoints)
	}
	fork := sessionOf(t, dir, "ses_dfde06fa9ffeplIKHs4xxLIe6V")
	expect.Is(t, fork.Turns[0].ID, crumbs.Turns[0].ID, "a copied turn has another id than in the parent")
	worked := sessionOf(t, dir, "ses_dfde0c567ffeDEnEkeKu6DSGnB")
	if d := worked.Delegated[0]; d.ID != "ses_dfde0b87effe9FmxTquT4Mc3MR" || d.Name != "Count words (general)" || d.Answer != "24 words." {
		t.Errorf("%+v", d)
	}
}

// readOf reads a session of a home, which is listed once.
func readOf(t testing.TB, dir, id string) sources.Reading {
	t.Helper()
	s := open(dir)
	defer s.Close()
	l, err := s.List(context.Background())
	must(t, err)
	i := slices.IndexFunc(l.Items, func(it sources.Item) bool { return it.Session == id })
	if i < 0 {
		t.Fatalf("no item of %s among %d; %v", id, len(l.Items), l.Problems)
	}
	r, err := s.Read(context.Background(), l.Items[i])
	must(t, err)
	return r
}

func sessionOf(t testing.TB, dir, id string) *sources.Session {
	t.Helper()
	r := readOf(t, dir, id)
	if len(r.Layers) != 1 {
		t.Fatalf("%s: %+v", id, r)
	}
	return r.Layers[0].Session
}
