package faults

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// human does things to notes while the program deals with them.
type human struct {
	p     *place
	words string       // what they write, different each time
	later func() error // what they do when the program has ended
	undo  func() error // what they do so that a note can be written again
	gone  bool         // their words are not to be found: they wrote none
}

// hand is one thing that a human may do to a note.
type hand struct {
	name string
	do   func(h *human, note string) error
}

var hands = []hand{
	{"append", func(h *human, note string) error {
		return edit(note, func(s string) string { return s + h.words + "\n" })
	}},
	{"save as an editor", func(h *human, note string) error {
		text, err := os.ReadFile(note)
		swp := filepath.Join(filepath.Dir(note), "editor.swp")
		return errors.Join(err, os.WriteFile(swp, append(text, h.words+"\n"...), 0o600), os.Rename(swp, note))
	}},
	{"write in our text", func(h *human, note string) error {
		return edit(note, func(s string) string {
			return strings.Replace(s, "\n\n%% /sessionloom body", "\n\n"+h.words+"\n\n%% /sessionloom body", 1) + h.words + "\n"
		})
	}},
	{"delete", func(h *human, note string) error { h.gone = true; return os.Remove(note) }},
	{"rename", func(h *human, note string) error {
		return errors.Join(edit(note, func(s string) string { return s + h.words + "\n" }), os.Rename(note, strings.TrimSuffix(note, ".md")+" renamed.md"))
	}},
	{"half save", func(h *human, note string) error {
		text, err := os.ReadFile(note)
		if err != nil {
			return err
		}
		h.later = func() error { return os.WriteFile(note, append(text, h.words+"\n"...), 0o600) }
		return os.Truncate(note, 0)
	}},
	{"hold it open", func(h *human, note string) error {
		file, err := os.OpenFile(note, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		h.later = func() error {
			_, err := file.WriteString(h.words + "\n")
			return errors.Join(err, file.Close())
		}
		return nil
	}},
	{"replace by a folder", func(h *human, note string) error {
		if err := os.Remove(note); err != nil {
			return err
		}
		h.undo = func() error { return os.Rename(note, filepath.Join(h.p.dir, "folder of theirs")) }
		return errors.Join(os.Mkdir(note, 0o700), os.WriteFile(filepath.Join(note, "theirs.txt"), []byte(h.words), 0o600))
	}},
	{"replace by a link", func(h *human, note string) error {
		if err := os.Remove(note); err != nil {
			return err
		}
		target := filepath.Join(h.p.dir, "outside.md")
		h.undo = func() error { return os.Remove(note) }
		return errors.Join(os.WriteFile(target, []byte(h.words), 0o600), os.Symlink(target, note))
	}},
	{"tick a box", func(h *human, note string) error {
		return edit(note, func(s string) string { return strings.Replace(s, "- [ ] ", "- [x] ", 1) + h.words + "\n" })
	}},
	{"save with other line ends", func(h *human, note string) error {
		return edit(note, func(s string) string { return strings.ReplaceAll(s+h.words+"\n", "\n", "\r\n") })
	}},
	{"save with a byte order mark", func(h *human, note string) error {
		return edit(note, func(s string) string { return "\ufeff" + s + h.words + "\n" })
	}},
	{"copy", func(h *human, note string) error {
		text, err := os.ReadFile(note)
		if err != nil {
			return err
		}
		second := strings.TrimSuffix(note, ".md") + " copy.md"
		h.undo = func() error { return os.Rename(second, filepath.Join(h.p.dir, "copy of theirs.md")) }
		return os.WriteFile(second, append(text, h.words+"\n"...), 0o600)
	}},
}

// edit rewrites a file in place.
func edit(file string, change func(string) string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(change(string(text))), 0o600)
}

// TestHumanInEveryWindow: whatever a human does to a note between any two calls
// of a pass on it, their words are in the vault afterwards, and the next passes
// make one whole of both.
func TestHumanInEveryWindow(t *testing.T) {
	tryWindows(t, "human edits a note in a window of a pass", false)
}

// TestHumanWithoutSwap is the same where files cannot be swapped. There one
// thing can be lost: what an editor puts in the place of a note between the last
// look and the rename, see replacePlain.
func TestHumanWithoutSwap(t *testing.T) {
	tryWindows(t, "the same on a file system that cannot swap files", true)
}

func tryWindows(t *testing.T, fault string, noSwap bool) {
	points, blind := 0, 0
	grown(t).watch(&watcher{noSwap: noSwap, at: func(w window) {
		if points = w.n; noSwap && w.call == "renameat" {
			blind++
		}
	}}, "sync", "--json")
	step, runs := 1, 0
	if *every > 1 {
		step = 5 * *every
	}
	tries := 3 // without swap others than with it
	if noSwap {
		tries--
	}
	for _, i := range calls(tries, points*len(hands), step) {
		n, h := (i-1)/len(hands)+1, hands[(i-1)%len(hands)]
		t.Run(fmt.Sprintf("%s at %d", h.name, n), func(t *testing.T) {
			if tryWindow(t, n, h, noSwap) {
				runs++
			} else if n < points/2 {
				t.Error("never came to it")
			}
		})
	}
	held := "their words are in the vault; one note an id; the next passes converge"
	if blind > 0 {
		held += fmt.Sprintf("; not judged: the %d moments right before a rename over a note", blind)
	}
	proved(t, fault, points, runs, held)
}

// grown is a place whose next pass updates, creates and renames notes.
func grown(t *testing.T) *place {
	p := newPlace(t, small)
	p.add(middle, 0.6)
	p.sync(0)
	p.add(middle, 1)
	return p
}

// tryWindow lets a human act in the n-th window. It reports whether there was one:
// which thread makes a call differs from run to run, and so does their number a
// little.
func tryWindow(t *testing.T, n int, hand hand, noSwap bool) bool {
	p := grown(t)
	h := &human{p: p, words: fmt.Sprintf("Words of theirs %d.", n)}
	var where window
	out := p.watch(&watcher{noSwap: noSwap, at: func(w window) {
		if w.n != n {
			return
		}
		if where = w; hand.do(h, w.note) != nil {
			h.gone = true // there is no such file yet
		}
	}}, "sync", "--json")
	what := fmt.Sprintf("%s before %s of %q: %s", hand.name, where.call, filepath.Base(where.note), out)
	if where.note == "" {
		return false
	}
	if out.code != 0 && out.code != 3 && out.code != 1 {
		t.Fatal(what)
	}
	if noSwap && where.call == "renameat" {
		return true // what nobody can see there, see replacePlain
	}
	if h.later != nil {
		p.must(h.later())
	}
	for range 2 { // an obstacle stays, and so may the complaint
		if out := p.run("sync", "--json"); out.code != 0 && (h.undo == nil || out.code != 3) {
			t.Fatalf("%s\nthen: %s", what, out)
		}
	}
	if !h.gone && !holds(t, p.dir, h.words) {
		t.Fatalf("their words are gone: %s", what)
	}
	if h.undo != nil && !h.gone {
		p.must(h.undo())
		p.run("sync", "--json")
	}
	p.run("sync", "--json")
	oneNoteEach(t, p.vault, what)
	p.steady(what)
	return true
}

// holds reports whether any file of a folder holds some words, those of a note or
// text that was put aside.
func holds(t *testing.T, dir, words string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) == ".db" || strings.HasPrefix(d.Name(), ".tmp-") {
			return err
		}
		text, err := os.ReadFile(path)
		found = found || bytes.Contains(text, []byte(words))
		return err
	})
	expect.OK(t, err)
	return found
}

// oneNoteEach expects no second note of an id, and nothing left over.
func oneNoteEach(t *testing.T, vault, what string) {
	t.Helper()
	at := map[string]string{}
	for path, c := range tree(t, vault) {
		if !c.mode.IsRegular() {
			continue
		}
		if strings.Contains(path, "/.tmp-") {
			t.Fatalf("%s\nleft over: %s", what, path)
		}
		text := expect.Value(os.ReadFile(filepath.Join(vault, path)))(t)
		_, id, ok := strings.Cut(string(text), "\nid: ")
		id, _, _ = strings.Cut(id, "\n")
		if !ok || filepath.Ext(path) != ".md" || strings.Contains(path, "/rescued/") {
			continue
		}
		if other := at[id]; other != "" {
			t.Fatalf("%s\ntwo notes %s: %s and %s", what, id, other, path)
		}
		at[id] = path
	}
}
