package faults

import (
	"fmt"
	"syscall"
	"testing"
)

// without has a file system that does not know a call, as some network and FUSE
// file systems and older kernels do.
func without(errno syscall.Errno, names ...string) judge {
	return func(c call) fate {
		for _, name := range names {
			if c.name == name {
				return fate{errno: errno}
			}
		}
		return fate{}
	}
}

// poor are file systems that know less than a Linux disk does.
var poor = []struct {
	name  string
	lacks judge
}{
	{"no swap (EINVAL)", without(syscall.EINVAL, "renameat2")},
	{"no swap (ENOSYS)", without(syscall.ENOSYS, "renameat2")},
	{"no swap and no links", without(syscall.EPERM, "linkat", "link")},
	{"no sync of folders or ranges", without(syscall.EINVAL, "sync_file_range")},
}

// Where a file system cannot swap two files or make a second link, the vault comes
// out the same, and a kill at any call does as little harm.
func TestPoorFileSystems(t *testing.T) {
	needsTracing(t)
	for i, f := range poor {
		lacks := f.lacks
		if i == 2 { // renameat2 is missing there too
			swap := without(syscall.ENOSYS, "renameat2")
			lacks = func(c call) fate {
				if r := swap(c); r != (fate{}) {
					return r
				}
				return f.lacks(c)
			}
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			points, runs := 0, 0
			for _, d := range deeds() {
				if *every > 1 && d.rare > 0 && d.name != "layout changed, notes move" || d.name == "commit" {
					continue // git brings its own ways
				}
				want := d.undisturbed(t)
				p := d.begin(t)
				if out := p.traced(inside(p, lacks), d.line(p)...); out.code != 0 {
					t.Fatalf("%s: %s", d.name, out)
				}
				d.end(p, d.name)
				p.as(d.name, want)
				p.holds(d.name, d.words, ".md")
				stride := 4 * d.stride()
				all := d.points(t)
				points += all
				for n := d.first(); n <= all; n += stride {
					p := d.begin(t)
					at := ""
					kill := nth(n, func(c call) fate { at = p.inPlace(c); return fate{kill: true} })
					p.traced(inside(p, func(c call) fate {
						if k := kill(c); k.kill {
							return k
						}
						return lacks(c)
					}), d.line(p)...)
					if at == "" {
						continue
					}
					runs++
					what := fmt.Sprintf("%s: killed at call %d of %d, %s", d.name, n, all, at)
					p.whole(what, want)
					p.holds(what, d.words, "")
					d.end(p, what)
					p.as(what, want)
					p.holds(what, d.words, ".md")
					if t.Failed() {
						t.FailNow()
					}
				}
			}
			proved(t, "file system that has "+f.name+", all deeds, kill -9 at each call", points, runs, "as on a disk")
		})
	}
}
