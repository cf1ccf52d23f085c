package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"
)

// barely is how a file system is mounted that writes nothing by itself and hides
// no missing sync.
const barely = "noauto_da_alloc,commit=1000"

// beginOn is begin on a disk, with all of it settled there.
func (d operation) beginOn(k *disk, name string) *place {
	k.t.Helper()
	p := placeIn(k.t, filepath.Join(k.dir, name), small)
	d.prepare(p)
	k.resolve()
	return p
}

// When the power fails after the program said what it did, all of that is there.
func TestPowerFailsAfterTheReport(t *testing.T) {
	for _, d := range sampledOperations(2) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			k := newDisk(t, 48, barely)
			want := d.undisturbed(t)
			for _, how := range []uint32{cutJournal, cutAll} {
				p := d.beginOn(k, fmt.Sprint(how))
				if out := p.run(d.line(p)...); !d.done(out) {
					t.Fatal(out)
				}
				said := tree(t, p.vault)
				p.must(k.cut(how))
				k.restart()
				what := fmt.Sprintf("power cut %d after the report", how)
				if diff := differences(notGit(said), notGit(tree(t, p.vault)), false); diff != "" {
					t.Fatalf("%s: what was reported (-) is not there:\n%s", what, diff)
				}
				p.unlocked()
				d.end(p, what)
				p.as(what, want)
				p.holds(what, d.words, ".md")
			}
			proved(t, "power failure after the report (ext4 without auto_da_alloc, journal written and not): "+d.name, 2, 2,
				"every reported file is there, whole; next run = undisturbed")
		})
	}
}

// When it fails in the middle, every file is old or new and whole, and the state
// knows of nothing that the vault does not have.
func TestPowerFailsInTheMiddle(t *testing.T) {
	needsTracing(t)
	for _, d := range sampledOperations(3) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			k := newDisk(t, 200, barely)
			want := d.undisturbed(t)
			points, runs := d.points(t), 0
			stride := 3 * d.stride()
			for n := d.first(); n <= points; n += stride {
				how := uint32(cutJournal + n/stride%2)
				p := d.beginOn(k, fmt.Sprint(n))
				at := ""
				p.traced(inside(p, nth(n, func(c call) fate {
					at = p.inPlace(c)
					p.must(k.cut(how))
					return fate{kill: true}
				})), d.line(p)...)
				if at == "" {
					continue
				}
				runs++
				k.restart()
				what := fmt.Sprintf("power cut %d at call %d of %d, %s", how, n, points, at)
				p.whole(what, want)
				p.holds(what, d.words, "")
				p.unlocked()
				short := p.cutShort()
				d.end(p, what)
				p.begins(what, short)
				p.as(what, want)
				p.holds(what, d.words, ".md")
				if t.Failed() {
					t.FailNow()
				}
			}
			proved(t, "power failure before each call that changes a file: "+d.name, points, runs,
				"every file old or new and whole; next run = undisturbed; a human's words stay")
		})
	}
}

// cutShort takes the temporary files away that hold a part of what was to be written: a
// write was under way. Nobody can tell then whose text it is, so it would be put aside.
func (p *place) cutShort() (texts []string) {
	p.t.Helper()
	p.must(filepath.WalkDir(p.vault, func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(e.Name(), ".tmp-") {
			return err
		}
		text, err := os.ReadFile(path)
		begun := strings.TrimRight(string(text), "\x00")
		if err != nil || begun == "" || strings.Contains(e.Name(), note.Hash(text)) {
			return err
		}
		texts = append(texts, begun)
		return os.Remove(path)
	}))
	return texts
}

// begins checks that each of the texts begins a file of the vault.
func (p *place) begins(what string, texts []string) {
	p.t.Helper()
	for _, text := range texts {
		found := false
		p.must(filepath.WalkDir(p.vault, func(path string, e os.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			all, err := os.ReadFile(path)
			found = found || strings.HasPrefix(string(all), text)
			return err
		}))
		if !found {
			p.t.Errorf("%s: a temporary file holds what begins no file: %q", what, text)
		}
	}
}

// inside has a judge look only at what is in the place.
func inside(p *place, decide judge) judge {
	return func(c call) fate {
		if !p.owns(c) {
			return fate{}
		}
		return decide(c)
	}
}
