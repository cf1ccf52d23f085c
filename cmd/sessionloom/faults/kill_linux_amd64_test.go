package faults

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// At whatever call the program is killed, every file is whole at once, and the
// next run brings about what an undisturbed one does.
func TestKilledAtEveryWrite(t *testing.T) {
	needsTracing(t)
	for _, d := range deeds() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			want := d.undisturbed(t)
			points, runs := d.points(t), 0
			for n := d.first(); n <= points; n += d.stride() {
				p := d.begin(t)
				at := ""
				out := p.traced(nth(n, func(c call) fate { at = p.inPlace(c); return fate{kill: true} }), d.line(p)...)
				if out.code != -1 {
					continue // a run has a few calls more or less than another
				}
				runs++
				what := fmt.Sprintf("killed at call %d of %d, %s", n, points, at)
				p.whole(what, want)
				p.holds(what, d.words, "")
				d.end(p, what)
				p.as(what, want)
				p.holds(what, d.words, ".md")
				if t.Failed() {
					t.FailNow()
				}
			}
			proved(t, "kill -9 before each call that changes a file: "+d.name, points, runs,
				"every file old or new and whole at once; next run = undisturbed; nothing left over; a human's words stay")
		})
	}
}

func (d deed) stride() int {
	if *every > 1 {
		return *every * max(d.rare, 1)
	}
	return 1
}

// first is the first point that is tried: another one for each deed, so that few
// points are not always the same.
func (d deed) first() int { return 1 + len(d.name)%d.stride() }

// points counts the calls of the deed that change anything.
func (d deed) points(t *testing.T) int {
	t.Helper()
	p := d.begin(t)
	n := 0
	out := p.traced(func(c call) fate {
		if c.changes() && p.owns(c) {
			n++
		}
		return fate{}
	}, d.line(p)...)
	if out.code != 0 {
		t.Fatal(out)
	}
	return n
}

// nth judges the n-th call that changes anything.
func nth(n int, decide judge) judge {
	return func(c call) fate {
		if !c.changes() {
			return fate{}
		}
		if n--; n == 0 {
			return decide(c)
		}
		return fate{}
	}
}

// owns tells whether a call is about a file of the place.
func (p *place) owns(c call) bool { return strings.HasPrefix(c.path, p.dir+"/") }

// inPlace names a call for a message.
func (p *place) inPlace(c call) string { return c.name + " " + strings.TrimPrefix(c.path, p.dir+"/") }

// whole expects every file at a final path to be as it was or as it will be.
func (p *place) whole(what string, want result) {
	p.t.Helper()
	texts := map[[sha256.Size]byte]bool{} // of notes that stand at another place meanwhile
	for _, c := range want.before {
		texts[c.hash] = true
	}
	for _, c := range want.after {
		texts[c.hash] = true
	}
	for path, c := range tree(p.t, p.vault) {
		name := filepath.Base(path)
		if !c.mode.IsRegular() || strings.HasPrefix(name, ".tmp-") || strings.HasPrefix(path, ".git/") {
			continue
		}
		if !texts[c.hash] && !wholeNote(filepath.Join(p.vault, path)) {
			p.t.Errorf("%s: %q is neither as it was nor as it will be", what, path)
		}
	}
	for name, will := range want.extra {
		if text, err := os.ReadFile(filepath.Join(p.dir, name)); err == nil && p.anywhere(string(text)) != will {
			p.t.Errorf("%s: %q holds part of its text: %q", what, name, text)
		}
	}
}

// wholeNote tells whether a note is whole as it stands: where another note could
// not be written, it does not link to that one.
func wholeNote(path string) bool {
	text, err := os.ReadFile(path)
	begins, ends := strings.Count(string(text), "\n%% sessionloom:begin "), strings.Count(string(text), "\n%% sessionloom:end ")
	return err == nil && strings.HasSuffix(string(text), "\n") && strings.Contains(string(text), "\n%% sessionloom:props ") &&
		begins > 0 && begins == ends
}

// holds expects words of a human in some file of the vault whose name ends so.
func (p *place) holds(what string, words []string, suffix string) {
	p.t.Helper()
	var all strings.Builder
	p.must(filepath.WalkDir(p.vault, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(path, suffix) || strings.Contains(path, "/.git/") {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	for _, w := range words {
		if !strings.Contains(all.String(), w) {
			p.t.Errorf("%s: %q is lost", what, w)
		}
	}
}

// as expects the vault of an undisturbed run, and nothing left over anywhere.
func (p *place) as(what string, want result) {
	p.t.Helper()
	if d := differences(notGit(want.final), notGit(tree(p.t, p.vault)), false); d != "" {
		p.t.Errorf("%s: the vault (+) is not that of an undisturbed run (-):\n%s", what, d)
	}
	for _, name := range p.stateNames() {
		if !slices.Contains(want.state, name) {
			p.t.Errorf("%s: %q is left in the state folder", what, name)
		}
	}
	for name, will := range want.extra {
		if text, err := os.ReadFile(filepath.Join(p.dir, name)); err != nil || p.anywhere(string(text)) != will {
			p.t.Errorf("%s: %q holds %q (%v)", what, name, text, err)
		}
	}
}

// notGit leaves out what git keeps for itself.
func notGit(all contents) contents {
	all = maps.Clone(all)
	maps.DeleteFunc(all, func(path string, _ content) bool { return path == ".git" || strings.HasPrefix(path, ".git/") })
	return all
}
