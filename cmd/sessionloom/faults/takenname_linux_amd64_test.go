package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A file that comes to stand where a note is about to be created stays, whether
// files can be swapped there or not; the note gets another name.
func TestNameTakenMeanwhile(t *testing.T) {
	runs := 0
	for _, noSwap := range []bool{false, true} {
		for _, skip := range few(2, []int{0, 1, 2, 3}) {
			p := newPlace(t, small)
			taken := ""
			left := skip
			out := p.watch(&watcher{noSwap: noSwap, at: func(w window) {
				if taken != "" || w.call != "renameat2" && w.call != "linkat" {
					return
				}
				if _, err := os.Lstat(w.note); err == nil {
					return
				}
				if left--; left < 0 {
					taken = w.note
					p.must(os.WriteFile(taken, []byte("A note of theirs.\n"), 0o600))
				}
			}}, "sync", "--json")
			what := fmt.Sprintf("%q is taken, no swap: %v: %s", filepath.Base(taken), noSwap, out)
			if taken == "" || out.code != 0 && out.code != 3 {
				t.Fatalf("never came to it: %s", what)
			}
			text, err := os.ReadFile(taken)
			if p.must(err); string(text) != "A note of theirs.\n" {
				t.Fatalf("their note is gone: %s", what)
			}
			p.must(os.Rename(taken, filepath.Join(p.dir, "theirs.md")))
			p.sync(0)
			p.steady(what)
			runs++
		}
	}
	proved(t, "a file appears where a note is about to be created", runs, 1, "it stays; the note gets another name or waits")
}
