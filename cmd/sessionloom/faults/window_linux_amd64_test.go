package faults

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// window is a moment in which the program is about to make a call on a note or
// on a temporary file beside it, and waits.
type window struct {
	n    int    // counted from 1
	pid  int    // of the program
	call string // name of the call
	note string // path of the note that it is about
}

// watcher stops the program before each call on a note of a vault.
type watcher struct {
	at      func(window) // what is done meanwhile
	noSwap  bool         // the file system knows plain renames alone
	sources bool         // calls on what is read count too
	spread  bool         // see tracer
	wrapper []string     // what starts the program; nil: nothing

	vault    string
	windows  int
	lastNote map[int]string // by thread: a temporary file does not tell whose it is
}

// watch runs the program on the place and has the watcher act in each window.
func (p *place) watch(w *watcher, args ...string) outcome {
	p.t.Helper()
	needsTracing(p.t)
	w.vault, w.lastNote = p.vault, map[int]string{}
	return p.tracedBy(&tracer{decide: w.judge, spread: w.spread}, w.wrapper, args...)
}

func (w *watcher) judge(c call) (f fate) {
	if c.name == "renameat2" && w.noSwap && c.args[4] != 0 {
		f.errno = syscall.EINVAL
	}
	switch c.name {
	case "renameat", "renameat2", "linkat": // the new name is that of the note
		c.path = c.resolve(int32(c.args[2]), c.args[3])
	}
	if note := w.noteOf(c); note != "" {
		w.windows++
		w.at(window{w.windows, c.pid, c.name, note})
	}
	return f
}

// noteOf is the note a call is about, or the history that is read; empty: none.
func (w *watcher) noteOf(c call) string {
	base := filepath.Base(c.path)
	if filepath.Ext(base) == ".jsonl" && w.sources {
		return c.path
	}
	if !strings.HasPrefix(c.path, w.vault+"/") || strings.Contains(c.path, "/.sessionloom/") {
		return ""
	}
	switch {
	case strings.HasPrefix(base, ".tmp-"):
	case strings.HasSuffix(base, ".md"):
		w.lastNote[c.pid] = c.path
	default:
		return ""
	}
	return w.lastNote[c.pid]
}

// The watcher sees what it is to see: without it no window would be tried.
func TestWindowsAreSeen(t *testing.T) {
	p := newPlace(t, small)
	p.sync(0)
	p.add(middle, 1)
	calls := map[string]int{}
	out := p.watch(&watcher{at: func(w window) { calls[w.call]++ }}, "sync", "--json")
	for _, call := range []string{"openat", "write", "fsync", "renameat2", "unlinkat", "read"} {
		if calls[call] == 0 || out.code != 0 {
			t.Errorf("%d calls of %s: %s", calls[call], call, out)
		}
	}
	p.sound("watched")
}
