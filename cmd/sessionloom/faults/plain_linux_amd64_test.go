package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// both has a file system lack what either of two lacks.
func both(one, other judge) judge {
	return func(c call) fate {
		if f := one(c); f != (fate{}) {
			return f
		}
		return other(c)
	}
}

// poor are file systems that know less than a Linux disk does.
var poor = []struct {
	name  string
	lacks judge
}{
	{"no swap (EINVAL)", without(syscall.EINVAL, "renameat2")},
	{"no swap (ENOSYS)", without(syscall.ENOSYS, "renameat2")},
	{"no swap and no links", both(without(syscall.ENOSYS, "renameat2"), without(syscall.EPERM, "linkat", "link"))},
	{"no modes, or another owner", without(syscall.EPERM, "fchmod", "fchmodat", "chmod")},
	{"no sync of folders or ranges", without(syscall.EINVAL, "sync_file_range")},
}

// Where a file system cannot swap two files or make a second link, the vault comes
// out the same, and a kill at any call does as little harm.
func TestPoorFileSystems(t *testing.T) {
	needsTracing(t)
	for _, f := range few(4, poor) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			points, runs := 0, 0
			for _, d := range operations() {
				if *every > 1 && d.rare > 0 && (f.name != "no swap and no links" || d.name != "notes of days move") || d.name == "commit" {
					continue // git brings its own ways
				}
				if *every == sampled && len(d.words) == 0 {
					continue // a vault with words in it shows most
				}
				want := d.undisturbed(t)
				p := d.begin(t)
				if out := p.traced(inside(p, f.lacks), d.line(p)...); !d.done(out) {
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
						return f.lacks(c)
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
			proved(t, "file system that has "+f.name+", all operations, kill -9 at each call", points, runs, "as on a disk")
		})
	}
}

// A note that moves takes nobody's name, also where that can only be looked up.
func TestMoveOntoATakenName(t *testing.T) {
	needsTracing(t)
	const theirs = "This is my own day.\n"
	p := placeIn(t, memoryDir(t), small)
	p.sync(0)
	days, err := filepath.Glob(filepath.Join(p.vault, "Agents", "journal", "*-?? agents.md"))
	p.must(err)
	day := strings.Replace(days[0], " agents.md", ".md", 1)
	p.renameJournal()
	out := p.traced(inside(p, func(c call) fate {
		switch {
		case c.name == "renameat2":
			return fate{errno: syscall.ENOSYS}
		case c.name == "linkat" && filepath.Base(c.path) == filepath.Base(days[0]):
			p.must(os.WriteFile(day, []byte(theirs), 0o600)) // it was free a moment ago
			return fate{errno: syscall.EPERM}
		case c.name == "linkat":
			return fate{errno: syscall.EPERM}
		}
		return fate{}
	}), "sync")
	if out.code != 0 && out.code != 3 {
		t.Fatal(out)
	}
	if text, err := os.ReadFile(day); err != nil || string(text) != theirs {
		t.Fatalf("%q, %v: %s", text, err, out)
	}
	proved(t, "a note moves to a name that a human has, without swap and links", 1, 1, "theirs stays")
}

// A state folder that others can look into, on a file system that keeps no modes,
// is told of, and repair says why it stays so and continues.
func TestStateWithoutModes(t *testing.T) {
	needsTracing(t)
	p := placeIn(t, memoryDir(t), small)
	p.sync(0)
	states, err := filepath.Glob(filepath.Join(p.state, "*"))
	p.must(err)
	p.must(os.Chmod(states[0], 0o755))
	out := p.traced(inside(p, without(syscall.EPERM, "fchmodat")), "check", "--repair")
	if out.code != 4 || !strings.Contains(out.stdout, "left: its file system keeps no permissions") {
		t.Errorf("%s", out)
	}
	if out := p.run("check", "--repair"); out.code != 0 || !strings.Contains(out.stdout, "closed to all but you") {
		t.Errorf("where it can: %s", out)
	}
	proved(t, "state folder open to others that cannot be closed", 1, 1, "named with the reason by check and repair")
}
