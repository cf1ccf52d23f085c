package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oddNames are what folders may be called on Linux, by those who make them in no
// file manager.
var oddNames = []string{
	"#hash", "what?", "100%", "100%41", "a&b=c;d", "line\nbreak", "tab\tand\rreturn", "bytes\xff\xfe", "esc\x1b[31mred", "-rf", "--vault", " blanks ", "dot.", "$HOME", "~",
	"`id`", "'quoted\"", "back\\slash", "C:", "star*", "[[x]]", "cafe\u0301", "caf\u00e9", "bidi\u202e", "👩‍💻", strings.Repeat("n", 255), strings.Repeat("é", 127),
}

// A vault, a history and a state folder below a folder of any name, or behind a
// link, are those of any other place.
func TestOddPlaces(t *testing.T) {
	points, runs := 0, 0
	for i := 0; i < len(oddNames); i += 1 + *every/2 {
		name := oddNames[i]
		dir := filepath.Join(memoryDir(t), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Logf("%q is no name here: %v", name, err)
			continue
		}
		points, runs = points+1, runs+firstPasses(t, fmt.Sprintf("below %q", name), placeIn(t, dir, small))
		if list, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(list) != 1 {
			t.Errorf("beside %q lie %v, %v", name, list, err)
		}
	}
	base := memoryDir(t)
	for _, dir := range []string{"real", "other"} {
		if err := os.Mkdir(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := placeIn(t, filepath.Join(base, "real"), small)
	p.must(os.Symlink("real", filepath.Join(base, "link")))
	p.must(os.Symlink(p.vault, filepath.Join(base, "vault")))
	q := *p
	q.dir, q.vault, q.home, q.state = filepath.Join(base, "other"), filepath.Join(base, "vault"), filepath.Join(base, "link/copilot"), filepath.Join(base, "link/state")
	q.sync(0)
	p.add(middle, 1)
	q.sync(0)
	p.steady("by its own path")
	p.add(large, 0.3)
	q.sync(0)
	p.sound("by its own path")
	points, runs = points+1, runs+4
	proved(t, "vault, history and state below folders of odd names, or behind links", points, runs, "as elsewhere; nothing is written beside")
}

// firstPasses takes a place through its first passes, and counts them.
func firstPasses(t *testing.T, what string, p *place) int {
	t.Helper()
	p.sync(0)
	p.must(edit(p.note("Home"), func(s string) string { return s + "\nMine.\n" }))
	p.add(middle, 1)
	p.sync(0)
	p.steady(what)
	p.holds(what, []string{"Mine."}, ".md")
	p.must(edit(p.note("Home"), func(s string) string { return strings.Replace(s, "\nMine.\n", "", 1) }))
	p.sound(what)
	return 4
}

// Where the path of a vault, a history or the state leaves no room for names, that
// is said; moved to where there is room all continues.
func TestPlacesTooDeep(t *testing.T) {
	runs, done := 0, 0
	for _, length := range thin([]int{4090, 3600, 3850, 3950, 4010, 4050, 4075}) {
		for _, which := range []string{"vault", "copilot", "state"} {
			p := newPlace(t, small)
			deep := p.dir
			for len(deep)+len(which)+1 < length {
				deep = filepath.Join(deep, strings.Repeat("d", min(200, length-len(deep)-len(which)-2)))
			}
			p.must(os.MkdirAll(deep, 0o700))
			q, at := *p, filepath.Join(deep, which)
			switch which {
			case "vault":
				q.vault = at
				p.must(os.Rename(p.vault, at))
			case "copilot":
				q.home = at
				p.must(os.Rename(p.home, at))
			case "state":
				q.state = at
			}
			out := q.run("sync")
			what := fmt.Sprintf("%s at a path of %d bytes", which, length)
			p.toldOf(what, out)
			runs++
			if out.code == 0 {
				done++
			}
			switch which {
			case "vault":
				p.must(os.Rename(at, p.vault))
			case "copilot":
				p.must(os.Rename(at, p.home))
			}
			p.sound(what + ", moved up")
		}
	}
	proved(t, fmt.Sprintf("vault, history or state at paths of 3600…4090 bytes (%d of %d take it)", done, runs), runs, runs, "one clear error, or done; moved up the next run completes the vault")
}
