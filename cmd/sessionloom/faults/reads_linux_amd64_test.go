package faults

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// Whatever read of the history fails, the item is named and its notes stay as
// they were; where it gives less than was asked for, nothing is missing.
func TestReadsFail(t *testing.T) {
	needsTracing(t)
	d := operation{name: "session grew", prepare: growsEdited, args: []string{"sync"}, words: edits}
	want := d.undisturbed(t)
	history := func(p *place, c call) bool {
		return strings.HasPrefix(c.path, p.home+"/") && (c.name == "read" || c.name == "pread64" || c.name == "openat" || c.name == "getdents64")
	}
	points := 0
	counter := d.begin(t)
	counter.traced(func(c call) fate {
		if history(counter, c) {
			points++
		}
		return fate{}
	}, "sync")
	runs, short := 0, 0
	step := (*every + 5) / 6
	if *every == sampled {
		step = points/2 + 1
	}
	for n := 1; n <= points; n += step {
		p := d.begin(t)
		k, at := 0, ""
		out := p.traced(func(c call) fate {
			if !history(p, c) {
				return fate{}
			}
			if k++; k != n {
				return fate{}
			}
			at = p.inPlace(c)
			return fate{errno: syscall.EIO}
		}, "sync")
		if at == "" {
			continue
		}
		runs++
		what := fmt.Sprintf("EIO at read %d of %d, %s", n, points, at)
		p.toldOf(what, out)
		if out.code == 0 && differences(want.after, tree(t, p.vault), false) != "" {
			t.Errorf("%s: said to be done: %s", what, out)
		}
		p.whole(what, want)
		d.end(p, what)
		p.as(what, want)
		if t.Failed() {
			t.Fatal(out)
		}
	}
	for _, which := range []string{"read", "write"} {
		p := d.begin(t)
		out := p.traced(func(c call) fate {
			if p.owns(c) && c.name == which && !strings.Contains(c.path, "/ledger.db") {
				short++
				return fate{half: true}
			}
			return fate{}
		}, "sync")
		if out.code != 0 {
			t.Errorf("every %s does half: %s", which, out)
		}
		d.end(p, which)
		p.as(which, want)
	}
	proved(t, "EIO at each read, open and listing of the history", points, runs, "named, exit code 3 (or read another way); next run = undisturbed")
	proved(t, "each read and write does half of what it is asked for", short, 2, "as undisturbed")
}

// A close that fails is a write that may not be on the disk.
func TestCloseFails(t *testing.T) {
	needsTracing(t)
	d := operationOf(t, "session grew, notes edited")
	want := d.undisturbed(t)
	closes := func(p *place, c call) bool {
		return c.name == "close" && strings.HasPrefix(c.path, p.vault) && strings.Contains(c.path, "/.tmp-")
	}
	points := 0
	p := d.begin(t)
	p.traced(func(c call) fate {
		if closes(p, c) {
			points++
		}
		return fate{}
	}, d.line(p)...)
	runs := 0
	for n := 1; n <= points; n += max(1, *every/8) {
		runs++
		k := 0
		d.fails(t, want, fmt.Sprintf("EIO at close %d of %d", n, points), func(c call) fate {
			if c.name != "close" || !strings.Contains(c.path, "/vault/") || !strings.Contains(c.path, "/.tmp-") {
				return fate{}
			}
			if k++; k != n {
				return fate{}
			}
			return fate{errno: syscall.EIO}
		})
	}
	proved(t, "EIO at each close of a file that was written", points, runs, "not taken for done; next run = undisturbed")
}
