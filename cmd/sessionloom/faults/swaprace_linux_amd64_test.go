package faults

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A folder that somebody swaps for a link while notes are written into it leads
// no write to where the link points.
func TestFolderSwappedForLink(t *testing.T) {
	points, runs := 0, 0
	grown(t).watch(&watcher{at: func(w window) { points = w.n }}, "sync", "--json")
	targets := []string{"outside", "vault/.obsidian", "vault/.git"}
	for _, n := range calls(2, points, *every) {
		p := grown(t)
		target := targets[runs%len(targets)]
		for _, dir := range targets {
			p.must(os.MkdirAll(p.at(dir), 0o700))
		}
		swapped := ""
		out := p.watch(&watcher{at: func(w window) {
			if w.n != n {
				return
			}
			swapped = filepath.Dir(w.note)
			p.must(errors.Join(os.Rename(swapped, swapped+" aside"), os.Symlink(p.at(target), swapped)))
		}}, "sync", "--json")
		what := fmt.Sprintf("%q swapped for a link to %s: %s", swapped, target, out)
		for _, dir := range targets {
			if all := tree(t, p.at(dir)); len(all) > 0 {
				t.Fatalf("written there: %v: %s", all, what)
			}
		}
		if swapped != "" {
			p.must(errors.Join(os.Remove(swapped), os.Rename(swapped+" aside", swapped)))
		}
		if out.code != 0 && out.code != 1 && out.code != 3 {
			t.Fatal(what)
		}
		p.must(errors.Join(os.Remove(p.at("vault/.obsidian")), os.Remove(p.at("vault/.git"))))
		p.run("sync")
		p.sound(what)
		runs++
	}
	proved(t, "a folder is swapped for a link between two calls of a pass", points, runs, "nothing is written where the link points; the next passes converge")
}
