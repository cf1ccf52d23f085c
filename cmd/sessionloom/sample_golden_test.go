package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/sources"
)

// weaveSample weaves the built-in sample into a new vault.
func weaveSample(t *testing.T) (vault string, notes contents) {
	t.Helper()
	vault = filepath.Join(t.TempDir(), "vault")
	createFixedVault(t, vault)
	_, stderr, code := loomRun(t, "", "sync", "--sample", "--vault", vault, "--state", vault+".state")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return vault, walk(t, vault)
}

// The vault of the sample is committed, to be read.
func TestSampleIsTheGoldenVault(t *testing.T) {
	t.Parallel()
	_, notes := weaveSample(t)
	a := txtar.Archive{Comment: []byte("The vault that sessionloom sync --sample makes.\n\n")}
	for _, path := range slices.Sorted(maps.Keys(notes)) {
		a.Files = append(a.Files, txtar.File{Name: path, Data: []byte(notes[path].text)})
	}
	compareGolden(t, "golden/sample", a)
}

// fact is a line of what is known of a session of the sample, as its makers
// wrote it down. Files are those its own process noted.
type fact struct {
	id, title, project, began                    string
	turns, rows, checkpoints, todosDone, allTodos int // rows: turns in the store
	kept, files, refs, branch                    string
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
		turns: 3, todosDone: 4, allTodos: 5, kept: "plan/plan.md file/curl-examples.md", branch: "main", refs: "commit dcc04dd,commit 58598f7,pr 41",
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
		turns: 1, kept: "research/auth-audit.md file/threats.csv", files: "internal/auth/jwt.go", refs: "commit 0b8493d", branch: "key-rotation"},
	{id: "f2d13b7c-046c-4350-84fc-d29aa37f6244", title: "レイテンシ計測のまとめ 📈", project: latencyKey, began: "2026-11-10T17:12", turns: 2, files: "percentiles.py"},
	{id: "83913992-2663-4622-a4cb-6b3ac3ab7bd9", title: "🔥 Renderer: `---`, [[links]] & <% templates %>", project: widgetKey, began: "2026-11-11T10:00",
		turns: 2, files: "internal/httpx/escape_test.go internal/httpx/router.go", refs: "commit 0e4f980", branch: "key-rotation"},
	{id: "fce8588b-9f08-4112-9d1e-39ab7a9455fc", title: "Which pages of the manual have no title line?", project: docsKey, began: "2026-11-12T09:31", turns: 1, branch: "main"},
	{id: "b298a1e7-38aa-4f2f-bab3-7f6788b77fe5", title: "errors.Is in internal/auth", project: widgetKey, began: "2026-11-12T14:03", // so it is called in VS Code
		turns: 1, files: "internal/auth/keyring.go internal/auth/jwt.go", refs: "commit ad8fe6b", branch: "key-rotation"},
	{id: "78151c9b-f0fd-4545-932d-fd56681b286e", title: "Release v0.4.0: changelog – „Schlüsselwechsel“", project: widgetKey, began: "2026-11-13T08:50",
		turns: 2, files: "CHANGELOG.md README.md", refs: "commit d3d8546,pr 44,issue 45", branch: "key-rotation"},
	{id: "9292b758-5ff8-474b-b5b4-aaed6fda88d1", title: "Add a page guides/rotation.md from the section in guides/auth.md, and", project: docsKey, began: "2026-11-13T15:10",
		turns: 3, files: "content/guides/rotation.md content/_index.md", refs: "commit d7c50c9", branch: "main"},
}

// noteProperties are the properties of a note the facts are compared with.
type noteProperties struct {
	ID, Title, Branch, Type, Created string
	Turns                            int    `yaml:"turn_count"`
	Checkpoints                      int    `yaml:"checkpoint_count"`
	Sessions                         int    `yaml:"session_count"`
	Project                          string `yaml:"project_key"`
	Parent                           string `yaml:"parent_id"`
	Files, Refs                      []string
	text                             string
}

// notesByID reads the frontmatter of all notes.
func notesByID(t *testing.T, notes contents) map[string]noteProperties {
	t.Helper()
	out := map[string]noteProperties{}
	for path, f := range notes {
		front, body, ok := strings.Cut(strings.TrimPrefix(f.text, "---\n"), "\n---\n")
		if !ok || !strings.HasSuffix(path, ".md") {
			continue
		}
		p := noteProperties{text: body}
		if err := yaml.Unmarshal([]byte(front), &p); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		out[p.ID] = p
	}
	return out
}

func exportSample(t *testing.T) map[string]extract.Exported {
	t.Helper()
	stdout, stderr, code := loomRun(t, "", "export", "--sample", "--state", t.TempDir())
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	out := map[string]extract.Exported{}
	for line := range strings.Lines(stdout) {
		var e extract.Exported
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		out[e.ID] = e
	}
	return out
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
	if sessions != len(sampleFacts) || len(exported) != len(sampleFacts) {
		t.Errorf("%d session notes, %d exported sessions, want %d", sessions, len(exported), len(sampleFacts))
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
	got := fact{id: f.id, title: n.Title, project: n.Project, began: n.Created, turns: n.Turns, checkpoints: n.Checkpoints,
		files: strings.Join(n.Files, " "), refs: strings.Join(n.Refs, ","), branch: n.Branch,
		allTodos: f.allTodos, todosDone: f.todosDone} // todos are boxes among others
	for i := 1; i <= 9; i++ {
		if _, ok := notes["checkpoint:"+f.id+":"+string(rune('0'+i))]; ok != (i <= n.Checkpoints) {
			got.checkpoints = -i
		}
	}
	var kept []string
	for _, name := range []string{"plan", "research/stemming.md", "research/auth-audit.md", "file/threats.csv", "file/curl-examples.md"} {
		if _, ok := notes["memory:"+f.id+":"+name]; ok {
			kept = append(kept, strings.Replace(name+".", "plan.", "plan/plan.md.", 1))
		}
	}
	got.kept = strings.TrimSuffix(strings.ReplaceAll(strings.Join(kept, " ")+" ", ". ", " "), " ")
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
	got.kept, got.files, got.refs = strings.Join(kept, " "), strings.Join(files, " "), strings.Join(refs, ",")
	return got
}

// The rest of what is known of the sample: what must not be there, and what
// spans sessions.
func TestSampleHoldsItsPromises(t *testing.T) {
	t.Parallel()
	_, tree := weaveSample(t)
	notes := notesByID(t, tree)
	for path, want := range map[string]int{
		"internal/auth/jwt.go": 7, "internal/httpx/router.go": 3, "internal/auth/jwt_test.go": 2,
		"internal/auth/keyring.go": 2, "internal/auth/middleware.go": 2,
	} { // seven: one session of an old version has edits in its log alone
		if n := notes["file:"+widgetKey+":"+path]; n.Sessions != want {
			t.Errorf("the note of %s knows %d sessions, want %d", path, n.Sessions, want)
		}
	}
	if n := notes["file:"+docsKey+":content/guides/auth.md"]; n.Sessions != 2 {
		t.Errorf("the note of auth.md knows %d sessions, want 2", n.Sessions)
	}
	fork := notes["session:43cd92ce-3731-4a2a-b5af-640b153c9d8f"]
	if fork.Parent != "e8fd532a-9e25-427d-8fd6-043a73edc0ba" || strings.Contains(fork.text, "Take option 1") {
		t.Error("the fork does not name its parent or repeats it")
	}
	if !strings.Contains(notes["session:e8fd532a-9e25-427d-8fd6-043a73edc0ba"].text, "Search for the manual (fork)]]") {
		t.Error("the parent does not link its fork")
	}
	everything := ""
	for path, f := range tree {
		everything += path + "\n" + f.text
	}
	for what, word := range map[string]string{
		"a file that was taken back": "redis.go", "a deleted session": "angry reply", "the token": "ghp_SYNTHETIC",
		"the sub-agent's prompt": "You are a scout", "the injected time": "current_datetime", "a system prompt": "[system prompt removed]",
	} {
		if strings.Contains(everything, word) {
			t.Errorf("%s is in the vault: %q", what, word)
		}
	}
	for what, n := range map[string]int{"empty scaffold": strings.Count(everything, "850fca85"), "mask": 1 - strings.Count(everything, "[redacted:github-token#1]")} {
		if n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
	hostile := notes["session:83913992-2663-4622-a4cb-6b3ac3ab7bd9"].text
	for _, alive := range []string{"\n---\n", "> ---\n", "![[", "> %%", "<%", "<script", "<img", "```dataviewjs", "[[link]]\n", "#nottag "} {
		if inert := regexp.MustCompile("`[^`\n]*`").ReplaceAllString(hostile, ""); strings.Contains(inert, alive) {
			t.Errorf("the hostile session's note holds %q alive", alive)
		}
	}
}
