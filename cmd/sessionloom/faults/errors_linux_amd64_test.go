package faults

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// failures are what a disk answers when it cannot do what it is told to.
var failures = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EACCES, syscall.EROFS}

// Whatever call of a disk fails, once or from then on, is told of in one clear
// error, harms no file, is not taken for done, and is made up for by the next run.
func TestDiskFailsAtEveryWrite(t *testing.T) {
	needsTracing(t)
	for i, d := range sampledOperations(0) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			want := d.undisturbed(t)
			points, runs := d.points(t), 0
			for n := d.first(); n <= points; n += d.stride() {
				for k, errno := range failures {
					if (i > 1 || *every > 1) && (n/d.stride()+i)%len(failures) != k {
						continue // one of them at each point will do
					}
					runs++
					d.fails(t, want, fmt.Sprintf("%v at call %d of %d", errno, n, points), nth(n, failing(errno)))
					d.fails(t, want, fmt.Sprintf("%v from call %d of %d on", errno, n, points), fromNth(n, failing(errno)))
				}
			}
			proved(t, "ENOSPC, EDQUOT, EIO, EACCES, EROFS at each call that changes a file, once and from then on: "+d.name, points, 2*runs,
				"every file old or new; exit code 0 only if all is done; one error that names it; next run = undisturbed")
		})
	}
}

func failing(errno syscall.Errno) func(call) fate {
	return func(call) fate { return fate{errno: errno} }
}

// fromNth judges the n-th call that changes anything and all after it.
func fromNth(n int, decide func(call) fate) judge {
	return func(c call) fate {
		if !c.changes() {
			return fate{}
		}
		if n--; n > 0 {
			return fate{}
		}
		return decide(c)
	}
}

// fails does the operation with a fault in it, and expects what holds after any.
func (d operation) fails(t *testing.T, want result, what string, decide judge) {
	t.Helper()
	p := d.begin(t)
	at := ""
	out := p.traced(func(c call) fate {
		if !p.owns(c) {
			return fate{}
		}
		f := decide(c)
		if f != (fate{}) && at == "" {
			at = p.inPlace(c)
		}
		return f
	}, d.line(p)...)
	if at == "" {
		return // a run has a few calls more or less than another
	}
	what += ", " + at
	p.toldOf(what, out)
	p.whole(what, want)
	p.holds(what, d.words, "")
	if out.code == 0 {
		if diff := differences(notGit(want.after), notGit(tree(t, p.vault)), false); diff != "" && !strings.Contains(diff, "/.tmp-") {
			t.Errorf("%s: said to be done, but:\n%s%s", what, diff, out)
		}
	}
	d.end(p, what)
	p.as(what, want)
	p.holds(what, d.words, ".md")
	if t.Failed() {
		t.Fatal(out)
	}
}

// A note that is to lose a secret from its name and from the text that its user
// edited, and cannot be renamed once, loses it in the next run.
func TestRenameFailsUnderANewRule(t *testing.T) {
	needsTracing(t)
	d := undoing()[2]
	want := d.undisturbed(t)
	once := false
	d.fails(t, want, "EIO at the renaming of an edited note", func(c call) fate {
		if once || c.name != "renameat2" || !strings.Contains(c.path, slipped[0]) {
			return fate{}
		}
		once = true
		return fate{errno: syscall.EIO}
	})
	if !once {
		t.Error("no note was renamed")
	}
}
