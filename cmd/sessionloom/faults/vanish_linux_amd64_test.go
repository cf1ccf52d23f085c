package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// elsewhere is a way in which a folder may be gone of a sudden, and how it comes back.
type elsewhere struct {
	name  string
	gone  func(p *place) error
	back  func(p *place) error // nil: it does not
	first func(p *place)       // before the program runs
}

// aways are what may happen to a vault.
func aways() []elsewhere {
	moved := func(dir func(*place) string) (gone, back func(*place) error) {
		return func(p *place) error { return os.Rename(dir(p), dir(p)+".away") },
			func(p *place) error { return os.Rename(dir(p)+".away", dir(p)) }
	}
	vault := elsewhere{name: "vault renamed"}
	vault.gone, vault.back = moved(func(p *place) string { return p.vault })
	folder := elsewhere{name: "folder of the notes renamed"}
	folder.gone, folder.back = moved(func(p *place) string { return filepath.Join(p.vault, "Agents") })
	return []elsewhere{
		vault, folder,
		{name: "vault unmounted", first: func(p *place) {
			p.must(os.Rename(p.vault, p.vault+".disk"))
			p.must(os.Mkdir(p.vault, 0o700))
			if out, err := exec.Command("mount", "--bind", p.vault+".disk", p.vault).CombinedOutput(); err != nil {
				p.t.Skipf("nothing may be mounted here: %s", out)
			}
			p.t.Cleanup(func() { _ = exec.Command("umount", "-l", p.vault).Run() })
		}, gone: func(p *place) error { return exec.Command("umount", "-l", p.vault).Run() },
			back: func(p *place) error { return exec.Command("mount", "--bind", p.vault+".disk", p.vault).Run() }},
		{name: "vault deleted", gone: func(p *place) error { return os.RemoveAll(p.vault) }},
		{name: "folder of the notes emptied", gone: func(p *place) error {
			return errors.Join(os.RemoveAll(filepath.Join(p.vault, "Agents")), os.Mkdir(filepath.Join(p.vault, "Agents"), 0o700))
		}},
	}
}

// A vault that vanishes under the program is not made again, and nothing in it
// counts as deleted. Where it comes back all continues.
func TestVaultVanishes(t *testing.T) {
	needsTracing(t)
	d := operation{name: "session grew", prepare: growsEdited, args: []string{"sync"}, words: edits}
	want := d.undisturbed(t)
	points := d.points(t)
	for _, a := range few(3, aways()) {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			runs := 0
			for _, n := range calls(1, points, 2**every-1) {
				p := d.begin(t)
				if a.first != nil {
					a.first(p)
				}
				at := ""
				out := p.traced(inside(p, nth(n, func(c call) fate {
					at = p.inPlace(c)
					p.must(a.gone(p))
					return fate{}
				})), d.line(p)...)
				if at == "" {
					continue
				}
				runs++
				what := fmt.Sprintf("%s at call %d of %d, %s", a.name, n, points, at)
				p.toldOf(what, out)
				p.notMadeAnew(what)
				if next := p.run("sync"); next.code != 1 {
					t.Errorf("%s: the next pass has no vault: %s", what, next)
				}
				p.notMadeAnew(what)
				if a.back != nil {
					p.must(a.back(p))
					p.whole(what, want)
					d.end(p, what)
					p.as(what, want)
					p.holds(what, d.words, ".md")
				}
				if t.Failed() {
					t.Fatal(out)
				}
			}
			proved(t, "vault gone in the middle of a pass: "+a.name, points, runs,
				"not made anew, no tombstone; the next pass refuses; once it is back all goes on")
		})
	}
}

// notMadeAnew expects nothing if the vault was.
func (p *place) notMadeAnew(what string) {
	p.t.Helper()
	for _, name := range []string{"Agents/.sessionloom", "Agents/Home.md"} {
		if _, err := os.Lstat(filepath.Join(p.vault, name)); !errors.Is(err, fs.ErrNotExist) {
			p.t.Errorf("%s: there is a %q again", what, name)
		}
	}
}

// A state folder that vanishes costs a fresh look at everything and no note.
func TestStateVanishes(t *testing.T) {
	needsTracing(t)
	d := operation{name: "session grew", prepare: growsEdited, args: []string{"sync"}, words: edits}
	points, runs := d.points(t), 0
	for _, n := range calls(1, points, 2**every-1) {
		p := d.begin(t)
		at := ""
		out := p.traced(inside(p, nth(n, func(c call) fate {
			at = p.inPlace(c)
			p.must(os.RemoveAll(p.state))
			return fate{}
		})), d.line(p)...)
		if at == "" {
			continue
		}
		runs++
		what := fmt.Sprintf("state deleted at call %d of %d, %s", n, points, at)
		p.toldOf(what, out)
		p.holds(what, d.words, ".md")
		p.sync(0)
		p.steady(what)
		p.holds(what, d.words, ".md")
		if _, err := os.Lstat(filepath.Join(p.vault, "Agents/.sessionloom/tombstones")); err == nil {
			t.Errorf("%s: something counts as deleted", what)
		}
		if t.Failed() {
			t.Fatal(out)
		}
	}
	proved(t, "state folder deleted in the middle of a pass", points, runs, "no note lost, none deleted; the next pass begins anew")
}
