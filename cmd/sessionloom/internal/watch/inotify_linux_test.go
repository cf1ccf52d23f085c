package watch_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/watch"
)

// real is a loop on the system's own events, with short waits.
type real struct {
	t      *testing.T
	root   string
	passes chan struct{}
	n      *fsnotify.Watcher
}

func watchReally(t *testing.T) *real {
	t.Helper()
	r := &real{t: t, root: filepath.Join(t.TempDir(), "home"), passes: make(chan struct{}, 1000)}
	r.mkdir("sessions/a")
	n, err := fsnotify.NewWatcher()
	if err != nil {
		t.Skipf("no events here: %v", err)
	}
	r.n = n
	loop := &watch.Loop{
		Tree:     watch.NewTree(n, n.Events, n.Errors, 100),
		Debounce: watch.Debounce{Interval: time.Hour, Quiet: 20 * time.Millisecond, AtMost: time.Second, Rest: 1},
		Roots: func() []watch.Root {
			return []watch.Root{{Path: r.root, Files: []string{"store.db", "sessions/*/log"}}}
		},
		Pass:    func(context.Context) (watch.Result, error) { r.passes <- struct{}{}; return watch.Done, nil },
		Watched: func(watch.Coverage) {},
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = loop.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done; _ = n.Close() })
	r.pass("the start")
	return r
}

func (r *real) path(name string) string { return filepath.Join(r.root, filepath.FromSlash(name)) }

func (r *real) must(err error) {
	r.t.Helper()
	must(r.t, err)
}

func (r *real) mkdir(name string) { r.t.Helper(); r.must(os.MkdirAll(r.path(name), 0o700)) }
func (r *real) write(name, text string) {
	r.t.Helper()
	r.must(os.WriteFile(r.path(name), []byte(text), 0o600))
}

// pass waits for a pass, then until no other follows.
func (r *real) pass(after string) {
	r.t.Helper()
	select {
	case <-r.passes:
	case <-time.After(20 * time.Second):
		r.t.Fatalf("no pass after %s", after)
	}
	for {
		select {
		case <-r.passes:
		case <-time.After(150 * time.Millisecond):
			return
		}
	}
}

// watches counts the watches of all instances of this process, in the kernel.
func watches(t *testing.T) (n int) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/fdinfo/*")
	if err != nil || len(files) == 0 {
		t.Skip("no /proc here")
	}
	for _, f := range files {
		text, _ := os.ReadFile(f) // some are gone again
		n += bytes.Count(text, []byte("inotify wd:"))
	}
	return n
}

// Whatever happens to the folders, changes below them are seen, and the kernel
// holds a watch for each folder and no other.
func TestMischief(t *testing.T) {
	before := watches(t)
	r := watchReally(t)
	grow := func(name string) {
		t.Helper()
		r.write(name, time.Now().String())
		r.pass("a change of " + name)
	}
	for _, step := range []struct {
		name string
		do   func()
		want int
	}{
		{"grow", func() { grow("sessions/a/log") }, 3},
		{"truncate", func() { r.must(os.Truncate(r.path("sessions/a/log"), 0)); r.pass("cut"); grow("sessions/a/log") }, 3},
		{"rotate", func() {
			r.must(os.Rename(r.path("sessions/a/log"), r.path("sessions/a/log.1")))
			r.write("sessions/a/log", "new")
			r.pass("rotation")
			grow("sessions/a/log")
		}, 3},
		{"a session more, written at once", func() { r.mkdir("sessions/b"); grow("sessions/b/log"); grow("sessions/b/log") }, 4},
		{"a session less", func() { r.must(os.RemoveAll(r.path("sessions/b"))); r.pass("removal"); grow("sessions/a/log") }, 3},
		{"moved away and made anew", func() {
			r.must(os.Rename(r.path("sessions"), r.path("old")))
			r.pass("a move")
			r.mkdir("sessions/a")
			r.pass("the new folder")
			grow("sessions/a/log")
		}, 3},
		{"moved and made anew at once", func() {
			r.must(os.Rename(r.path("sessions"), r.path("older")))
			r.mkdir("sessions/a")
			r.pass("a move")
			grow("sessions/a/log")
		}, 3},
		{"the root moved and came back as another", func() {
			r.must(os.Rename(r.root, r.root+".away"))
			r.pass("the root's move")
			r.mkdir("sessions/a")
			r.pass("the root's return")
			grow("sessions/a/log")
			grow("store.db")
		}, 3},
		{"the root deleted and made anew", func() {
			r.must(os.RemoveAll(r.root))
			r.pass("the root's end")
			r.mkdir("sessions/a")
			r.pass("the root's return")
			grow("sessions/a/log")
		}, 3},
		{"the root deleted and made anew, ever again", func() {
			for range 20 {
				r.must(os.RemoveAll(r.root))
				r.mkdir("sessions/a")
			}
			r.pass("the root's return")
			grow("sessions/a/log")
		}, 3},
		{"gone for good", func() { r.must(os.RemoveAll(r.root)); r.pass("the root's end") }, 1},
	} {
		step.do()
		if got := watches(t) - before; got != step.want {
			t.Errorf("%s: %d watches in the kernel, want %d: %q", step.name, got, step.want, r.n.WatchList())
		}
	}
}
