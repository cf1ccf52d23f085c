package extract

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// memoryOf is a memory with texts by name.
func memoryOf(id string, scope sources.Scope, place sources.Place, texts ...string) sources.Session {
	s := sources.Session{ID: id, IsMemory: true, Scope: scope, Place: place}
	for i := 0; i < len(texts); i += 2 {
		s.Artifacts = append(s.Artifacts, sources.Artifact{Kind: sources.Memory, Name: texts[i], Text: texts[i+1], At: at(i)})
	}
	return s
}

func memoryItem(s sources.Session) *thing {
	return of(s.ID, sources.KindMemory, false, "tale/"+s.ID[:6], sources.RankStore, s)
}

func TestMemoryOfOneProjectIsOneFamily(t *testing.T) {
	first := memoryItem(memoryOf("shelf-1", sources.ScopeRepo, widget, "style.md", "tabs", "build.md", "make all"))
	second := memoryItem(memoryOf("shelf-2", "", widget, "style.md", "tabs", "build.md", "make -j all", "test.md", "go test"))
	repo := "memory:github.com/octo-org/widget:repo:"
	want := []string{repo + "build.md", repo + "build.md-" + names.CollectionSuffix("shelf-2"), repo + "style.md", repo + "test.md"}
	for name, order := range map[string][]*thing{"in order": {first, second}, "the other first": {second, first}} {
		b := newBench(t)
		src := &pile{name: "tale"}
		for _, it := range order {
			src.items = append(src.items, it)
			b.mustSync(src)
		}
		expect.List(t, b.ids("memory:"), want, name, "notes")
		expect.Has(t, b.text(repo+"build.md"), "make all", name, "the first shelf's text is not where it belongs")
		b.steady(true, src)
	}
}

func TestTextThatTwoMemoriesComeToShareStandsOnce(t *testing.T) {
	b := newBench(t)
	second := memoryItem(memoryOf("shelf-2", "", widget, "build.md", "make -j"))
	src := &pile{name: "tale", items: []*thing{memoryItem(memoryOf("shelf-1", "", widget, "build.md", "make")), second}}
	b.mustSync(src)
	second.version++
	second.layers[0].Layers[0].Session.Artifacts[0].Text = "make"
	b.mustSync(src)
	if got := b.ids("memory:"); len(got) != 1 {
		t.Errorf("notes %q", got)
	}
	b.steady(false, src)
}

func TestMemoryFollowsItsFolderToTheRemote(t *testing.T) {
	for _, lost := range []bool{false, true} {
		b := newBench(t)
		src := &pile{name: "tale", items: []*thing{
			memoryItem(memoryOf("shelf-1", "", sources.Place{Cwd: "/home/dev/src/widget"}, "build.md", "make"))}}
		b.mustSync(src)
		if lost {
			must(t, os.RemoveAll(b.state))
		}
		src.items = append(src.items, of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget)))
		b.mustSync(src)
		expect.List(t, b.ids("memory:"), []string{"memory:github.com/octo-org/widget:repo:build.md"}, "ledger lost", lost, "notes")
		b.steady(true, src)
	}
}

// What a session taught about a folder is not lost with it: the memory's own notes
// say where they belong.
func TestMemoryStaysInTheRemoteNobodyElseKnows(t *testing.T) {
	b := newBench(t)
	folder := sources.Place{Cwd: "/home/dev/src/widget"}
	memory := memoryItem(memoryOf("shelf-1", "", folder, "build.md", "make"))
	src := &pile{name: "tale", items: []*thing{memory, of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget))}}
	b.mustSync(src)
	must(t, os.Remove((&stage{bench: b}).find("session:"+idA)))
	b.mustSync(src)
	must(t, os.RemoveAll(b.state))
	src.items = []*thing{memory, of("c", sources.KindSession, true, "tale/log", 0, chat(idC, 7, folder))}
	b.mustSync(src)
	expect.List(t, b.ids("memory:"), []string{"memory:github.com/octo-org/widget:repo:build.md"}, "notes")
	expect.List(t, b.ids("project:"), []string{"project:github.com/octo-org/widget"}, "the folder is not known to others: projects")
	b.steady(false, src)
}

func TestMemoryOfThePerson(t *testing.T) {
	b := newBench(t)
	src := &pile{name: "tale", items: []*thing{
		memoryItem(memoryOf("user-1", sources.ScopeUser, sources.Place{Cwd: "/home/dev/src/widget"}, "likes.md", "# Likes\n\ntabs\n")),
		memoryItem(memoryOf("user-2", sources.ScopeUser, sources.Place{}, "x:plan", "more")),
	}}
	b.mustSync(src)
	if got := b.ids("memory:"); !slices.Equal(got, []string{"memory:user:likes.md", "memory:user:x:plan"}) {
		t.Fatalf("notes %q", got)
	}
	if got := b.ids("project:"); len(got) != 0 {
		t.Errorf("projects %q", got)
	}
	text := b.text("memory:user:likes.md")
	if !strings.Contains(text, "for all projects") || !strings.Contains(text, "Up: [[Agents/Home|Home]]") || strings.Contains(text, "project_key") {
		t.Errorf("note:\n%s", text)
	}
	if home := b.text("home"); !strings.Contains(home, "## Memory\n\n- [[Agents/memory/") || !strings.Contains(home, "|Likes]]") {
		t.Errorf("home:\n%s", home)
	}
	b.steady(true, src)
	src.items = append(src.items, of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget)))
	b.mustSync(src)
	b.steady(true, src)
	s := &stage{bench: b}
	must(t, os.Remove(s.find("memory:user:likes.md")))
	b.mustSync(src)
	expect.Lacks(t, b.text("home"), "likes", "home still lists the deleted note")
	b.steady(false, src)
	must(t, b.pass(src, false, func(y *Engine) error {
		_, err := y.Restore(t.Context(), []string{"memory:user:likes.md"})
		return err
	}))
	if got := b.ids("memory:"); len(got) != 2 {
		t.Errorf("restored: %q", got)
	}
	b.steady(true, src)
}
