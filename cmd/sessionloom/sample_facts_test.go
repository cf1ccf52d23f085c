package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/sources"
)

// fact is a line of what is known of a session of the sample, as its makers
// wrote it down. Files are those its own process noted.
type fact struct {
	id, title, project, began               string
	turns, checkpoints, todosDone, allTodos int
	kept, files, refs, branch               string
}

const (
	widgetKey  = "github.com/octo-org/widget"
	docsKey    = "github.com/octo-org/docs-site"
	latencyKey = "folder/latency-"
)

var sampleFacts = []fact{
	{id: "58b1bdc8-3166-4c53-8a35-44c3d1bd6483", title: "Add a signed token type in internal/auth so that the API can stop usin", project: widgetKey, began: "2026-05-11T09:02",
		turns: 2, files: "internal/auth/jwt.go internal/auth/jwt_test.go", refs: "commit 5f75d04,commit e8ed74b", branch: "main"},
	{id: "cf5558d9-9333-483f-9ef5-38d8fd72316d", title: "Run scripts/linkcheck.py and fix what it finds. Where a page is missin", project: docsKey, began: "2026-05-12T15:20",
		turns: 1, files: "content/guides/auth.md content/guides/start.md", refs: "commit 6570ed9", branch: "main"},
	{id: "202bc470-c8ca-4ad0-b68d-c621399ace13", title: "Clock skew in token checks", project: widgetKey, began: "2026-06-16T07:48",
		turns: 1, files: "internal/auth/jwt.go", refs: "commit c46020d", branch: "main"},
	{id: "238830e1-ab2e-466c-8938-ddf6a3b3b6fb", title: "JWT authentication for the widget API", project: widgetKey, began: "2026-11-02T09:11",
		turns: 3, todosDone: 4, allTodos: 5, kept: "file/curl-examples.md plan/plan.md", branch: "main", refs: "commit dcc04dd,commit 58598f7,pr 41",
		files: "internal/auth/middleware.go internal/auth/jwt.go internal/auth/middleware_test.go internal/httpx/router.go cmd/widgetd/main.go"},
	{id: "7524f8de-6567-42a5-9569-07102f5d4c6c", title: "Key rotation without logging everyone out", project: widgetKey, began: "2026-11-03T08:30",
		turns: 6, checkpoints: 3, refs: "commit 63eee27,commit 2ba9e72,commit 52e15d1,commit 5ab6ffd,issue 42,pr 43", branch: "key-rotation",
		files: "internal/auth/jwt.go internal/auth/keyring.go internal/auth/keyring_test.go internal/auth/middleware.go internal/httpx/router.go internal/auth/keyfile.go"},
	{id: "8612c3a0-b47f-46ff-9df4-6de928a8d4c3", title: "Flaky TestExpiry in internal/store", project: widgetKey, began: "2026-11-04T13:05",
		turns: 2, files: "internal/store/store.go internal/auth/jwt_test.go internal/auth/jwt.go", refs: "commit 3ee38ba,commit ec17bf5", branch: "key-rotation"},
	{id: "f7cdb2e6-22b7-413d-8ab6-33862dd1bf0d", title: "Rate limit per client", project: widgetKey, began: "2026-11-05T10:02",
		turns: 2, files: "internal/httpx/ratelimit.go", refs: "commit 3a79bc9", branch: "key-rotation"},
	{id: "e8fd532a-9e25-427d-8fd6-043a73edc0ba", title: "Search for the manual", project: docsKey, began: "2026-11-05T16:20",
		turns: 2, files: "scripts/index.py", refs: "commit d3872ae", branch: "main"},
	{id: "43cd92ce-3731-4a2a-b5af-640b153c9d8f", title: "Search for the manual (fork)", project: docsKey, began: "2026-11-05T16:27",
		turns: 1, kept: "research/stemming.md", branch: "main"}, // two more are its parent's
	{id: "67da5aa5-90c3-4d99-8756-85d51c1d0246", title: "Guide: signing in with tokens 🔑", project: docsKey, began: "2026-11-06T15:41",
		turns: 2, files: "content/guides/auth-new.md content/guides/auth.md", refs: "commit 18002d4,commit 30771fd", branch: "main"},
	{id: "7a241af3-eeba-4c06-b3d9-35b3bedd4547", title: "Profile the verifier with pprof for a minute and tell me the hot spots.", project: widgetKey, began: "2026-11-09T11:30",
		turns: 2, branch: "key-rotation"},
	{id: "a61cce10-15df-453a-816c-b35e34802980", title: "Security audit of internal/auth before v0.4", project: widgetKey, began: "2026-11-10T09:05",
		turns: 1, kept: "file/threats.csv research/auth-audit.md", files: "internal/auth/jwt.go", refs: "commit 0b8493d", branch: "key-rotation"},
	{id: "f2d13b7c-046c-4350-84fc-d29aa37f6244", title: "レイテンシ計測のまとめ 📈", project: latencyKey, began: "2026-11-10T17:12", turns: 2, files: "percentiles.py"},
	{id: "83913992-2663-4622-a4cb-6b3ac3ab7bd9", title: "🔥 Renderer: `---`, [[links]] & <% templates %>", project: widgetKey, began: "2026-11-11T10:00",
		turns: 2, files: "internal/httpx/escape_test.go internal/httpx/router.go", refs: "commit 0e4f980", branch: "key-rotation"},
	{id: "fce8588b-9f08-4112-9d1e-39ab7a9455fc", title: "Which pages of the manual have no title line?", project: docsKey, began: "2026-11-12T09:31", turns: 1, branch: "main"},
	{id: "b298a1e7-38aa-4f2f-bab3-7f6788b77fe5", title: "errors.Is in internal/auth", project: widgetKey, began: "2026-11-12T14:03", // so it is called in VS Code
		turns: 1, kept: "memory/notes.md", files: "internal/auth/keyring.go internal/auth/jwt.go", refs: "commit ad8fe6b", branch: "key-rotation"},
	{id: "78151c9b-f0fd-4545-932d-fd56681b286e", title: "Release v0.4.0: changelog – „Schlüsselwechsel“", project: widgetKey, began: "2026-11-13T08:50",
		turns: 2, files: "CHANGELOG.md README.md", refs: "commit d3d8546,pr 44,issue 45", branch: "key-rotation"},
	{id: "9292b758-5ff8-474b-b5b4-aaed6fda88d1", title: "Add a page guides/rotation.md from the section in guides/auth.md, and", project: docsKey, began: "2026-11-13T15:10",
		turns: 3, files: "content/guides/rotation.md content/_index.md", refs: "commit d7c50c9", branch: "main"},
}

// What the makers of the sample know of it is in the notes and in the export.
func TestSampleFacts(t *testing.T) {
	t.Parallel()
	_, tree := weaveSample(t)
	notes, exported := notesByID(t, tree), exportSample(t)
	sessions := 0
	for id := range notes {
		if strings.HasPrefix(id, "session:") {
			sessions++
		}
	}
	const others = 9 // of Claude Code, Codex, opencode and Gemini CLI, whose readers have tables of facts of their own
	if want := len(sampleFacts) + len(chatFacts) + others; sessions != want || len(exported) != want {
		t.Errorf("%d session notes, %d exported sessions, want %d", sessions, len(exported), want)
	}
	for _, f := range sampleFacts {
		t.Run(f.title, func(t *testing.T) {
			f.compare(t, "note", factOfNote(f, notes))
			f.compare(t, "export", factOfExport(f, exported[f.id]))
		})
	}
}

// compare reports how a fact differs; of the files all that are known must be there.
func (f fact) compare(t *testing.T, where string, got fact) {
	t.Helper()
	for path := range strings.FieldsSeq(f.files) {
		if !slices.Contains(strings.Fields(got.files), path) {
			t.Errorf("%s: %s is not among the files %s", where, path, got.files)
		}
	}
	f.files, got.files = "", ""
	if !strings.HasPrefix(got.title, f.title) || !strings.HasPrefix(got.project, f.project) || !strings.HasPrefix(got.began, f.began) {
		t.Errorf("%s: %q in %q at %q, want %q in %q at %q", where, got.title, got.project, got.began, f.title, f.project, f.began)
	}
	got.title, got.project, got.began = f.title, f.project, f.began
	if got != f {
		t.Errorf("%s:\n%+v, want\n%+v", where, got, f)
	}
}

func factOfNote(f fact, notes map[string]noteProperties) fact {
	n := notes["session:"+f.id]
	title := strings.ReplaceAll(n.Title, "< %", "<%") // no note may hold what opens a template
	got := fact{id: f.id, title: title, project: n.Project, began: n.Created, turns: n.Turns, checkpoints: n.Checkpoints,
		files: strings.Join(n.Files, " "), refs: strings.Join(n.Refs, ","), branch: n.Branch,
		allTodos: f.allTodos, todosDone: f.todosDone} // todos are boxes among others
	for i := 1; i <= 9; i++ {
		if _, ok := notes[fmt.Sprintf("checkpoint:%s:%d", f.id, i)]; ok != (i <= n.Checkpoints) {
			got.checkpoints = -i
		}
	}
	var kept []string
	for _, name := range []string{"file/curl-examples.md", "file/threats.csv", "memory/notes.md", "plan", "research/auth-audit.md", "research/stemming.md"} {
		if _, ok := notes["memory:"+f.id+":"+name]; ok {
			if name == "plan" {
				name = "plan/plan.md"
			}
			kept = append(kept, name)
		}
	}
	got.kept = strings.Join(kept, " ")
	return got
}

func factOfExport(f fact, e extract.Exported) fact {
	got := fact{id: e.ID, title: e.Title, project: e.Project.Key, began: e.Created.Format("2006-01-02T15:04"),
		turns: len(e.Turns), checkpoints: len(e.Checkpoints), allTodos: len(e.Todos), branch: e.Branch}
	for _, x := range e.Todos {
		if x.Status == sources.TodoDone {
			got.todosDone++
		}
	}
	var kept, files, refs []string
	for _, a := range e.Artifacts {
		kept = append(kept, a.Kind+"/"+a.Name)
	}
	for _, x := range e.Files {
		for _, root := range []string{"/home/dev/src/widget/", "/home/dev/src/docs-site/", "/home/dev/lab/latency/"} {
			x.Path = strings.TrimPrefix(x.Path, root)
		}
		if x.Kind == sources.Created || x.Kind == sources.Edited {
			files = append(files, x.Path)
		}
	}
	for _, r := range e.Refs {
		refs = append(refs, r.Type+" "+r.Value)
	}
	slices.Sort(kept)
	got.kept, got.files, got.refs = strings.Join(kept, " "), strings.Join(files, " "), strings.Join(refs, ",")
	return got
}
