package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// group is a control group that may have so much memory and no more.
type group struct{ dir string }

// newGroup makes one, or skips.
func newGroup(t *testing.T, bytes int) group {
	t.Helper()
	parent, limits := "/sys/fs/cgroup/memory", []string{"memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}
	if _, err := os.Stat(filepath.Join(parent, limits[0])); err != nil {
		parent, limits = "/sys/fs/cgroup", []string{"memory.max", "memory.swap.max"}
	}
	g := group{filepath.Join(parent, fmt.Sprintf("sessionloom-faults-%d-%d", os.Getpid(), bytes))}
	if err := os.Mkdir(g.dir, 0o755); err != nil {
		t.Skipf("no control group may be made here: %v", err)
	}
	t.Cleanup(func() {
		for range 100 { // its last process may not be gone yet
			if os.Remove(g.dir) == nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	for i, limit := range limits {
		value := bytes
		if limit == "memory.swap.max" {
			value = 0
		}
		if err := os.WriteFile(filepath.Join(g.dir, limit), fmt.Append(nil, value), 0); err != nil && i == 0 {
			t.Skipf("its memory cannot be limited: %v", err)
		}
	}
	return g
}

// wrapper starts a program in the group.
func (g group) wrapper() []string {
	return []string{"sh", "-c", `echo $$ >"$0/cgroup.procs" && exec "$@"`, g.dir}
}

// A pass that is refused memory is killed by the system, wherever it is, or ends as
// any other; the vault is whole and the next pass continues.
func TestMemoryRefused(t *testing.T) {
	d := operation{name: "session grew", prepare: growsEdited, args: []string{"sync"}, words: edits}
	want := d.undisturbed(t)
	points, killed := 0, 0
	limits := []int{256 << 10} // KiB, none is refused these
	for kib := 4 << 10; kib <= 28<<10; kib += 256 * (1 + *every) {
		limits = append(limits, kib)
	}
	for _, kib := range limits {
		p := placeIn(t, t.TempDir(), small)
		d.prepare(p)
		g := newGroup(t, kib<<10)
		out := p.runUnder(g.wrapper(), d.line(p)...)
		points++
		what := fmt.Sprintf("%d KiB", kib)
		if out.code == 137 || out.code == -1 {
			killed++
		} else {
			p.toldOf(what, out)
		}
		p.whole(what, want)
		p.holds(what, d.words, "")
		d.end(p, what)
		p.as(what, want)
		p.holds(what, d.words, ".md")
	}
	if killed == 0 || killed == points {
		t.Errorf("%d of %d were killed: the limits are not those that matter", killed, points)
	}
	proved(t, fmt.Sprintf("memory of a control group: 4…28 and 256 MiB (%d of %d killed for it)", killed, points), points, points,
		"killed or done; every file old or new and whole; next run = undisturbed; a human's words stay")
}

// A soft limit, as a service may set it, costs time and nothing else.
func TestSoftMemoryLimit(t *testing.T) {
	runs := 0
	for _, limit := range thin([]string{"4MiB", "1", "32MiB"}) {
		p := placeIn(t, memoryDir(t), small, middle)
		out := p.runUnder([]string{"env", "GOMEMLIMIT=" + limit, "GOGC=10"}, "sync")
		if out.code != 0 || strings.Contains(out.stderr, "error") {
			t.Errorf("%s: %s", limit, out)
		}
		runs++
		p.sound(limit)
	}
	proved(t, "GOMEMLIMIT of 1 byte…32 MiB", 3, runs, "slower, the same vault")
}
