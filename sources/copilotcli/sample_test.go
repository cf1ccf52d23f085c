package copilotcli_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata"
)

// fact is what is known of a session of the sample, which the CLI itself wrote.
type fact struct {
	id          string
	title       string // as the most trusted layer has it; cut titles end in …
	trust       sources.Trust
	turns       int // own turns, without those a fork was given
	checkpoints int
	plan        bool
	todos       string   // states of the list
	saved       []string // kinds and names of saved texts
	files       []string // that the store knows
	refs        []string
}

var facts = []fact{
	{id: "58b1bdc8-3166-4c53-8a35-44c3d1bd6483", title: "Add a signed token type in internal/auth so that the API can stop usin…",
		trust: sources.TrustPrompt, turns: 2, files: []string{"internal/auth/jwt.go", "internal/auth/jwt_test.go"}, refs: []string{"commit 5f75d04", "commit e8ed74b"}},
	{id: "cf5558d9-9333-483f-9ef5-38d8fd72316d", title: "Run scripts/linkcheck.py and fix what it finds. Where a page is missin…",
		trust: sources.TrustPrompt, turns: 1, files: []string{"content/guides/auth.md", "content/guides/start.md"}, refs: []string{"commit 6570ed9"}},
	{id: "202bc470-c8ca-4ad0-b68d-c621399ace13", title: "Clock skew in token checks", trust: sources.TrustUser, turns: 1},
	{id: "238830e1-ab2e-466c-8938-ddf6a3b3b6fb", title: "JWT authentication for the widget API", trust: sources.TrustUser, turns: 3, plan: true,
		todos: "done done done done open", saved: []string{"file/curl-examples.md"},
		files: []string{"cmd/widgetd/main.go", "internal/auth/jwt.go", "internal/auth/middleware.go", "internal/auth/middleware_test.go", "internal/httpx/router.go"},
		refs:  []string{"commit 58598f7", "commit dcc04dd", "pr 41"}},
	{id: "7524f8de-6567-42a5-9569-07102f5d4c6c", title: "Key rotation without logging everyone out", trust: sources.TrustUser, turns: 6, checkpoints: 3,
		files: []string{"internal/auth/jwt.go", "internal/auth/keyfile.go", "internal/auth/keyring.go", "internal/auth/keyring_test.go", "internal/auth/middleware.go", "internal/httpx/router.go"},
		refs:  []string{"commit 2ba9e72", "commit 52e15d1", "commit 5ab6ffd", "commit 63eee27", "issue 42", "pr 43"}},
	{id: "8612c3a0-b47f-46ff-9df4-6de928a8d4c3", title: "Flaky TestExpiry in internal/store", trust: sources.TrustUser, turns: 2,
		files: []string{"expiry.txt", "internal/auth/jwt.go", "internal/auth/jwt_test.go", "internal/store/store.go"}, refs: []string{"commit 3ee38ba", "commit ec17bf5"}},
	{id: "f7cdb2e6-22b7-413d-8ab6-33862dd1bf0d", title: "Rate limit per client", trust: sources.TrustUser, turns: 2},
	{id: "e8fd532a-9e25-427d-8fd6-043a73edc0ba", title: "Search for the manual", trust: sources.TrustUser, turns: 2,
		files: []string{"scripts/index.py"}, refs: []string{"commit d3872ae"}},
	{id: "43cd92ce-3731-4a2a-b5af-640b153c9d8f", title: "Search for the manual (fork)", trust: sources.TrustNamed, turns: 1, saved: []string{"research/stemming.md"}},
	{id: "67da5aa5-90c3-4d99-8756-85d51c1d0246", title: "Guide: signing in with tokens 🔑", trust: sources.TrustUser, turns: 2,
		files: []string{"content/guides/auth-new.md", "content/guides/auth.md"}, refs: []string{"commit 18002d4", "commit 30771fd"}},
	{id: "7a241af3-eeba-4c06-b3d9-35b3bedd4547", title: "Profile the verifier with pprof for a minute and tell me the hot spots.", trust: sources.TrustPrompt, turns: 2},
	{id: "a61cce10-15df-453a-816c-b35e34802980", title: "Security audit of internal/auth before v0.4", trust: sources.TrustUser, turns: 1,
		saved: []string{"file/threats.csv", "research/auth-audit.md"}, files: []string{"internal/auth/jwt.go"}, refs: []string{"commit 0b8493d"}},
	{id: "f2d13b7c-046c-4350-84fc-d29aa37f6244", title: "レイテンシ計測のまとめ 📈", trust: sources.TrustUser, turns: 2, files: []string{"percentiles.py"}},
	{id: "83913992-2663-4622-a4cb-6b3ac3ab7bd9", title: "🔥 Renderer: `---`, [[links]] & <% templates %>", trust: sources.TrustUser, turns: 2,
		files: []string{"internal/httpx/escape_test.go", "internal/httpx/router.go"}, refs: []string{"commit 0e4f980"}},
	{id: "fce8588b-9f08-4112-9d1e-39ab7a9455fc", title: "Which pages of the manual have no title line?", trust: sources.TrustPrompt, turns: 1},
	{id: "b298a1e7-38aa-4f2f-bab3-7f6788b77fe5", title: "errors.Is in internal/auth", trust: sources.TrustCustom, turns: 1,
		files: []string{"internal/auth/jwt.go", "internal/auth/keyring.go"}, refs: []string{"commit ad8fe6b"}},
	{id: "78151c9b-f0fd-4545-932d-fd56681b286e", title: "Release v0.4.0: changelog – „Schlüsselwechsel“", trust: sources.TrustUser, turns: 2,
		files: []string{"CHANGELOG.md", "README.md"}, refs: []string{"commit d3d8546", "issue 45", "pr 44"}},
	{id: "9292b758-5ff8-474b-b5b4-aaed6fda88d1", title: "Add a page guides/rotation.md from the section in guides/auth.md, and …", trust: sources.TrustPrompt, turns: 3,
		files: []string{"content/_index.md", "content/guides/rotation.md"}, refs: []string{"commit d7c50c9"}},
}

func TestSampleHoldsTheKnownFacts(t *testing.T) {
	dir := t.TempDir()
	must(t, testdata.WriteCopilotHome(dir))
	defer sourcetest.Untouched(t, dir)()
	s := copilotcli.New(copilotcli.Config{Homes: []string{dir}, TempDir: t.TempDir()})
	want := map[string]fact{}
	for _, f := range facts {
		want[f.id] = f
	}
	for item, reading := range sourcetest.Readings(t, s) {
		if item.Scaffold && len(reading.Layers) > 0 {
			t.Errorf("an empty folder gives %+v", reading.Layers)
		}
		if item.Kind == sources.KindSession && !item.Scaffold {
			f, ok := want[item.Session]
			if !ok {
				t.Errorf("unexpected session %s", item.Session)
			}
			delete(want, item.Session)
			f.compare(t, reading)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", slices.Sorted(maps.Keys(want)))
	}
	must(t, s.Close())
}

func TestSampleBesidesTheSessions(t *testing.T) {
	dir := t.TempDir()
	must(t, testdata.WriteCopilotHome(dir))
	s := copilotcli.New(copilotcli.Config{Homes: []string{dir}})
	defer s.Close()
	listing := list(t, s)
	if notes := strings.Join(listing.Roots[0].Notes, "\n"); !strings.Contains(notes, "empty session folders: 1") {
		t.Errorf("notes %q do not tell of the scaffold", notes)
	}
	multi := readKind(t, s, listing, sources.KindMemory)
	if want := []string{"fdc9dff8-7990-45d8-8ba3-a2aea84d01f7"}; !slices.Equal(multi.RowsOnly, want) || len(multi.Sessions) != 0 {
		t.Errorf("rows only: %v, %d sessions given unasked", multi.RowsOnly, len(multi.Sessions))
	}
	s = copilotcli.New(copilotcli.Config{Homes: []string{dir}, StoreOnly: true})
	defer s.Close()
	multi = readKind(t, s, list(t, s), sources.KindMemory)
	if len(multi.Sessions) != 1 {
		t.Fatalf("%d sessions of which rows are left", len(multi.Sessions))
	}
	gone := multi.Sessions[0].Layers[0].Session
	if gone.ID != multi.RowsOnly[0] || len(gone.Turns) != 1 || len(gone.Damage) != 1 || gone.TitleFrom != sources.TrustPrompt {
		t.Errorf("deleted session: %+v", gone)
	}
}

// compare looks at each layer for what it alone can know.
func (f fact) compare(t *testing.T, r sources.Reading) {
	t.Helper()
	var log, best sources.Session
	var todos []string
	var saved, files, refs []string
	var plan bool
	checkpoints := map[int]string{}
	for _, l := range r.Layers {
		s := l.Session
		if s.ID != f.id || s.Agent != "copilot-cli" {
			t.Errorf("%s: layer %s is of %q, %q", f.id, l.Name, s.ID, s.Agent)
		}
		if s.TitleFrom > best.TitleFrom {
			best = *s
		}
		switch l.Name {
		case "copilot-cli/events":
			log = *s
		case "copilot-cli/plan":
			plan = strings.Contains(s.Artifacts[0].Text, "- [x]")
		case "copilot-cli/todos":
			for _, todo := range s.Todos {
				todos = append(todos, todo.Status)
			}
		case "copilot-cli/sidecars":
			for _, a := range s.Artifacts {
				saved = append(saved, a.Kind+"/"+a.Name)
			}
			for _, c := range s.Checkpoints {
				checkpoints[c.Number] = c.Title
			}
		case "copilot-cli/store":
			for _, touch := range s.Files {
				files = append(files, relative(touch.Path))
			}
			for _, ref := range s.Refs {
				refs = append(refs, ref.Type+" "+ref.Value)
			}
			if len(s.Turns) > 0 {
				t.Errorf("%s: turns of the store beside a whole log", f.id)
			}
		}
	}
	slices.Sort(todos)
	slices.Sort(files)
	slices.Sort(refs)
	title, cut := strings.CutSuffix(f.title, "…")
	if best.Title != title && (!cut || !strings.HasPrefix(best.Title, title)) || best.TitleFrom != f.trust {
		t.Errorf("%s: title %q by trust %d", f.id, best.Title, best.TitleFrom)
	}
	log.Turns = slices.DeleteFunc(log.Turns, func(t sources.Turn) bool { return t.Inherited })
	if len(log.Turns) != f.turns || !log.Complete {
		t.Errorf("%s: %d turns, want %d", f.id, len(log.Turns), f.turns)
	}
	if len(checkpoints) != f.checkpoints || plan != f.plan || strings.Join(todos, " ") != f.todos {
		t.Errorf("%s: checkpoints %v, plan %v, todos %v", f.id, checkpoints, plan, todos)
	}
	if !slices.Equal(saved, f.saved) || !slices.Equal(files, f.files) || !slices.Equal(refs, f.refs) {
		t.Errorf("%s: saved %q\nfiles %q\nrefs %q", f.id, saved, files, refs)
	}
}

// relative cuts a path of the sample to that inside its project.
func relative(path string) string {
	for _, root := range []string{"/home/dev/src/widget/", "/home/dev/src/docs-site/", "/home/dev/lab/latency/"} {
		if rel, ok := strings.CutPrefix(path, root); ok {
			return rel
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}
