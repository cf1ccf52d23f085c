package extract

import (
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const widgetKey = "github.com/octo-org/widget"

var lab = sources.Place{Cwd: "/home/dev/lab/latency"}

// memoriesOfTwo are the memory of a repository and that of a folder, with a text in common.
func memoriesOfTwo() *pile {
	return &pile{name: "tale", items: []*thing{
		memoryItem(memoryOf("shelf-1", "", lab, "build.md", "make all", "style.md", "tabs", "plot.md", "gnuplot")),
		memoryItem(memoryOf("shelf-2", "", widget, "build.md", "make", "style.md", "tabs")),
	}}
}

// The memory of a joined project is one set with that of the other, whenever it is joined, and
// parts from it with the setting, whatever the ledger knows.
func TestMemoryOfJoinedProjects(t *testing.T) {
	key := identity.ProjectOf(lab).Key
	folder, repo := "memory:"+key+":repo:", "memory:"+widgetKey+":repo:"
	apart := []string{folder + "build.md", folder + "plot.md", folder + "style.md", repo + "build.md", repo + "style.md"}
	for _, lost := range []bool{false, true} {
		b, src := newBench(t), memoriesOfTwo()
		b.mustSync(src)
		for range 2 {
			expect.List(t, b.ids("memory:"), apart, "ledger lost", lost, "apart: notes")
			b.join(map[string]string{key: widgetKey})
			if lost {
				must(t, os.RemoveAll(b.state))
			}
			b.mustSync(src)
			if got := b.ids("memory:"); len(got) != 4 || strings.Contains(strings.Join(got, " "), key) {
				t.Errorf("ledger lost %v, joined: notes %q", lost, got)
			}
			b.steady(true, src)
			b.join(nil)
			if lost {
				must(t, os.RemoveAll(b.state))
			}
			b.mustSync(src)
			b.steady(true, src)
		}
	}
}

// What was deleted of a project's memory stays so when it is joined; what was forgotten takes
// along what nobody else has.
func TestGoneMemoryOfJoinedProjects(t *testing.T) {
	key := identity.ProjectOf(lab).Key
	folder, repo := "memory:"+key+":repo:", "memory:"+widgetKey+":repo:"
	b, src := newBench(t), memoriesOfTwo()
	b.mustSync(src)
	must(t, os.Remove((&stage{bench: b}).find(folder+"plot.md")))
	b.mustSync(src)
	b.join(map[string]string{key: widgetKey})
	b.mustSync(src)
	if got := b.ids(repo + "plot.md"); len(got) > 0 {
		t.Errorf("a deleted memory came back: %q", got)
	}
	b.steady(false, src)
	must(t, b.pass(src, false, func(y *Engine) error {
		_, err := y.Restore(t.Context(), []string{folder + "plot.md"})
		return err
	}))
	if got := b.ids(repo + "plot.md"); len(got) != 1 {
		t.Errorf("restored: %q", got)
	}
	must(t, b.pass(src, false, func(y *Engine) error {
		_, err := y.Forget(t.Context(), []string{"project:" + key})
		return err
	}))
	expect.List(t, b.ids("memory:"), []string{repo + "build.md", repo + "style.md"}, "forgotten: notes")
	if text := b.text(repo + "style.md"); strings.Contains(text, key) {
		t.Errorf("the note tells of a forgotten project:\n%s", text)
	}
	b.steady(false, src)
}
